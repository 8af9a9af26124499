package io.superstep.step;

import io.superstep.error.MessageText;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Recognizes the error of a blocking call on a JVM thread that must not block: Reactor's for
 * {@code block()} and its siblings on a thread of a non-blocking scheduler, and BlockHound's.
 */
final class BlockingCall {

  private static final String REACTOR = "blocking, which is not supported in thread";
  private static final String BLOCKHOUND = "reactor.blockhound.BlockingOperationError";

  private static final Pattern THREAD = Pattern.compile("in thread (\\S+)$");

  private BlockingCall() {}

  static boolean isCauseOf(Throwable error) {
    if (error.getClass().getName().equals(BLOCKHOUND)) {
      return true;
    }
    String message = error.getMessage();
    return error instanceof IllegalStateException && message != null && message.contains(REACTOR);
  }

  /** Returns the JVM thread of the call, as text such as {@code the JVM thread 'parallel-1'}. */
  static String thread(Throwable error) {
    Matcher name = THREAD.matcher(String.valueOf(error.getMessage()));
    return name.find()
        ? "the JVM thread '" + MessageText.name(name.group(1)) + "'"
        : "a JVM thread";
  }
}
