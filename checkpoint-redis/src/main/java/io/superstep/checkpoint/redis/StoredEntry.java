package io.superstep.checkpoint.redis;

import io.superstep.checkpoint.CheckpointId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A checkpoint as it stands in the log: its line, and what the codec wrote. */
final class StoredEntry {

  private final Line line;
  private final byte[] bytes;
  private final int body;

  private StoredEntry(Line line, byte[] bytes, int body) {
    this.line = line;
    this.bytes = bytes;
    this.body = body;
  }

  /** Null if the checkpoint was removed. */
  static @Nullable StoredEntry read(byte[] bytes) {
    if (bytes.length == 0) {
      return null;
    }
    int end = 0;
    while (bytes[end] != '\n') {
      end++;
    }
    Line line = Line.parse(new String(bytes, 0, end, StandardCharsets.US_ASCII));
    return new StoredEntry(line, bytes, end + 1);
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
