package io.superstep.reactor;

import io.superstep.checkpoint.Checkpoint.Credit;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.memory.MemoryWrite;
import io.superstep.step.StepResult.Committed;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Writes down what the graph inside a task does, as something that is known of the task: until that
 * ends, nothing of it belongs to the line of steps around it.
 */
final class TaskJournal implements Journal {

  private final Journal around;
  private final NestedRun nested;
  private final Task task;
  private final int attempt;

  TaskJournal(Journal around, NestedRun nested, Task task, int attempt) {
    this.around = around;
    this.nested = nested;
    this.task = task;
    this.attempt = attempt;
  }

  @Override
  public long fence() {
    return around.fence();
  }

  @Override
  public Memory memoryOf(Task inside) {
    return around.memoryOf(inside);
  }

  @Override
  public Mono<Void> record(List<TaskNote> notes) {
    return around.record(notes);
  }

  @Override
  public Mono<Void> intend(List<TaskNote> intents) {
    return around.intend(intents);
  }

  @Override
  public boolean isDoubtfulInside(Task inside) {
    return around.isDoubtfulInside(inside);
  }

  @Override
  public void settle(Task inside) {
    around.settle(inside);
  }

  @Override
  public void requireMemorable(String node, List<MemoryWrite> memories) {
    around.requireMemorable(node, memories);
  }

  /** What is to be remembered is part of what the task will say. */
  @Override
  public Mono<Void> commit(
      Instant time, Committed committed, List<Credit> credits, List<MemoryWrite> memories) {
    return record(List.of(new TaskNote.Advanced(
        task,
        attempt,
        committed.changes(),
        committed.position(),
        Journal.said(nested.lastSaid()))));
  }

  @Override
  public List<TaskNote.Asked> openQuestions() {
    String inside = task.id() + "/";
    return around.openQuestions().stream()
        .filter(question -> question.task().id().startsWith(inside))
        .toList();
  }

  @Override
  public @Nullable Commit turn() {
    settle(task);
    return null; // the step around is still the same
  }

  @Override
  public Journal inside(NestedRun deeper, Task inside, int tried) {
    return new TaskJournal(around, deeper, inside, tried);
  }
}
