package io.superstep.reactor;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.TaskNote;
import java.util.List;
import reactor.core.publisher.Mono;

/** Brings what a run has to say to the log of its thread. */
interface LogWriter {

  /** Takes a checkpoint; done when the run may go on. */
  Mono<Void> commit(Commit commit);

  /** Takes what is known of tasks that are due at {@code head}; done when the run may go on. */
  Mono<Void> record(CheckpointId head, List<TaskNote> notes);

  /** As {@link #record}, and done when it is written. */
  Mono<Void> force(CheckpointId head, List<TaskNote> notes);

  /** Done when all that was taken so far is written. */
  Mono<Void> flush();

  /** Whether what was taken is written when the run may go on. */
  boolean isSafe();

  /** Tells {@code loop} what becomes of what was taken, where that is not known at once. */
  void reportTo(SuperstepLoop loop);
}
