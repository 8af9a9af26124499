package io.superstep.graph;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The validation of a policy: values out of bounds, and options that contradict each other. */
final class PolicyCheck {

  private final List<Complaint> complaints = new ArrayList<>();

  private PolicyCheck() {}

  record Complaint(String what, String fix) {}

  /**
   * Returns the invalid options of {@code policy}, and those without effect.
   *
   * @param whole the policy with its defaults; an option that only the defaults set may be meant
   *     for other nodes
   */
  static List<Complaint> complaints(NodePolicy policy, NodePolicy whole) {
    PolicyCheck check = new PolicyCheck();
    check.retries(policy, whole);
    check.backoff(policy.backoff());
    check.times(policy, whole);
    check.concurrency(policy.concurrency());
    check.cache(policy.cache());
    return check.complaints;
  }

  /** Returns the options of {@code policy} that a node with {@code body} does not support. */
  static List<Complaint> complaints(NodePolicy policy, NodeBody body) {
    PolicyCheck check = new PolicyCheck();
    boolean timed = policy.timeout() != null || policy.idleTimeout() != null;
    if (timed && body instanceof NodeBody.Computed) {
      check.say(
          "The node is a plain function, which a timeout cannot interrupt.",
          "Remove the timeout, or declare the node with node(...) or blocking(...).");
    }
    if (policy.cache() != null && body instanceof NodeBody.Nested) {
      check.say(
          "The node is a subgraph, whose output cannot be cached.",
          "Set the cache in the policies of the nodes of the subgraph.");
    }
    return check.complaints;
  }

  private void retries(NodePolicy policy, NodePolicy whole) {
    Integer attempts = policy.attempts();
    if (attempts != null && attempts < 1) {
      say("The policy allows " + attempts + " attempts.", "Use attempts(n) with n of at least 1.");
    }
    boolean saysHow = policy.backoff() != null || policy.retryOn() != null;
    if (saysHow && !retries(whole)) {
      say(
          "The policy has a backoff or retryOn, but allows only one attempt.",
          "Use attempts(n) with n > 1, or remove backoff and retryOn.");
    }
  }

  /** Whether {@code policy} allows more than one attempt. */
  static boolean retries(NodePolicy policy) {
    Integer attempts = policy.attempts();
    return attempts != null && attempts > 1;
  }

  private void backoff(@Nullable Backoff backoff) {
    if (backoff == null) {
      return;
    }
    if (backoff.first() == null || backoff.longest() == null) {
      say(
          "The backoff has a null duration.",
          "Use backoff(first, longest) with 0 <= first <= longest.");
    } else if (backoff.first().isNegative() || backoff.longest().compareTo(backoff.first()) < 0) {
      say(
          "The backoff has a negative duration, or a longest wait that is shorter than the first.",
          "Use backoff(first, longest) with 0 <= first <= longest.");
    }
    if (!(backoff.jitter() >= 0 && backoff.jitter() <= 1)) {
      say("The jitter of the backoff is not between 0 and 1.", "Use a jitter from 0 to 1.");
    }
  }

  private void times(NodePolicy policy, NodePolicy whole) {
    positive("timeout", policy.timeout());
    positive("idleTimeout", policy.idleTimeout());
    Duration total = whole.timeout();
    Duration idle = policy.idleTimeout();
    if (total != null && idle != null && idle.compareTo(total) >= 0) {
      say(
          "The idle timeout is not shorter than the timeout, so it can never expire.",
          "Use an idle timeout that is shorter than the timeout, or remove it.");
    }
  }

  private void concurrency(@Nullable Integer concurrency) {
    if (concurrency != null && concurrency < 1) {
      say(
          "The policy allows " + concurrency + " concurrent tasks, so the node can never run.",
          "Use concurrency(n) with n of at least 1.");
    }
  }

  private void cache(@Nullable CachePolicy cache) {
    if (cache != null) {
      if (cache.key() == null) {
        say("The cache policy has no key.", "Use CachePolicy.by(key).");
      }
      positive("ttl", cache.ttl());
      if (cache.maxEntries() < 1) {
        say(
            "The cache policy allows " + cache.maxEntries() + " entries.",
            "Use maxEntries(n) with n of at least 1.");
      }
    }
  }

  private void positive(String option, @Nullable Duration time) {
    if (time != null && (time.isNegative() || time.isZero())) {
      say("The " + option + " is not positive.", "Use a duration above zero.");
    }
  }

  private void say(String what, String fix) {
    complaints.add(new Complaint(what, fix));
  }
}
