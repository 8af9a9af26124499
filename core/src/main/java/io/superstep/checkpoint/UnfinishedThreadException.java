package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collection;

/** A thread was given an input while it still has work to do; nothing was written. */
public final class UnfinishedThreadException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  public UnfinishedThreadException(String thread, CheckpointId head, Collection<String> due) {
    super(
        new Problem(
            "SG-407",
            "The thread has work to do, " + due + ", and cannot take another input before.",
            "thread '" + thread + "', checkpoint " + head,
            "Resume it first, or take it back to a checkpoint where nothing was due."),
        null);
  }
}
