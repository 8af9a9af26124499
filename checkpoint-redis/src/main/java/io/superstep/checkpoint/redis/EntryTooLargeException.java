package io.superstep.checkpoint.redis;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Something is larger than what is kept in one piece; nothing was written. */
public final class EntryTooLargeException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  EntryTooLargeException(String what, String thread, long size, long most) {
    super(
        new Problem(
            "SG-458",
            what + " takes " + size + " bytes, and at most " + most + " are kept in one piece.",
            "thread '" + thread + "'",
            "Keep large values elsewhere and their address in the state, compress with"
                + " stage(...), or raise maxEntrySize(...); Redis itself takes 512 MB."),
        null);
  }
}
