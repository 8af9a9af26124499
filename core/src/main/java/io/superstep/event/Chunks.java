package io.superstep.event;

/**
 * Which {@linkplain GraphEvent.Provisional provisional} events a follower gets beside the facts.
 */
public enum Chunks {

  /** None: facts only. */
  NONE,

  /** Those that are appended from when the follower has caught up with the facts. */
  FROM_NOW_ON,

  /**
   * Those too that tasks which are still running have told so far, also before the cursor. The
   * oldest of them may be gone; {@link GraphEvent.TaskChunk#index} tells.
   */
  SO_FAR
}
