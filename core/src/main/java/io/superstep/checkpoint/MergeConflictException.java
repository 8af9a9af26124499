package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.List;

/** Thrown if two branches changed a channel in different ways; nothing was written. */
public final class MergeConflictException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String[] channels;

  /** @param base the common ancestor of {@code head} and {@code other} */
  public MergeConflictException(
      String thread,
      CheckpointId head,
      CheckpointId other,
      CheckpointId base,
      List<String> channels) {
    super(
        headline("The branches cannot be merged", channels),
        channels.stream()
            .map(channel -> problem(thread, head, other, base, channel))
            .toList());
    this.channels = channels.toArray(String[]::new);
  }

  private static Problem problem(
      String thread, CheckpointId head, CheckpointId other, CheckpointId base, String channel) {
    return new Problem(
        "SG-410",
        "Both branches changed channel '" + channel + "' since checkpoint " + base
            + ", in different ways.",
        "channel '" + channel + "', thread '" + thread + "', checkpoints " + head + " and " + other,
        "Choose a side with thread.merge(other, Map.of(\"" + channel
            + "\", Winner.OURS), ...), or write the same value on both sides with"
            + " thread.update(...) first.");
  }

  /** Returns the conflicting channels, in the order of the schema. */
  public List<String> channels() {
    return List.of(channels);
  }
}
