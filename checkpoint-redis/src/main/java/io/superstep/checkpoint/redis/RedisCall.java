package io.superstep.checkpoint.redis;

/** What Redis is asked for, as far as it is worth measuring. */
public enum RedisCall {
  /** A checkpoint is written. */
  COMMIT,
  /** What is known of tasks is written. */
  RECORD,
  /** A thread is loaded, whatever the number of its pages. */
  LOAD,
  /** Somebody begins to follow the events of a thread: until the first page is there. */
  ATTACH
}
