package io.superstep.checkpoint;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What of a thread is kept when it is pruned.
 *
 * <p>A thread is a log, and pruning cuts off its beginning: from the first checkpoint that is to be
 * kept all that was written later stays, on whichever branch it is. So the head always stays. What
 * has lost its parent becomes a base, whose changes lead from the start of the schema to its whole
 * state.
 *
 * <p>What one of the rules keeps is kept. Without {@code last} and {@code young} all checkpoints
 * are, and another rule that keeps some of them changes nothing; without {@code done} all threads
 * are kept.
 *
 * @param last how many checkpoints are kept however old they are, counted back from the head in the
 *     order in which they were written; null if their number does not matter
 * @param young how old a checkpoint is that is kept however many there are; null if its age does
 *     not matter
 * @param done how long after its last checkpoint a thread that is done is kept; null for ever. A
 *     thread that runs, waits, has failed or has work to do is always kept.
 */
public record Retention(
    @Nullable Integer last,
    @Nullable Duration young,
    @Nullable Duration done) {

  /** Keeps everything. */
  public static final Retention ALL = new Retention(null, null, null);

  public Retention {
    if (last != null && last < 1) {
      throw new IllegalArgumentException("last must be at least 1, and was " + last + ".");
    }
    requirePositive("young", young);
    requirePositive("done", done);
  }

  private static void requirePositive(String name, @Nullable Duration time) {
    if (time != null && (time.isZero() || time.isNegative())) {
      throw new IllegalArgumentException(name + " must be positive, and was " + time + ".");
    }
  }

  /** Keeps the last {@code checkpoints} of a thread. */
  public static Retention last(int checkpoints) {
    return new Retention(checkpoints, null, null);
  }

  /** Keeps the checkpoints of a thread that are not older than {@code age}, and its head. */
  public static Retention youngerThan(Duration age) {
    return new Retention(null, age, null);
  }

  /** Keeps threads that are done for {@code time} after their last checkpoint, and all others. */
  public static Retention doneFor(Duration time) {
    return new Retention(null, null, time);
  }

  /** Keeps what this does, and the last {@code checkpoints} too, however old they are. */
  public Retention orLast(int checkpoints) {
    Retention other = last(checkpoints);
    boolean more = !keepsAll() && (last == null || checkpoints > last);
    return more ? new Retention(other.last, young, done) : this;
  }

  /**
   * Keeps what this does, and checkpoints that are not older than {@code age} too, however many
   * there are.
   */
  public Retention orYoungerThan(Duration age) {
    Retention other = youngerThan(age);
    boolean more = !keepsAll() && (young == null || age.compareTo(young) > 0);
    return more ? new Retention(last, other.young, done) : this;
  }

  /** Lets a thread that is done go as a whole, {@code time} after its last checkpoint. */
  public Retention andDoneFor(Duration time) {
    return new Retention(last, young, time);
  }

  /**
   * Whether a checkpoint of {@code time} is to be kept, {@code later} others of its thread having
   * been written after it.
   */
  public boolean keeps(long later, Instant time, Instant now) {
    return keepsAll() || later == 0 || (last != null && later < last) || isWithin(young, time, now);
  }

  private boolean keepsAll() {
    return last == null && young == null;
  }

  /**
   * Returns whether a thread is removed as a whole.
   *
   * @param time the time of its last checkpoint; null if it is unknown, and then the thread is kept
   */
  public boolean forgets(ThreadStatus status, @Nullable Instant time, Instant now) {
    return done != null
        && status == ThreadStatus.DONE
        && time != null
        && !isWithin(done, time, now);
  }

  private static boolean isWithin(@Nullable Duration span, Instant time, Instant now) {
    return span != null && Duration.between(time, now).compareTo(span) <= 0;
  }
}
