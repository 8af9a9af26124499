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

  static String text(Instant time) {
    return time.getEpochSecond() + "." + time.getNano();
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
