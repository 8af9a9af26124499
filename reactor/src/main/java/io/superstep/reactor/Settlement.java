package io.superstep.reactor;

import io.superstep.question.Answer;

/**
 * What came of a deadline that has passed.
 *
 * @param answer the answer that counts
 * @param isApplied whether it is that of the deadline; else somebody was there in time
 */
public record Settlement(String thread, Answer answer, boolean isApplied) {}
