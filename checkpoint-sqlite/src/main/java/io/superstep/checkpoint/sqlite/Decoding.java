package io.superstep.checkpoint.sqlite;

import io.superstep.error.SuperstepException;
import java.util.function.Supplier;

/**
 * Runs codecs on stored data. Codecs call modules and stages of the application, which may throw
 * anything, also errors that Reactor rethrows instead of signalling them.
 */
final class Decoding {

  private Decoding() {}

  /** @throws SuperstepException if the data cannot be decoded, whatever the codec throws */
  static <T> T decoded(Supplier<T> codec) {
    try {
      return codec.get();
    } catch (SuperstepException refused) {
      throw refused;
    } catch (Throwable failure) {
      throw SqliteRowException.undecodable(failure);
    }
  }
}
