package io.superstep.state;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Channels were declared in a way that cannot work; all problems of a schema are told at once. */
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
