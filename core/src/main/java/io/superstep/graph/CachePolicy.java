package io.superstep.graph;

import io.superstep.state.State;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * When a node need not run because its answer is known.
 *
 * @param key what the answer depends on; equal keys have the same answer
 * @param ttl how long an answer is good for; null for ever
 * @param maxEntries how many answers are kept
 */
public record CachePolicy(Function<State, ?> key, @Nullable Duration ttl, long maxEntries) {

  /** Keeps up to 1,000 answers for ever. */
  public static CachePolicy by(Function<State, ?> key) {
    return new CachePolicy(key, null, 1_000);
  }

  public CachePolicy ttl(Duration time) {
    return new CachePolicy(key, time, maxEntries);
  }

  public CachePolicy maxEntries(long most) {
    return new CachePolicy(key, ttl, most);
  }
}
