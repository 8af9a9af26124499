package io.superstep.reactor;

import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.event.GraphEvent;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Operators;
import reactor.core.publisher.SignalType;
import reactor.util.context.Context;

/** One run that nobody has to listen to: it takes whatever comes, and keeps none of it. */
final class DetachedRun extends BaseSubscriber<GraphEvent> {

  private final String thread;
  private final Context context;
  private final boolean isAwaited;
  private final boolean isLogged;
  private final Consumer<DetachedRun> whenOver;
  private final Stop stop = new Stop();
  private final CompletableFuture<Long> started = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /** One that nobody waits for to begin. */
  DetachedRun(String thread, boolean isLogged, Consumer<DetachedRun> whenOver) {
    this(thread, Context.empty(), false, isLogged, whenOver);
  }

  /** @param whenOver told when the run has ended */
  DetachedRun(String thread, Context context, boolean isLogged, Consumer<DetachedRun> whenOver) {
    this(thread, context, true, isLogged, whenOver);
  }

  private DetachedRun(
      String thread,
      Context context,
      boolean isAwaited,
      boolean isLogged,
      Consumer<DetachedRun> whenOver) {
    this.isAwaited = isAwaited;
    this.thread = thread;
    this.context = context;
    this.isLogged = isLogged;
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

  /** A run that fails later has told so in its log; where there is none, nobody would know. */
  @Override
  protected void hookOnError(Throwable carried) {
    Throwable error = CarriedError.unwrap(carried);
    boolean isTold = started.completeExceptionally(error)
        ? isAwaited
            || error instanceof ThreadBusyException
            || error instanceof RunnerClosedException
        : isLogged;
    if (!isTold) {
      Operators.onErrorDropped(error, context);
    }
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
