package io.superstep.reactor;

import io.superstep.reactor.Watch.Scope;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** A watch that cannot harm the run it looks at: what it throws is dropped. */
final class GuardedWatch {

  private final @Nullable Watch watch;
  private final Context context;

  private GuardedWatch(@Nullable Watch watch, Context context) {
    this.watch = watch;
    this.context = context;
  }

  /** Lets {@code observer} look at {@code stage}, unless it throws. */
  static GuardedWatch begin(RunObserver observer, Stage stage, Context context) {
    try {
      return new GuardedWatch(Objects.requireNonNull(observer.begin(stage), "watch"), context);
    } catch (Throwable failure) {
      drop(failure, context);
      return new GuardedWatch(null, context);
    }
  }

  GuardedWatch begin(Stage stage) {
    return watch == null ? this : begin(watch, stage, context);
  }

  void end(Ending ending, @Nullable Throwable error) {
    if (watch != null) {
      try {
        watch.end(ending, error);
      } catch (Throwable failure) {
        drop(failure, context);
      }
    }
  }

  void stalled(Duration silence) {
    if (watch != null) {
      try {
        watch.stalled(silence);
      } catch (Throwable failure) {
        drop(failure, context);
      }
    }
  }

  Context lend(Context seen) {
    if (watch != null) {
      try {
        return Objects.requireNonNull(watch.lend(seen), "context");
      } catch (Throwable failure) {
        drop(failure, context);
      }
    }
    return seen;
  }

  @Nullable
  Scope enter() {
    if (watch != null) {
      try {
        return guarded(watch.enter());
      } catch (Throwable failure) {
        drop(failure, context);
      }
    }
    return null;
  }

  private Scope guarded(Scope scope) {
    Objects.requireNonNull(scope, "scope");
    return () -> {
      try {
        scope.close();
      } catch (Throwable failure) {
        drop(failure, context);
      }
    };
  }

  private static void drop(Throwable failure, Context context) {
    Operators.onErrorDropped(failure, context);
  }
}
