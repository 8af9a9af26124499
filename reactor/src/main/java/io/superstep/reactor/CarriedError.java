package io.superstep.reactor;

import java.util.Objects;
import reactor.core.Exceptions;

/**
 * Carries an error through Reactor's operators as an ordinary exception.
 *
 * <p>Operators rethrow the errors that Reactor considers fatal ({@code VirtualMachineError},
 * {@code LinkageError}, {@code ThreadDeath}) on the current JVM thread instead of signalling them.
 * A task that fails with such an error would never end. The engine wraps the error where user code
 * throws it, and unwraps it where the task or the run ends.
 */
final class CarriedError extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private CarriedError(Throwable error) {
    super(null, error, false, false); // no text is built: the heap may be exhausted
  }

  @Override
  public String getMessage() {
    return String.valueOf(getCause());
  }

  /** Returns an exception that operators signal. */
  static Throwable wrap(Throwable error) {
    return Exceptions.isFatal(error) ? new CarriedError(error) : error;
  }

  /** Returns the error that user code threw or signalled. */
  static Throwable unwrap(Throwable error) {
    return error instanceof CarriedError
        ? Objects.requireNonNull(error.getCause())
        : Exceptions.unwrap(error);
  }
}
