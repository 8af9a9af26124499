package io.superstep.reactor;

import io.superstep.checkpoint.CheckpointId;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A thread as somebody sees it who has to approve something.
 *
 * @param checkpoint where it stands
 * @param node the node that runs next: the one to be approved, if that is due; null if none is
 * @param createdAt the time of the checkpoint
 * @param awaiting whether a decision is awaited
 * @param revisionCount how often the plan was revised; 0 if nobody counts
 * @param hasPlan whether there is something to approve
 * @param hasFinalReport whether the work is done
 * @param error what went wrong, in the words of the graph; null if nothing did
 * @param state by name, as far as the output view shows it
 */
public record ApprovalView(
    String thread,
    CheckpointId checkpoint,
    @Nullable String node,
    Instant createdAt,
    boolean awaiting,
    int revisionCount,
    boolean hasPlan,
    boolean hasFinalReport,
    @Nullable String error,
    Map<String, @Nullable Object> state) {

  public ApprovalView {
    state = Collections.unmodifiableMap(new LinkedHashMap<>(state));
  }

  /** Where the thread stands, and the names of the channels, without their values. */
  @Override
  public String toString() {
    return "ApprovalView[thread=" + thread + ", checkpoint=" + checkpoint + ", node=" + node
        + ", awaiting=" + awaiting + ", state=" + state.keySet() + "]";
  }
}
