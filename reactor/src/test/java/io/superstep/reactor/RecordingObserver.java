package io.superstep.reactor;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/** Writes down what it is told, lends its stage to the context, and marks the threads it enters. */
final class RecordingObserver implements RunObserver {

  static final String KEY = "stage";

  private static final ThreadLocal<@Nullable String> INSIDE = new ThreadLocal<>();

  private final List<String> told = new ArrayList<>();
  private final List<String> begun = new ArrayList<>();
  private final List<String> ended = new ArrayList<>();
  private Consumer<Stage> meddler = stage -> {};
  private int open;

  /** The stage that was entered on this JVM thread. */
  static String here() {
    return String.valueOf(INSIDE.get());
  }

  /** The stage whose context is seen. */
  static Mono<String> lent() {
    return Mono.deferContextual(context -> Mono.just(context.getOrDefault(KEY, "nobody")));
  }

  synchronized List<String> told() {
    return List.copyOf(told);
  }

  synchronized List<String> begun() {
    return List.copyOf(begun);
  }

  synchronized List<String> ended() {
    return List.copyOf(ended);
  }

  /** How many scopes are open. */
  synchronized int open() {
    return open;
  }

  /** Calls {@code other} before each stage that it is told of. */
  void meddling(Consumer<Stage> other) {
    meddler = other;
  }

  @Override
  public synchronized Watch begin(Stage stage) {
    meddler.accept(stage);
    String name = name(stage);
    told.add(name);
    begun.add(name);
    return new Recording(name);
  }

  private static String name(Stage stage) {
    String path = stage.run().path();
    if (stage instanceof Stage.Step step) {
      return path + "step " + step.number();
    }
    if (stage instanceof Stage.Task task) {
      return path + "task " + task.task().node();
    }
    if (stage instanceof Stage.Attempt attempt) {
      return path + "attempt " + attempt.task().node() + " " + attempt.number();
    }
    return path + "run " + stage.run().graph().name();
  }

  private final class Recording implements Watch {

    private final String name;

    Recording(String name) {
      this.name = name;
    }

    @Override
    public Watch begin(Stage inner) {
      return RecordingObserver.this.begin(inner);
    }

    @Override
    public Context lend(Context context) {
      return context.put(KEY, name);
    }

    @Override
    public Scope enter() {
      String before = INSIDE.get();
      Thread thread = Thread.currentThread();
      INSIDE.set(name);
      count(1);
      return () -> {
        if (thread == Thread.currentThread() && Objects.equals(INSIDE.get(), name)) {
          INSIDE.set(before);
          count(-1);
        }
      };
    }

    private void count(int more) {
      synchronized (RecordingObserver.this) {
        open += more;
      }
    }

    @Override
    public void end(Ending ending, @Nullable Throwable error) {
      synchronized (RecordingObserver.this) {
        told.add(
            name + " " + ending + (error == null ? "" : " " + error.getClass().getSimpleName()));
        ended.add(name);
      }
    }
  }
}
