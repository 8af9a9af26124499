package io.superstep.reactor;

/** How a {@link Stage} ended. */
public enum Ending {
  /** It did all it had to do; of a step: it was committed. */
  COMPLETED,
  /** An error ended it; of a task: its handler did not help. */
  FAILED,
  /** Nobody waits for it any more. */
  CANCELLED,
  /** The run waits for somebody. */
  INTERRUPTED,
  /** The run was asked to stop. */
  STOPPED
}
