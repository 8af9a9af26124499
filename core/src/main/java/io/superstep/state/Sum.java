package io.superstep.state;

/**
 * Adds numbers of one type. Whole and decimal numbers are added exactly, and an overflow is an
 * error, not another number; {@code double} and {@code float} are rounded as ever.
 */
final class Sum<N extends Number> implements Reducer<N> {

  @Override
  public N reduce(N current, N update) {
    return Reducers.sum(current, update);
  }

  /** What is added is told, not what comes out: so two branches that add can be merged. */
  @Override
  public Effect<N> effect(N current, N update) {
    return Effect.add(current, update);
  }
}
