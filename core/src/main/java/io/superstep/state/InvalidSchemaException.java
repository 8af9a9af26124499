package io.superstep.state;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Thrown if the declarations of channels are invalid; lists all problems of the schema. */
public final class InvalidSchemaException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  InvalidSchemaException(Problem problem) {
    this(problem, null);
  }

  InvalidSchemaException(Problem problem, @Nullable Throwable cause) {
    super(problem, cause);
  }

  InvalidSchemaException(List<Problem> problems) {
    super(headline("The schema cannot be built", problems), problems);
  }
}
