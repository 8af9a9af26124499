package io.superstep.graph;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds what a policy says that cannot be, or that contradicts something else it says. */
final class PolicyCheck {

  private final List<Complaint> complaints = new ArrayList<>();

  private PolicyCheck() {}

  record Complaint(String what, String fix) {}

  /**
   * What is wrong with {@code policy}, and what it says in vain.
   *
   * @param whole the policy with its defaults; what only those say may well be meant for others
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

  /** What is wrong with {@code policy} for a node that does {@code body}. */
  static List<Complaint> complaints(NodePolicy policy, NodeBody body) {
    PolicyCheck check = new PolicyCheck();
    boolean timed = policy.timeout() != null || policy.idleTimeout() != null;
    if (timed && body instanceof NodeBody.Computed) {
      check.say(
          "A timeout cannot stop a plain function, which runs on its caller's thread.",
          "Leave out the timeout, or declare the node with node(...) or blocking(...).");
    }
    if (policy.cache() != null && body instanceof NodeBody.Nested) {
      check.say(
          "The answer of a graph cannot be kept: what its nodes wrote belongs to their tasks.",
          "Give the cache to the nodes inside.");
    }
    return check.complaints;
  }

  private void retries(NodePolicy policy, NodePolicy whole) {
    Integer attempts = policy.attempts();
    if (attempts != null && attempts < 1) {
      say("A node cannot be tried " + attempts + " times.", "Allow at least one attempt.");
    }
    boolean saysHow = policy.backoff() != null || policy.retryOn() != null;
    if (saysHow && !retries(whole)) {
      say(
          "The policy says how to retry, but allows one attempt only.",
          "Say attempts(n) with n > 1, or leave out backoff and retryOn.");
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
          "The backoff does not say how long to wait.",
          "Say backoff(first, longest) with 0 <= first <= longest.");
    } else if (backoff.first().isNegative() || backoff.longest().compareTo(backoff.first()) < 0) {
      say(
          "The longest wait between attempts is shorter than the first one, or one is negative.",
          "Say backoff(first, longest) with 0 <= first <= longest.");
    }
    if (!(backoff.jitter() >= 0 && backoff.jitter() <= 1)) {
      say("The jitter is not a part of the wait.", "Use a number from 0 to 1.");
    }
  }

  private void times(NodePolicy policy, NodePolicy whole) {
    positive("timeout", policy.timeout());
    positive("idleTimeout", policy.idleTimeout());
    Duration total = whole.timeout();
    Duration idle = policy.idleTimeout();
    if (total != null && idle != null && idle.compareTo(total) >= 0) {
      say(
          "The idle timeout is not shorter than the timeout, so it could never end an attempt.",
          "Make it shorter, or leave it out.");
    }
  }

  private void concurrency(@Nullable Integer concurrency) {
    if (concurrency != null && concurrency < 1) {
      say("No task of the node could ever run.", "Say concurrency(n) with n of at least 1.");
    }
  }

  private void cache(@Nullable CachePolicy cache) {
    if (cache != null) {
      if (cache.key() == null) {
        say("The cache does not say what an answer depends on.", "Say CachePolicy.by(key).");
      }
      positive("ttl", cache.ttl());
      if (cache.maxEntries() < 1) {
        say("The cache could never hold an answer.", "Allow at least one entry.");
      }
    }
  }

  private void positive(String option, @Nullable Duration time) {
    if (time != null && (time.isNegative() || time.isZero())) {
      say("The " + option + " is not a positive time.", "Use a duration above zero.");
    }
  }

  private void say(String what, String fix) {
    complaints.add(new Complaint(what, fix));
  }
}
