package io.superstep.reactor;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Hears a node, or its handler, and passes each word on to the loop.
 *
 * <p>It asks for as much as the loop wants to have in hand, and for one more whenever one has been
 * delivered. What breaks the rules of Reactive Streams is contained here: words after the last one,
 * or after a cancellation, are not heard.
 */
final class TaskEar implements CoreSubscriber<Object> {

  private static final AtomicReferenceFieldUpdater<TaskEar, @Nullable Subscription> UPSTREAM =
      AtomicReferenceFieldUpdater.newUpdater(TaskEar.class, Subscription.class, "upstream");

  private final TaskRun task;
  private final SuperstepLoop loop;
  private final int inHand;

  @SuppressWarnings("unused") // by UPSTREAM
  private volatile @Nullable Subscription upstream;

  private volatile boolean deaf;

  TaskEar(TaskRun task, SuperstepLoop loop, int inHand) {
    this.task = task;
    this.loop = loop;
    this.inHand = inHand;
  }

  TaskRun task() {
    return task;
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    if (Operators.setOnce(UPSTREAM, this, subscription)) {
      subscription.request(inHand);
    }
  }

  @Override
  public void onNext(Object output) {
    if (deaf) {
      return;
    }
    Object checked;
    try {
      checked = task.checked(output);
    } catch (RuntimeException refused) {
      cancel();
      loop.signal(new TaskSignal.Ended(this, refused));
      return;
    }
    loop.signal(new TaskSignal.Emitted(this, task.attempt(), checked));
  }

  @Override
  public void onError(@Nullable Throwable error) {
    end(error == null ? InvalidOutputException.noError(task.node()) : error);
  }

  @Override
  public void onComplete() {
    end(null);
  }

  private void end(@Nullable Throwable error) {
    if (!deaf) {
      deaf = true;
      UPSTREAM.set(this, Operators.cancelledSubscription()); // nothing is left to cancel
      loop.signal(new TaskSignal.Ended(this, error));
    }
  }

  /** Asks for one more when what was announced so far has been delivered. */
  void replenishWhenDelivered() {
    loop.whenDelivered(this::replenish);
  }

  private void replenish() {
    Subscription subscription = upstream;
    if (subscription != null && !deaf) {
      try {
        subscription.request(1);
      } catch (Throwable failure) {
        Exceptions.throwIfJvmFatal(failure);
        cancel();
        loop.signal(new TaskSignal.Ended(this, failure));
      }
    }
  }

  void cancel() {
    deaf = true;
    try {
      Operators.terminate(UPSTREAM, this);
    } catch (Throwable failure) {
      Exceptions.throwIfJvmFatal(failure);
      Operators.onErrorDropped(failure, currentContext());
    }
  }

  /** Nodes see the context of whoever subscribed to the run. */
  @Override
  public Context currentContext() {
    return loop.subscriber().currentContext();
  }
}
