package io.superstep.reactor;

import io.superstep.checkpoint.LeaseLost;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.event.GraphEvent;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.SignalType;
import reactor.util.context.Context;

/** One run that nobody has to listen to: it takes whatever comes, and keeps none of it. */
final class DetachedRun extends BaseSubscriber<GraphEvent> {

  private final String thread;
  private final Context context;
  private final boolean isAwaited;
  private final RunnerReports reports;
  private final Consumer<DetachedRun> whenOver;
  private final Stop stop = new Stop();
  private final CompletableFuture<Long> started = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** One that nobody waits for to begin. */
  DetachedRun(String thread, RunnerReports reports, Consumer<DetachedRun> whenOver) {
    this(thread, Context.empty(), false, reports, whenOver);
  }

  /** @param whenOver told when the run has ended */
  DetachedRun(
      String thread, Context context, RunnerReports reports, Consumer<DetachedRun> whenOver) {
    this(thread, context, true, reports, whenOver);
  }

  private DetachedRun(
      String thread,
      Context context,
      boolean isAwaited,
      RunnerReports reports,
      Consumer<DetachedRun> whenOver) {
    this.isAwaited = isAwaited;
    this.thread = thread;
    this.context = context;
    this.reports = reports;
    this.whenOver = whenOver;
  }

  String thread() {
    return thread;
  }

  Stop stop() {
    return stop;
  }

  /** Brings the number of the last fact before the run, once it has begun. */
  CompletableFuture<Long> started() {
    return started;
  }

  /** Completes when the run has ended, however that was. */
  CompletableFuture<Void> ended() {
    return ended;
  }

  /** Ends the run where it is. */
  String cutOff() {
    cancel();
    return thread;
  }

  @Override
  protected void hookOnNext(GraphEvent event) {
    if (!started.isDone()) {
      started.complete(event.sequence() - 1);
    }
  }

  @Override
  protected void hookOnError(Throwable carried) {
    Throwable error = CarriedError.unwrap(carried);
    boolean hasBegun = !started.completeExceptionally(error);
    if (!isReported(error, hasBegun)) {
      reports.detachedRunFailed(thread, error);
    }
  }

  /**
   * Returns whether a caller receives the error, the hold has reported it, or the run is left to
   * another runner.
   */
  private boolean isReported(Throwable error, boolean hasBegun) {
    boolean isLeft = hasBegun ? error instanceof LeaseLost : error instanceof ThreadBusyException;
    return isLeft || error instanceof RunnerClosedException || (isAwaited && !hasBegun);
  }

  @Override
  protected void hookFinally(SignalType how) {
    if (how == SignalType.CANCEL) {
      started.completeExceptionally(RunnerClosedException.closed());
    } else {
      started.complete(0L); // there was nothing to do
    }
    whenOver.accept(this);
    ended.complete(null);
  }

  @Override
  public Context currentContext() {
    return context;
  }
}
