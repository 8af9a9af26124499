package io.superstep.reactor;

import io.superstep.checkpoint.Checkpoint.Credit;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Said;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Command;
import io.superstep.graph.Send;
import io.superstep.memory.InvalidMemoryException;
import io.superstep.memory.MemoryWrite;
import io.superstep.step.StepResult.Committed;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What one run writes down, and what earlier runs wrote about the step it begins with. For what a
 * nested run does not do, the run around it does.
 */
interface Journal {

  /** The fencing token of the lease under which tasks that start now run. */
  long fence();

  /** What is known of {@code task} from earlier runs. */
  Memory memoryOf(Task task);

  /** Adds to what is known of the tasks of the step under way; from any JVM thread. */
  Mono<Void> record(List<TaskNote> notes);

  /** Writes down that tasks are about to act outside; done when that is written. */
  Mono<Void> intend(List<TaskNote> intents);

  /** Whether a task inside {@code task} acted outside, and nobody saw what came of it. */
  boolean isDoubtfulInside(Task task);

  /** Takes notice that the graph inside {@code task} has taken a step. */
  void settle(Task task);

  /**
   * Writes down that a step is committed; the journal goes on from it once told to {@link #turn}.
   */
  Mono<Void> commit(
      Instant time, Committed committed, List<Credit> credits, List<MemoryWrite> memories);

  /**
   * Looks at what a node wants remembered.
   *
   * @throws InvalidMemoryException if it cannot be, or nowhere
   */
  void requireMemorable(String node, List<MemoryWrite> memories);

  /**
   * Makes the checkpoint that was committed the head of this journal.
   *
   * @return the checkpoint; null inside a nested graph
   */
  @Nullable
  Commit turn();

  /**
   * Returns what to record where a step cannot be committed.
   *
   * @param task the task whose outcome is recorded last
   * @return empty if the task around the graph records it
   */
  default List<TaskNote> commitFailure(Task task, int attempt, Throwable error) {
    return List.of();
  }

  /** Whether a checkpoint is durable when the run continues after it. */
  default boolean isSafe() {
    return false;
  }

  /** The head of the thread; null inside a nested graph. */
  default @Nullable CheckpointId head() {
    return null;
  }

  /** The questions of the step under way that wait for an answer, as far as this run knows. */
  List<TaskNote.Asked> openQuestions();

  /**
   * Looks for answers that were recorded while other tasks ran, and emits whether a task of the
   * step under way can run again.
   */
  default Mono<Boolean> answered() {
    return Mono.just(false);
  }

  /** Marks the run as one that ends because questions are open. */
  default void waitForAnswers() {}

  /**
   * Releases the thread while the run waits for demand.
   *
   * @param undelivered the events that were not requested yet
   * @param failure with which the run ends behind them; null if it does not fail
   */
  default void rest(List<GraphEvent> undelivered, @Nullable Throwable failure) {}

  /** Returns whether the thread is released. */
  default boolean isResting() {
    return false;
  }

  /**
   * Acquires the thread again, with a higher fencing token; fails if another run has written to it.
   *
   * @param isAnswered whether the run is to use answers
   */
  default Mono<Void> returned(boolean isAnswered) {
    return Mono.empty();
  }

  /** Marks the thread as taken over by another run: no event of this run is stored any more. */
  default void takenOver() {}

  /** Done when all of it is written. */
  default Mono<Void> flush() {
    return Mono.empty();
  }

  /**
   * Ends the run.
   *
   * @param workIsLeft whether it was stopped before its work was done
   */
  default void end(boolean workIsLeft) {}

  /** Tells {@code loop} what becomes of what is written beside the run. */
  default void reportTo(SuperstepLoop loop) {}

  /** The journal of the graph inside {@code task}. */
  Journal inside(NestedRun nested, Task task, int attempt);

  /** {@code command} as it is written down. */
  static Said said(Command command) {
    return new Said(
        command.update(),
        command.goTo(),
        command.sends().isEmpty() ? List.of() : dues(command.sends()),
        command.parent(),
        command.memories());
  }

  private static List<Due> dues(List<Send> sends) {
    return sends.stream().map(send -> new Due(send.node(), send.arguments())).toList();
  }

  /** The command that was written down as {@code said}. */
  static Command command(Said said) {
    return new Command(
        said.update(),
        said.goTo(),
        said.sends().stream()
            .map(due -> Send.to(due.node(), Objects.requireNonNull(due.arguments())))
            .toList(),
        said.toParent(),
        said.memories());
  }
}
