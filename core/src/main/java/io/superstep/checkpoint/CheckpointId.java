package io.superstep.checkpoint;

import org.jspecify.annotations.Nullable;

/**
 * The name of a checkpoint within its thread: its place in the order in which the thread was
 * written, and the token of whoever wrote it. No clock has a part in it, and two writers never make
 * the same one.
 *
 * @param sequence from 1, without a gap; of two checkpoints the higher one was written later
 * @param fence the fencing token of the lease under which it was written
 */
public record CheckpointId(long sequence, long fence) implements Comparable<CheckpointId> {

  public CheckpointId {
    if (sequence < 1 || fence < 1) {
      throw new IllegalArgumentException("A checkpoint is <sequence>-<fence>, both from 1, and not "
          + sequence + "-" + fence + ".");
    }
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws IllegalArgumentException if {@code text} is something else
   */
  public static CheckpointId parse(String text) {
    int dash = text.indexOf('-');
    try {
      return new CheckpointId(
          Long.parseLong(text, 0, Math.max(dash, 0), 10),
          Long.parseLong(text, dash + 1, text.length(), 10));
    } catch (NumberFormatException malformed) {
      throw new IllegalArgumentException(
          "A checkpoint is <sequence>-<fence>, such as 12-1, and not '" + text + "'.", malformed);
    }
  }

  /** The first checkpoint of a thread, or the one after {@code last}, written under a lease. */
  public static CheckpointId after(@Nullable CheckpointId last, long fence) {
    return new CheckpointId(last == null ? 1 : last.sequence + 1, fence);
  }

  @Override
  public int compareTo(CheckpointId other) {
    int bySequence = Long.compare(sequence, other.sequence);
    return bySequence == 0 ? Long.compare(fence, other.fence) : bySequence;
  }

  @Override
  public String toString() {
    return sequence + "-" + fence;
  }
}
