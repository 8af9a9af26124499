package io.superstep.checkpoint.redis;

import io.superstep.checkpoint.CheckpointId;
import java.util.Arrays;

/** A checkpoint as it stands in the log: its line, and what the codec wrote. */
final class StoredEntry {

  private final Line line;
  private final byte[] bytes;
  private final int body;

  StoredEntry(Line line, byte[] bytes, int body) {
    this.line = line;
    this.bytes = bytes;
    this.body = body;
  }

  CheckpointId id() {
    return line.id();
  }

  Line line() {
    return line;
  }

  byte[] body() {
    return Arrays.copyOfRange(bytes, body, bytes.length);
  }
}
