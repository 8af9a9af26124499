package io.superstep.checkpoint.sqlite;

/** What a commit has to survive before it counts. */
public enum Synchronous {
  /**
   * That the machine loses its power: SQLite waits for the disk at every commit. Those of many
   * threads wait together.
   */
  FULL,
  /**
   * That the process is killed. If the machine goes down, the last commits may be gone, always the
   * last ones and each as a whole; SQLite waits for the disk only now and then.
   */
  NORMAL
}
