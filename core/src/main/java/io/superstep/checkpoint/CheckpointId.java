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

  /** The digits of the largest long. */
  private static final int MAX_DIGITS = 19;

  public CheckpointId {
    if (sequence < 1 || fence < 1) {
      throw new IllegalArgumentException("The sequence and the fence of a checkpoint id must be"
          + " positive, and were " + sequence + " and " + fence + ".");
    }
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * <p>Accepts that form only: two positive numbers in ASCII digits, without a sign or a leading
   * zero.
   *
   * @throws InvalidCheckpointIdException if {@code text} is something else
   */
  public static CheckpointId parse(String text) {
    int dash = text.indexOf('-');
    long sequence = number(text, 0, dash);
    long fence = number(text, dash + 1, text.length());
    if (sequence < 1 || fence < 1) {
      throw new InvalidCheckpointIdException(text);
    }
    return new CheckpointId(sequence, fence);
  }

  /** The number between two positions; 0 if there is none, or it is not in its canonical form. */
  private static long number(String text, int from, int to) {
    if (to <= from || to - from > MAX_DIGITS || text.charAt(from) == '0') {
      return 0;
    }
    long number = 0;
    for (int at = from; at < to; at++) {
      int digit = text.charAt(at) - '0'; // Character.digit knows those of other scripts, too
      if (digit < 0 || digit > 9 || number > (Long.MAX_VALUE - digit) / 10) {
        return 0;
      }
      number = number * 10 + digit;
    }
    return number;
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
