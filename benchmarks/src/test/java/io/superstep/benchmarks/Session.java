package io.superstep.benchmarks;

/** A contender that is warm and waits for its turns. */
@FunctionalInterface
interface Session {

  /** Measures it once more. */
  Figures round();

  /** Whether the compiler had nothing left to do when the first turn came. */
  default boolean isWarm() {
    return true;
  }
}
