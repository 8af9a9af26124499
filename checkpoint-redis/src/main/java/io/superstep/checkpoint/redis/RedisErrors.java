package io.superstep.checkpoint.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The translation of errors of Redis and its driver into exceptions of this library. */
final class RedisErrors {

  /** With these nothing was executed. */
  private static final List<String> PASSING =
      List.of("TRYAGAIN", "CLUSTERDOWN", "LOADING", "MASTERDOWN");

  /** What Lua and commands say of a value that they cannot use. */
  private static final List<String> OF_DATA = List.of(
      "attempt to",
      "bad argument",
      "not an integer",
      "not a valid float",
      "min or max",
      "Invalid stream ID",
      "equal or smaller than the target stream top item",
      "out of range");

  private RedisErrors() {}

  /** @param doing what was asked for, in words */
  static Throwable typed(Throwable failure, String doing) {
    if (failure instanceof SuperstepException || failure instanceof Error) {
      return failure;
    }

    String refusal = refusal(failure);
    if (refusal != null && isOfScript(refusal)) {
      return InvalidRecordException.script(doing, failure);
    }
    if (refusal != null) {
      return new RedisRefusedException(problem(refusal, doing), failure);
    }
    if (failure instanceof RedisCommandTimeoutException || failure instanceof TimeoutException) {
      return RedisUnavailableException.slow(doing, failure);
    }
    if (failure instanceof RedisException || failure instanceof IOException) {
      return RedisUnavailableException.unreachable(doing, failure);
    }
    return failure;
  }

  /**
   * Whether it goes over by itself: a connection broke that is opened again, or a server refused
   * because it is just starting, or giving slots away.
   */
  static boolean isPassing(Throwable failure) {
    if (failure instanceof RedisCommandExecutionException) {
      String words = String.valueOf(failure.getMessage());
      return PASSING.stream().anyMatch(words::startsWith);
    }
    return failure instanceof IOException || failure.getClass() == RedisException.class;
  }

  /**
   * Whether a connection was closed before it was there. That is also what Lettuce says now and
   * then of a login that was refused, as it closes the connection itself.
   */
  static boolean isHungUp(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (String.valueOf(each.getMessage()).startsWith("Connection closed prematurely")) {
        return true;
      }
    }
    return false;
  }

  /** The words with which Redis refused; a refused login comes as a connection that failed. */
  private static @Nullable String refusal(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      String words = String.valueOf(each.getMessage());
      if (each instanceof RedisCommandExecutionException || isLogin(words)) {
        return words;
      }
    }
    return null;
  }

  /**
   * Whether a script failed on a value that it read. The words are those of Lua, or of a command
   * that was given the value.
   */
  private static boolean isOfScript(String words) {
    return words.contains("user_script") && OF_DATA.stream().anyMatch(words::contains);
  }

  /**
   * Whether the data of one thread is at fault, and not the store: another thread may be intact. A
   * key of another type is one key of one thread.
   */
  static boolean isOfData(Throwable failure) {
    return failure instanceof SuperstepException typed
        && !(failure instanceof RedisUnavailableException)
        && !(failure instanceof NotReplicatedException)
        && (!(failure instanceof RedisRefusedException) || typed.code().equals("SG-455"));
  }

  private static boolean isLogin(String words) {
    return words.contains("WRONGPASS") || words.contains("NOAUTH") || words.contains("NOPERM");
  }

  private static Problem problem(String words, String doing) {
    // Inside a script Redis 6 puts its own words before the code, and Redis 7 behind it.
    if (words.contains("OOM command not allowed")) {
      return new Problem(
          "SG-453",
          "Redis has reached maxmemory and refused a write.",
          doing,
          "Raise maxmemory, prune threads with thread.prune(...), or set"
              + " RedisCheckpointStore.builder(redis).ttl(...), then call thread.resume(). The"
              + " maxmemory-policy must be noeviction.");
    }
    if (words.contains("READONLY")) {
      return new Problem(
          "SG-454",
          "The Redis server is a replica, and accepts no writes.",
          doing,
          "Connect to the primary: with Sentinel (redis-sentinel://...), with a"
              + " RedisClusterClient, or by its own address.");
    }
    if (words.contains("WRONGTYPE")) {
      return new Problem(
          "SG-455",
          "A key below the prefix of this RedisSpace has another Redis type, written by another"
              + " application.",
          doing,
          "Use a prefix that no other application uses: RedisSpace.builder(...).prefix(...).");
    }
    if (isLogin(words)) {
      return new Problem(
          "SG-456",
          "Redis denied access: the login failed, or the user may not run the command.",
          doing,
          "Check the user and the password of the client, and the ACL of the user: scripts, and all"
              + " keys below the prefix.");
    }
    return new Problem(
        "SG-459",
        "Redis refused a command: " + code(words) + ".",
        doing,
        "See the message of Redis in the cause, correct the server, then call thread.resume().");
  }

  /** The first word, which is the code; the rest may quote arguments. */
  private static String code(String words) {
    int end = words.indexOf(' ');
    return end < 0 ? words : words.substring(0, end);
  }
}
