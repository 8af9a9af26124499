package io.superstep.checkpoint.sqlite;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.nio.file.Path;
import java.time.Duration;

/** Another process held the file for too long; nothing was written, and to ask again is safe. */
public final class SqliteBusyException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  SqliteBusyException(Path path, String doing, Duration waited, Throwable cause) {
    super(
        new Problem(
            "SG-461",
            "Another process has held the file for more than " + waited.toMillis() + " ms.",
            doing + ", file " + path.getFileName(),
            "See what it does there, such as a backup or a VACUUM, or raise"
                + " SqliteDatabase.builder(...).busyTimeout(...); the thread goes on with"
                + " resume()."),
        cause);
  }
}
