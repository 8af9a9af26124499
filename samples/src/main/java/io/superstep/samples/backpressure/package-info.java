/** Sample 2: a fast node that waits for a slow reader. */
@NullMarked
package io.superstep.samples.backpressure;

import org.jspecify.annotations.NullMarked;
