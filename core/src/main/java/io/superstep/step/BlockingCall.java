package io.superstep.step;

/**
 * Recognizes the error of a blocking call on a JVM thread that must not block: Reactor's for
 * {@code block()} and its siblings on a thread of a non-blocking scheduler, and BlockHound's.
 */
final class BlockingCall {

  private static final String REACTOR = "blocking, which is not supported in thread";
  private static final String BLOCKHOUND = "reactor.blockhound.BlockingOperationError";

  private BlockingCall() {}

  static boolean isCauseOf(Throwable error) {
    if (error.getClass().getName().equals(BLOCKHOUND)) {
      return true;
    }
    String message = error.getMessage();
    return error instanceof IllegalStateException && message != null && message.contains(REACTOR);
  }
}
