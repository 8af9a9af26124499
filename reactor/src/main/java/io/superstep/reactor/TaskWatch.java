package io.superstep.reactor;

import io.superstep.reactor.Watch.Scope;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * What an observer sees of one task: the task itself and the attempt it is at. Attempts begin and
 * fail on any JVM thread, also when the task has just been cancelled on another: each that was
 * begun is ended once.
 */
final class TaskWatch {

  static final TaskWatch NOBODY = new TaskWatch(null, null);

  private final Stage.@Nullable Task stage;
  private final @Nullable GuardedWatch task;

  /** The task itself between two attempts and once a handler speaks; null when all has ended. */
  private final AtomicReference<@Nullable GuardedWatch> current;

  private TaskWatch(Stage.@Nullable Task stage, @Nullable GuardedWatch task) {
    this.stage = stage;
    this.task = task;
    this.current = new AtomicReference<>(task);
  }

  static TaskWatch begin(GuardedWatch step, Stage.Task stage) {
    return new TaskWatch(stage, step.begin(stage));
  }

  void beginAttempt(int number) {
    if (task != null && stage != null && inside() != null) {
      GuardedWatch attempt = task.begin(new Stage.Attempt(stage.run(), stage.task(), number));
      if (!current.compareAndSet(task, attempt)) {
        attempt.end(Ending.CANCELLED, null);
      }
    }
  }

  void failAttempt(Throwable error) {
    GuardedWatch attempt = inside();
    if (attempt != null && attempt != task && current.compareAndSet(attempt, task)) {
      attempt.end(Ending.FAILED, error);
    }
  }

  /** Reports that the task has signalled nothing for long; from any JVM thread. */
  void stalled(Duration silence) {
    GuardedWatch inside = inside();
    if (task != null && inside != null) {
      task.stalled(silence);
    }
  }

  /** What {@code publisher} emits, seeing the context of the attempt, or of the handled task. */
  Publisher<?> lend(Publisher<?> publisher) {
    GuardedWatch inside = inside();
    return inside == null ? publisher : Flux.from(publisher).contextWrite(inside::lend);
  }

  /** To be left by {@link #leave}. */
  @Nullable
  Scope enter() {
    GuardedWatch inside = inside();
    return inside == null ? null : inside.enter();
  }

  static void leave(@Nullable Scope scope) {
    if (scope != null) {
      scope.close();
    }
  }

  /** Ends the task, with the attempt it was at; the first time counts. */
  void end(Ending ending, @Nullable Throwable error) {
    if (task == null) {
      return;
    }
    GuardedWatch last = current.getAndSet(null);
    if (last != null) {
      if (last != task) {
        last.end(ending, error);
      }
      task.end(ending, error);
    }
  }

  private @Nullable GuardedWatch inside() {
    return task == null ? null : current.get(); // all runs share NOBODY: let it not be contended
  }
}
