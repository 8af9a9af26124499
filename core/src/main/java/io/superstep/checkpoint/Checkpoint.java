package io.superstep.checkpoint;

import io.superstep.question.Answer;
import io.superstep.state.Changes;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One committed place in the history of a thread, as far as it can be told without its state: it
 * names what changed.
 *
 * @param parent the checkpoint it grew out of; null if it is the first of its thread, or a base
 *     that pruning left, whose changes start from the start of the schema
 * @param time when its step began; nothing is ever ordered by it
 * @param fingerprint of the graph that wrote it
 * @param step how many steps its turn has taken
 * @param due what runs next, deferred nodes included where nothing else does
 * @param credits who had a part in it
 */
public record Checkpoint(
    String thread,
    CheckpointId id,
    @Nullable CheckpointId parent,
    Cause cause,
    Instant time,
    String fingerprint,
    int step,
    List<Due> due,
    Changes changes,
    List<Credit> credits) {

  public Checkpoint {
    due = List.copyOf(due);
    credits = List.copyOf(credits);
  }

  /**
   * A task that had a part in a checkpoint.
   *
   * @param attempt the attempt that counted; the first is 1
   * @param answers what it and the tasks inside it were answered
   */
  public record Credit(Task task, int attempt, List<Answer> answers) {

    public Credit {
      answers = List.copyOf(answers);
    }

    /** A task that asked nobody. */
    public Credit(Task task, int attempt) {
      this(task, attempt, List.of());
    }
  }
}
