package io.superstep.reactor;

/**
 * When a run on a thread writes down what it does. In every mode steps are written in order, a save
 * that fails fails the run, and a run that ends has written all.
 */
public enum Durability {
  /** Before it is told. A crash loses nothing that anybody was told of. */
  SYNC,
  /**
   * Beside the run, which is at most a few writes ahead. A crash loses those: what was told of them
   * may happen again. {@link io.superstep.event.GraphEvent.CheckpointSaved} tells what is safe.
   */
  ASYNC,
  /**
   * When the run ends, however it ends, waits for somebody to ask for more, or is about to act
   * outside. A crash loses what it did since: the thread stands where it stood. Until then all
   * steps are kept in memory.
   */
  EXIT
}
