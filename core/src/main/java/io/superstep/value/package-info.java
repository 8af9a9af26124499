/**
 * Values that cannot change: what may stand in a channel, and the persistent collections that hold
 * it.
 */
@NullMarked
package io.superstep.value;

import org.jspecify.annotations.NullMarked;
