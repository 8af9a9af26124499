package io.superstep.checkpoint.redis;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Thrown if a record exceeds the maximum size of a Redis value; nothing was written. */
public final class EntryTooLargeException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  EntryTooLargeException(String what, String thread, long size, long most) {
    super(
        new Problem(
            "SG-458",
            what + " takes " + size + " bytes, and the limit is " + most + ".",
            "thread '" + thread + "'",
            "Store large values elsewhere and their address in the state, compress with"
                + " RedisCheckpointStore.builder(redis).stage(...), or raise maxEntrySize(...) up to"
                + " 512 MB."),
        null);
  }
}
