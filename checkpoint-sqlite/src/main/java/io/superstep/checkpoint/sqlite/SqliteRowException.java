package io.superstep.checkpoint.sqlite;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a stored row is missing, or its content is invalid. Other rows of the file are not
 * affected: other threads and items can be read and written, and the damaged thread can be exported
 * and deleted.
 */
public final class SqliteRowException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private static final int MAX_QUOTED = 100;

  private SqliteRowException(Problem problem, @Nullable Throwable cause) {
    super(problem, cause);
  }

  /** @param where the table and the row */
  static SqliteRowException invalid(String what, String where) {
    return invalid(what, where, null);
  }

  private static SqliteRowException invalid(String what, String where, @Nullable Throwable cause) {
    Problem problem = new Problem(
        "SG-302",
        what,
        where,
        "Restore the row from a backup of the file. A thread can be saved with export(...) and then"
            + " removed with delete(...); a memory item can be overwritten or removed.");
    return new SqliteRowException(problem, cause);
  }

  /** The codec, or a module or stage of the application, failed in an unexpected way. */
  static SqliteRowException undecodable(Throwable failure) {
    return invalid(
        "Stored data cannot be decoded: " + failure.getClass().getSimpleName() + ".",
        "the stored document",
        failure instanceof Error ? failure : stripped(failure));
  }

  /** Keeps the type and the stack trace; the message may quote stored data. */
  private static Throwable stripped(Throwable failure) {
    Throwable stripped = new IllegalStateException(failure.getClass().getName());
    stripped.setStackTrace(failure.getStackTrace());
    return stripped;
  }

  static SqliteRowException missingCheckpoint(ThreadRow row, long sequence) {
    return invalid(
        "Checkpoint " + sequence + " is missing, and later checkpoints depend on it.",
        "table 'checkpoint', thread " + quoted(row.name()));
  }

  static SqliteRowException invalidCheckpoint(String thread, long sequence, String what) {
    return invalid(what, "table 'checkpoint', thread " + quoted(thread) + ", sequence " + sequence);
  }

  /** @param last the number of the last event, according to the row of the log */
  static SqliteRowException missingEvent(String thread, long number, long last) {
    Problem problem = new Problem(
        "SG-310",
        "Event " + number + " is missing: the log ends with event " + last + ", and event " + number
            + " was not trimmed.",
        "table 'event', thread " + quoted(thread),
        "Restore the row from a backup of the file, or load the state of the thread and follow it"
            + " from cursor " + last + ".");
    return new SqliteRowException(problem, null);
  }

  /** Returns a name for a message: bounded, and without control characters. */
  static String quoted(String name) {
    StringBuilder quoted = new StringBuilder("'");
    name.codePoints()
        .limit(MAX_QUOTED)
        .map(code -> Character.isISOControl(code) ? '?' : code)
        .forEach(quoted::appendCodePoint);
    return quoted
        .append(name.codePointCount(0, name.length()) > MAX_QUOTED ? "…'" : "'")
        .toString();
  }
}
