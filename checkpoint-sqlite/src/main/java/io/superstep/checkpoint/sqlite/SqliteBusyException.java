package io.superstep.checkpoint.sqlite;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Thrown if another process locked the file for longer than the busy timeout. Nothing was written,
 * and repeating the call is safe.
 */
public final class SqliteBusyException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  SqliteBusyException(Path path, String doing, Duration waited, Throwable cause) {
    super(
        new Problem(
            "SG-461",
            "Another process locked the file for more than " + waited.toMillis() + " ms.",
            doing + ", file " + path.getFileName(),
            "Check other processes for a backup, a VACUUM or an open transaction, or raise"
                + " SqliteDatabase.builder(...).busyTimeout(...), then call thread.resume()."),
        cause);
  }
}
