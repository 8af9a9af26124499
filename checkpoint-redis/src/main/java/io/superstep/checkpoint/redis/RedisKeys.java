package io.superstep.checkpoint.redis;

import java.util.List;

/**
 * The names of our keys. All that is written together shares a hash tag, so that it lies on one
 * node of a cluster.
 *
 * <p>The tag of a thread is {@code t:} and its id, in which whatever could be taken for the end of
 * a tag is escaped: ids may have any characters, or none.
 */
final class RedisKeys {

  private final String prefix;

  RedisKeys(String prefix) {
    if (prefix.isEmpty() || prefix.indexOf('{') >= 0 || prefix.indexOf('}') >= 0) {
      throw new IllegalArgumentException(
          "The key prefix must have at least one character and no braces, and was '" + prefix
              + "'.");
    }
    this.prefix = prefix;
  }

  /** The keys of a thread, in the order in which the scripts expect them. */
  List<String> thread(String id) {
    String start = prefix + ":{t:" + ThreadNames.escaped(id) + "}:";
    return List.of(
        start + "meta",
        start + "log",
        start + "snapshot",
        start + "notes",
        start + "left",
        start + "queue",
        start + "taken");
  }

  /** The keys that name the threads there are, and the last fence that was given out. */
  List<String> index() {
    String start = prefix + ":{index}:";
    return List.of(start + "number", start + "live", start + "done", start + "expiry");
  }

  /** The keys of all that is remembered, in the order in which the scripts expect them. */
  List<String> memory() {
    String start = prefix + ":{memory}:";
    return List.of(start + "items", start + "order", start + "expiry", start + "markers");
  }

  /** The keys of what a thread has told, in the order in which the scripts expect them. */
  List<String> events(String id) {
    String start = prefix + ":{t:" + ThreadNames.escaped(id) + "}:";
    return List.of(
        start + "events", start + "told", start + "frames", start + "chunks", start + "over");
  }
}
