/** Sample 3: a writer and an editor, in Kotlin. */
@NullMarked
package io.superstep.samples.review;

import org.jspecify.annotations.NullMarked;
