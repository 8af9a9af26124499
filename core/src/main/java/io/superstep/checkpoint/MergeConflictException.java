package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.List;

/** Two branches changed the same in different ways; nothing was written. */
public final class MergeConflictException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String[] channels;

  /** @param base where the branches that end in {@code head} and {@code other} parted */
  public MergeConflictException(
      String thread,
      CheckpointId head,
      CheckpointId other,
      CheckpointId base,
      List<String> channels) {
    super(
        "The branches cannot be merged: " + channels.size() + " channel(s) in conflict.",
        channels.stream()
            .map(channel -> problem(thread, head, other, base, channel))
            .toList());
    this.channels = channels.toArray(String[]::new);
  }

  private static Problem problem(
      String thread, CheckpointId head, CheckpointId other, CheckpointId base, String channel) {
    return new Problem(
        "SG-410",
        "Both branches have changed the channel since " + base + ", in different ways.",
        "channel '" + channel + "', thread '" + thread + "', checkpoints " + head + " and " + other,
        "Say which side wins the channel, or make both hold the same first.");
  }

  /** The channels in conflict, in the order of the schema. */
  public List<String> channels() {
    return List.of(channels);
  }
}
