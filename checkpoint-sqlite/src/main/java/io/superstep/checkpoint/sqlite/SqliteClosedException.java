package io.superstep.checkpoint.sqlite;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.nio.file.Path;

/** The file was closed before this was asked for, or before it had come to its end. */
public final class SqliteClosedException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  SqliteClosedException(Path path) {
    super(
        new Problem(
            "SG-470",
            "The file was closed, and nothing more is done with it here.",
            "file " + path.getFileName(),
            "Open it anew: threads go on with resume(), and followers from their last cursor."),
        null);
  }
}
