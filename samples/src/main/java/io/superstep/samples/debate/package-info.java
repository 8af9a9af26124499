/**
 * Sample 1: a debate, streamed word by word and committed step by step, that asks before it ends.
 */
@NullMarked
package io.superstep.samples.debate;

import org.jspecify.annotations.NullMarked;
