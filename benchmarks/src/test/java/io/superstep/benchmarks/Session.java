package io.superstep.benchmarks;

/** A contender that is warm and waits for its turns. */
@FunctionalInterface
interface Session extends AutoCloseable {

  /** Measures it once more. */
  Figures round();

  @Override
  default void close() {}
}
