package io.superstep.checkpoint.redis;

import io.superstep.error.SuperstepException;
import java.util.function.Supplier;
import reactor.core.Exceptions;

/**
 * Calls codecs, with the modules and stages of the user behind them, so that whatever they throw
 * reaches the caller as a signal. Reactor does not signal the errors that it calls fatal, such as a
 * {@link LinkageError}, when an operator throws them; the caller would wait for ever.
 */
final class Coding {

  private Coding() {}

  /**
   * Decodes stored bytes.
   *
   * @param where the place for errors
   * @throws InvalidRecordException with the cause, if anything but a {@link SuperstepException} is
   *     thrown
   */
  static <T> T decoded(String where, Supplier<T> decoding) {
    try {
      return decoding.get();
    } catch (SuperstepException typed) {
      throw typed;
    } catch (Throwable thrown) {
      throw InvalidRecordException.undecodable(where, thrown);
    }
  }

  /**
   * Encodes a value.
   *
   * @throws InvalidRecordException with the cause, if an error is thrown that Reactor calls fatal
   */
  static <T> T encoded(String where, Supplier<T> encoding) {
    try {
      return encoding.get();
    } catch (Error thrown) {
      if (Exceptions.isJvmFatal(thrown)) {
        throw InvalidRecordException.unwritable(where, thrown);
      }
      throw thrown;
    }
  }
}
