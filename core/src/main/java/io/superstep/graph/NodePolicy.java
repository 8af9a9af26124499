package io.superstep.graph;

import java.time.Duration;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How a node is run, as data: attempts, timeouts, cache, concurrency. What is null was not said and
 * comes from the defaults of the graph; what is not said there either is: one attempt, no timeout,
 * no cache, no limit.
 *
 * <p>Immutable. Options that contradict each other are told when the graph is built.
 *
 * @param attempts how often a node is tried
 * @param retryOn which failures are worth another attempt; all of them if it is null
 * @param timeout how long one attempt may take
 * @param idleTimeout how long an attempt may stay silent
 * @param concurrency how many tasks of the node run at once in one step of its graph
 * @param actsOutside whether the node does something to the world outside that must not be done
 *     twice: a thread writes down that it is about to, before anything of the step runs, and where
 *     nobody saw how it ended, it runs again only if somebody says so
 */
public record NodePolicy(
    @Nullable Integer attempts,
    @Nullable Backoff backoff,
    @Nullable Predicate<Throwable> retryOn,
    @Nullable Duration timeout,
    @Nullable Duration idleTimeout,
    @Nullable Integer concurrency,
    @Nullable CachePolicy cache,
    @Nullable Boolean actsOutside) {

  /** The policy that says nothing. */
  public static final NodePolicy NONE =
      new NodePolicy(null, null, null, null, null, null, null, null);

  /** Tries up to {@code most} times. */
  public static NodePolicy retry(int most) {
    return NONE.attempts(most);
  }

  public NodePolicy attempts(int most) {
    return new NodePolicy(
        most, backoff, retryOn, timeout, idleTimeout, concurrency, cache, actsOutside);
  }

  /** Waits between attempts, without jitter. */
  public NodePolicy backoff(Duration first, Duration longest) {
    return backoff(new Backoff(first, longest, 0));
  }

  /** Waits between attempts. */
  public NodePolicy backoff(Backoff wait) {
    return new NodePolicy(
        attempts, wait, retryOn, timeout, idleTimeout, concurrency, cache, actsOutside);
  }

  public NodePolicy retryOn(Predicate<Throwable> worthIt) {
    return new NodePolicy(
        attempts, backoff, worthIt, timeout, idleTimeout, concurrency, cache, actsOutside);
  }

  public NodePolicy timeout(Duration most) {
    return new NodePolicy(
        attempts, backoff, retryOn, most, idleTimeout, concurrency, cache, actsOutside);
  }

  public NodePolicy idleTimeout(Duration most) {
    return new NodePolicy(
        attempts, backoff, retryOn, timeout, most, concurrency, cache, actsOutside);
  }

  public NodePolicy concurrency(int most) {
    return new NodePolicy(
        attempts, backoff, retryOn, timeout, idleTimeout, most, cache, actsOutside);
  }

  public NodePolicy cache(CachePolicy policy) {
    return new NodePolicy(
        attempts, backoff, retryOn, timeout, idleTimeout, concurrency, policy, actsOutside);
  }

  /**
   * Says that the node does something to the world outside that must not be done twice, such as to
   * charge a card.
   */
  public NodePolicy actingOutside() {
    return new NodePolicy(
        attempts, backoff, retryOn, timeout, idleTimeout, concurrency, cache, true);
  }

  /** This policy, with what it does not say taken from {@code defaults}. */
  public NodePolicy or(NodePolicy defaults) {
    return new NodePolicy(
        first(attempts, defaults.attempts),
        first(backoff, defaults.backoff),
        first(retryOn, defaults.retryOn),
        first(timeout, defaults.timeout),
        first(idleTimeout, defaults.idleTimeout),
        first(concurrency, defaults.concurrency),
        first(cache, defaults.cache),
        first(actsOutside, defaults.actsOutside));
  }

  private static <T> @Nullable T first(@Nullable T said, @Nullable T otherwise) {
    return said != null ? said : otherwise;
  }
}
