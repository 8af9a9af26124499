package io.superstep.reactor;

import io.superstep.event.Chunks;

/** How far somebody has got with the events of a thread. Used by one JVM thread at a time. */
final class Bookmark {

  static final long NEVER = Long.MAX_VALUE;

  final Chunks chunks;

  /** The number of the last fact that was seen. */
  long cursor;

  /** The place of the provisional event that is looked at next. */
  long aside;

  /** The place from which on all provisional events are for its owner, who had caught up there. */
  long live = NEVER;

  /** How often the thread had been deleted when the cursor was one of it. */
  int age;

  Bookmark(long after, Chunks chunks) {
    this.cursor = after;
    this.chunks = chunks;
    this.aside = chunks == Chunks.SO_FAR ? 0 : NEVER;
  }
}
