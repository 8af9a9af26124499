package io.superstep.graph;

import io.superstep.state.State;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * When a node need not run because its answer is known.
 *
 * <p>An answer is what a task wrote and where it went, kept once its step is committed. A hit is
 * committed like any other answer; chunks are not said again. Tasks that ask for the same at the
 * same time are all run.
 *
 * @param key what the answer depends on; equal keys have the same answer, arrays are equal by their
 *     contents, and with null the node runs in any case
 * @param ttl how long an answer is good for; null for ever
 * @param maxEntries how many answers are kept
 */
public record CachePolicy(
    BiFunction<State, NodeContext, ?> key, @Nullable Duration ttl, long maxEntries) {

  /** Keeps up to 1,000 answers for ever, by a key made of the state. */
  @SuppressWarnings("NullAway") // a key that is missing is told when the graph is built
  public static CachePolicy by(Function<State, ?> key) {
    return byContext(key == null ? null : (state, context) -> key.apply(state));
  }

  /**
   * Keeps up to 1,000 answers for ever, by a key made of the state and of what the run was given.
   */
  public static CachePolicy byContext(BiFunction<State, NodeContext, ?> key) {
    return new CachePolicy(key, null, 1_000);
  }

  public CachePolicy ttl(Duration time) {
    return new CachePolicy(key, time, maxEntries);
  }

  public CachePolicy maxEntries(long most) {
    return new CachePolicy(key, ttl, most);
  }
}
