package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;

/** Thrown if the target of a copy is an existing thread; nothing was written. */
public final class ThreadExistsException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  public ThreadExistsException(String thread, CheckpointId head) {
    super(
        new Problem(
            "SG-409",
            "Thread '" + thread + "' already exists, and cannot be the target of a copy.",
            "thread '" + thread + "', checkpoint " + head,
            "Copy to another thread id, or delete the thread first with runner.thread(id).delete()."),
        null);
  }
}
