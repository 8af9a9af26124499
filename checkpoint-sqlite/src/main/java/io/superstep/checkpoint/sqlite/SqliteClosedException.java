package io.superstep.checkpoint.sqlite;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.nio.file.Path;

/** Thrown if the {@code SqliteDatabase} was closed before a call completed. */
public final class SqliteClosedException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  SqliteClosedException(Path path) {
    super(
        new Problem(
            "SG-470",
            "The SqliteDatabase was closed, and accepts no more calls.",
            "file " + path.getFileName(),
            "Open the file again with SqliteDatabase.open(path): threads continue with"
                + " thread.resume(), and followers from their last cursor."),
        null);
  }
}
