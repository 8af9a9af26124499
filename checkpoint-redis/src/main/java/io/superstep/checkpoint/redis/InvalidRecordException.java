package io.superstep.checkpoint.redis;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import org.jspecify.annotations.Nullable;

/**
 * A record in Redis is damaged or was written in an unknown format, or a record cannot be encoded.
 * The message names the place and never quotes stored bytes.
 */
public final class InvalidRecordException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private static final String RESTORE =
      "Restore the keys of the place from a backup. A thread can be exported as it is with"
          + " CheckpointStore.export and removed with delete; a memory item can be overwritten or"
          + " deleted.";

  private InvalidRecordException(Problem problem, @Nullable Throwable cause) {
    super(problem, cause);
  }

  /**
   * A frame, which the store writes around encoded documents, is damaged.
   *
   * @param where the place, such as {@code thread 't', checkpoint 3}
   * @param problem the end of a sentence, such as {@code the time is not a number}
   */
  static InvalidRecordException frame(String where, String problem) {
    return new InvalidRecordException(
        new Problem("SG-302", "Stored record is invalid: " + problem + ".", where, RESTORE), null);
  }

  /** A codec, a module or a stage failed while it decoded a record. */
  static InvalidRecordException undecodable(String where, Throwable cause) {
    return new InvalidRecordException(
        new Problem(
            "SG-302",
            "Stored record cannot be decoded: " + cause.getClass().getName() + " was thrown.",
            where,
            "See the cause. If a stage or a module threw it, configure the one that wrote the"
                + " record. "
                + RESTORE),
        cause);
  }

  /** A script failed on the values that it found. */
  static InvalidRecordException script(String where, Throwable cause) {
    return new InvalidRecordException(
        new Problem(
            "SG-302",
            "Stored record is invalid: a script cannot process its fields.",
            where,
            RESTORE),
        cause);
  }

  /** A codec, a module or a stage threw an error while it encoded a record. */
  static InvalidRecordException unwritable(String where, Error cause) {
    return new InvalidRecordException(
        new Problem(
            "SG-301",
            "A record cannot be encoded: " + cause.getClass().getName() + " was thrown.",
            where,
            "See the cause; a module or a stage of the store threw it. Nothing was written."),
        cause);
  }
}
