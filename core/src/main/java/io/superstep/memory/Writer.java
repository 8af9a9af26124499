package io.superstep.memory;

import org.jspecify.annotations.Nullable;

/**
 * Who wrote an item: a checkpoint of a thread. It may have been removed since.
 *
 * @param sequence the place of the checkpoint in its thread, from 1
 * @param fence the token of the lease under which it was committed, from 1
 */
public record Writer(String thread, long sequence, long fence) {

  public Writer {
    if (sequence < 1 || fence < 1) {
      throw new IllegalArgumentException("The sequence and the fence of a writer must be"
          + " positive, and were " + sequence + " and " + fence + ".");
    }
  }

  /**
   * Whether this was committed after {@code earlier}, which is of the same thread or null.
   *
   * <p>The fence comes first. A thread that was removed and begun anew counts its checkpoints from
   * 1 again, but no fence is ever used again.
   */
  public boolean isAfter(@Nullable Writer earlier) {
    return earlier == null
        || fence > earlier.fence
        || (fence == earlier.fence && sequence > earlier.sequence);
  }
}
