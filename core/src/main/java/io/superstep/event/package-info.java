/** What a run tells its subscriber. */
@NullMarked
package io.superstep.event;

import org.jspecify.annotations.NullMarked;
