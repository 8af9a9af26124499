package io.superstep.checkpoint.redis;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Descent;
import io.superstep.checkpoint.LogEntry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The first line of a checkpoint in the log: what scripts, and whoever prunes, have to know of it.
 *
 * @param parent null if it is a base
 * @param merged the checkpoint that it has taken over, if it is a merge
 */
record Line(
    CheckpointId id,
    @Nullable CheckpointId parent,
    Instant time,
    @Nullable CheckpointId merged) {

  private static final String NONE = "-";

  static Line of(LogEntry entry) {
    return new Line(entry.id(), entry.parent(), entry.time(), Descent.Member.merged(entry.cause()));
  }

  /** Reads what {@link #toString} wrote. */
  static Line parse(String text) {
    String[] parts = text.split(" ", -1);
    return new Line(CheckpointId.parse(parts[0]), id(parts[1]), time(parts[2]), id(parts[3]));
  }

  private static @Nullable CheckpointId id(String text) {
    return text.equals(NONE) ? null : CheckpointId.parse(text);
  }

  static String text(Instant time) {
    return time.getEpochSecond() + "." + time.getNano();
  }

  static Instant time(String text) {
    int dot = text.indexOf('.');
    return Instant.ofEpochSecond(
        Long.parseLong(text, 0, dot, 10), Long.parseLong(text, dot + 1, text.length(), 10));
  }

  /** This line, and behind it {@code body}. */
  byte[] before(byte[] body) {
    byte[] line = (this + "\n").getBytes(StandardCharsets.US_ASCII);
    byte[] whole = new byte[line.length + body.length];
    System.arraycopy(line, 0, whole, 0, line.length);
    System.arraycopy(body, 0, whole, line.length, body.length);
    return whole;
  }

  @Override
  public String toString() {
    return id
        + " "
        + (parent == null ? NONE : parent)
        + " "
        + text(time)
        + " "
        + (merged == null ? NONE : merged);
  }
}
