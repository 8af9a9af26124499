/** Graphs to watch in a terminal. */
@NullMarked
package io.superstep.samples;

import org.jspecify.annotations.NullMarked;
