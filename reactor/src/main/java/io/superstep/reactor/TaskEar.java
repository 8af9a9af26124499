package io.superstep.reactor;

import io.superstep.graph.Chunk;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Hears a node, or its handler, and passes each word on to the loop.
 *
 * <p>It asks for as much as the loop wants to have in hand, and for more whenever most of that has
 * been delivered; of a single one in hand, whenever it has. What breaks the rules of Reactive
 * Streams is contained here: words after the last one, or after a cancellation, are not heard.
 *
 * <p>Words come in from any JVM thread and wait while another one is inside the drain. A chunk that
 * comes while this ear asks for it, from inside the drain, need not wait: it is told at once,
 * unless anything else waits for the drain, which has to have its turn, or the subscriber is just
 * being told something. The word of a {@code Mono} is passed on with its end, which comes with it.
 */
final class TaskEar implements CoreSubscriber<Object>, Runnable {

  private static final AtomicReferenceFieldUpdater<TaskEar, @Nullable Subscription> UPSTREAM =
      AtomicReferenceFieldUpdater.newUpdater(TaskEar.class, Subscription.class, "upstream");

  private static final AtomicIntegerFieldUpdater<TaskEar> WAITING =
      AtomicIntegerFieldUpdater.newUpdater(TaskEar.class, "waiting");

  /**
   * What a Mono is asked for at least. One word of it is kept back; if it says more than one, the
   * others have to do to ask for more.
   */
  private static final int LEAST_OF_A_MONO = 4;

  private final TaskRun task;
  private final SuperstepLoop loop;
  private final int inHand;

  /** Whether the node has one word to say at most. */
  private final boolean isMono;

  /** What such a node has said last. */
  private @Nullable Object lastWord;

  @SuppressWarnings("unused") // by UPSTREAM
  private volatile @Nullable Subscription upstream;

  private volatile boolean deaf;

  /** How many words wait for the drain. */
  private volatile int waiting;

  /** How many words were delivered for which no others have been asked yet. */
  private int delivered;

  /** Who is inside the drain and asks; nobody but that JVM thread can find itself here. */
  private @Nullable Thread asking;

  /** Whether the node was heard to speak while it is asked: then it is asked when nothing waits. */
  private boolean speaksWhenAsked;

  TaskEar(TaskRun task, SuperstepLoop loop, int inHand, boolean isMono) {
    this.task = task;
    this.loop = loop;
    this.inHand = isMono ? Math.max(inHand, LEAST_OF_A_MONO) : inHand;
    this.isMono = isMono;
  }

  TaskRun task() {
    return task;
  }

  @Override
  public void onSubscribe(Subscription subscription) {
    if (Operators.setOnce(UPSTREAM, this, subscription)) {
      try {
        subscription.request(inHand);
      } catch (Throwable failure) {
        fail(failure);
      }
    }
  }

  @Override
  public void onNext(Object output) {
    if (deaf) {
      return;
    }
    Object checked;
    Instant time;
    try {
      checked = task.checked(output);
      if (isMono) {
        Object before = lastWord;
        lastWord = checked;
        if (before == null) {
          return;
        }
        checked = before; // it breaks the rules, and is heard all the same
      }
      time = task.time(checked);
    } catch (Throwable refused) {
      cancel();
      loop.signal(new TaskSignal.Ended(this, lastWord, refused));
      return;
    }
    if (asking == Thread.currentThread()) {
      speaksWhenAsked = true;
      if (checked instanceof Chunk chunk && waiting == 0 && loop.isQuiet()) {
        task.hearAtOnce(this, chunk, time);
        loop.whenDelivered(this);
        return;
      }
    }
    WAITING.incrementAndGet(this);
    loop.signal(new TaskSignal.Emitted(this, task.execution(), checked, time));
  }

  /** Takes notice that a word has come through the drain. */
  void received() {
    WAITING.decrementAndGet(this);
  }

  @Override
  public void onError(@Nullable Throwable error) {
    end(error == null ? InvalidOutputException.noError(task.node()) : CarriedError.unwrap(error));
  }

  @Override
  public void onComplete() {
    end(null);
  }

  private void end(@Nullable Throwable error) {
    if (!deaf) {
      deaf = true;
      UPSTREAM.set(this, Operators.cancelledSubscription()); // nothing is left to cancel
      loop.signal(new TaskSignal.Ended(this, lastWord, error));
    }
  }

  /** Asks for more when what was announced so far has been delivered; only inside the drain. */
  void replenishWhenDelivered() {
    loop.whenDelivered(this);
  }

  /** Takes notice that a word has been delivered. */
  @Override
  public void run() {
    delivered++;
    if (asking == null && !(speaksWhenAsked && waiting > 0)) {
      replenish();
    }
  }

  /** Asks in a loop, and not in what is told meanwhile: a node may speak while it is asked. */
  private void replenish() {
    Subscription subscription = upstream;
    asking = Thread.currentThread();
    try {
      while (delivered >= mostInHand() && subscription != null && !deaf && !loop.isCancelled()) {
        int more = delivered;
        delivered = 0;
        subscription.request(more);
      }
    } catch (Throwable failure) {
      fail(failure);
    } finally {
      asking = null;
    }
  }

  /** Ends the attempt because the publisher threw where it has to signal. */
  private void fail(Throwable failure) {
    if (deaf) {
      Operators.onErrorDropped(failure, currentContext());
      return;
    }
    cancel();
    loop.signal(new TaskSignal.Ended(this, null, CarriedError.unwrap(failure)));
  }

  private int mostInHand() {
    return inHand - (inHand >> 2);
  }

  void cancel() {
    deaf = true;
    try {
      Operators.terminate(UPSTREAM, this);
    } catch (Throwable failure) {
      Operators.onErrorDropped(failure, currentContext());
    }
  }

  /** Nodes see the context of whoever subscribed to the run. */
  @Override
  public Context currentContext() {
    return loop.context();
  }
}
