/** What a graph remembers. */
@NullMarked
package io.superstep.state;

import org.jspecify.annotations.NullMarked;
