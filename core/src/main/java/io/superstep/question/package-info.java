/**
 * What a graph asks people: questions, what counts as an answer, and what became of it. All that is
 * stored of it is plain data.
 */
@NullMarked
package io.superstep.question;

import org.jspecify.annotations.NullMarked;
