package io.superstep.state;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import org.jspecify.annotations.Nullable;

/** Thrown if a state cannot be converted to the requested record. */
public final class InvalidViewException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  InvalidViewException(Class<?> record, String what, @Nullable Throwable cause) {
    super(
        new Problem(
            "SG-239",
            what,
            "view(" + record.getSimpleName() + ".class)",
            "Give each component the name and the type of a channel; use the boxed type where the channel may have no value."),
        cause);
  }
}
