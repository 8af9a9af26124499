package io.superstep.reactor;

import io.superstep.event.GraphEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * Delivers events at the pace of their subscriber, and lets a run go on only when all have been
 * delivered and more are asked for.
 *
 * <p>All that a run does happens inside {@link #drain()}: one JVM thread at a time gets in, and
 * whoever has something to say meanwhile leaves it in {@code signals}. So what a subclass keeps
 * needs no locks, nothing is ever delivered by two at once, and a run of a million synchronous
 * steps is a loop and not a recursion.
 *
 * <p>Signals are received whether or not anything is asked for: demand gates what is started and
 * what is delivered, never what is recorded.
 */
abstract class EventDrain implements Subscription {

  private static final AtomicIntegerFieldUpdater<EventDrain> WORK =
      AtomicIntegerFieldUpdater.newUpdater(EventDrain.class, "work");
  private static final AtomicLongFieldUpdater<EventDrain> REQUESTED =
      AtomicLongFieldUpdater.newUpdater(EventDrain.class, "requested");

  /** Room for nothing, which all runs share until something has to wait. */
  private static final ArrayDeque<Object> NONE = new ArrayDeque<>(0);

  private final CoreSubscriber<? super GraphEvent> subscriber;
  private final Context context;

  /** Measures the passes of the drain; null if they are not measured. */
  private final @Nullable DrainTimer timer;

  private final Queue<Object> signals = Queues.unboundedMultiproducer().get();

  /**
   * Events that were not asked for yet, and between them those who want to know that all before
   * them were delivered.
   */
  private ArrayDeque<Object> pending = NONE;

  @SuppressWarnings("UnusedVariable") // by WORK
  private volatile int work;

  private volatile long requested;
  private volatile boolean cancelled;
  private volatile @Nullable Throwable illegal;

  /** How many events were delivered that have not been taken off {@code requested} yet. */
  private long emitted;

  /** Whether the subscriber is just being told something. */
  private boolean telling;

  /** What the subscriber threw. */
  private @Nullable Throwable thrown;

  private boolean done;
  private boolean released;
  private @Nullable Throwable failure;

  EventDrain(CoreSubscriber<? super GraphEvent> subscriber, @Nullable DrainTimer timer) {
    this.subscriber = subscriber;
    this.timer = timer;
    this.context = subscriber.currentContext();
  }

  /**
   * Does what comes next; called when all is delivered, nothing is under way, and more is asked.
   */
  abstract void advance();

  /** Called when the run can deliver nothing before more is requested. */
  void starved() {}

  /** Called when a pass begins that is measured. */
  void passBegins() {}

  /** Called at the end of a pass that has occupied its JVM thread for long. */
  void passWasSlow(Duration duration) {}

  /** Whether something is under way that will signal. */
  abstract boolean isUnderWay();

  /** Receives a signal; also after the run has ended, as long as its events are delivered. */
  abstract void receive(Object signal);

  /**
   * Lets go of all that is under way; called once, at the end, whatever the end is.
   *
   * @param error with which it ends; null if with none
   */
  abstract void release(@Nullable Throwable error);

  /**
   * Says something to the run, from any JVM thread. If nobody is inside the drain it need not wait:
   * it may overtake what another JVM thread is just leaving here, and never what was said before.
   */
  final void signal(Object word) {
    if (WORK.compareAndSet(this, 0, 1)) {
      long began = beginPass();
      hear(word);
      workOn(began);
    } else {
      signals.offer(word);
      drain();
    }
  }

  /** Says something to the subscriber, in its turn; only from inside the drain. */
  final void announce(GraphEvent event) {
    if (pending.isEmpty() && emitted < requested) {
      emit(event);
    } else {
      keep(event);
    }
  }

  private void keep(Object waiting) {
    pending = pending == NONE ? new ArrayDeque<>() : pending;
    pending.add(waiting);
  }

  /** A subscriber that throws has left, as if it had cancelled. */
  private void emit(GraphEvent event) {
    if (cancelled) {
      return;
    }
    emitted++;
    telling = true;
    try {
      subscriber.onNext(event);
    } catch (Throwable broken) {
      thrown = broken;
      cancelled = true;
    }
    telling = false;
  }

  /**
   * Whether nothing waits for the drain, and nobody is just being told something; only from inside
   * the drain.
   */
  final boolean isQuiet() {
    return !telling && illegal == null && signals.isEmpty();
  }

  /** Calls {@code listener} when all that was announced so far has been delivered. */
  final void whenDelivered(Runnable listener) {
    if (!pending.isEmpty()) {
      keep(listener);
    } else if (!cancelled) {
      listener.run();
    }
  }

  /** Ends the run after what was announced; only from inside the drain. */
  final void finish() {
    done = true;
  }

  /** Ends the run with an error, now or when it is ready; only from inside the drain. */
  void fail(Throwable error) {
    failNow(error);
  }

  /** Ends the run with an error after what was announced; only from inside the drain. */
  final void failNow(Throwable error) {
    failure = error;
    done = true;
  }

  /** Whether nothing can be told before more is asked for; only from inside the drain. */
  final boolean isStarved() {
    return !pending.isEmpty() || emitted == requested;
  }

  /** Returns the events that were not requested yet; only from inside the drain. */
  final List<GraphEvent> undelivered() {
    return pending.stream()
        .filter(GraphEvent.class::isInstance)
        .map(GraphEvent.class::cast)
        .toList();
  }

  /** The error with which the run ends; null if it has none. */
  final @Nullable Throwable failure() {
    return failure;
  }

  /** Returns whether the run has ended, and only delivers events; only from inside the drain. */
  final boolean isDone() {
    return done;
  }

  /** Whether the subscriber takes whatever comes. */
  final boolean isUnbounded() {
    return requested == Long.MAX_VALUE;
  }

  final boolean isCancelled() {
    return cancelled;
  }

  /** That of the subscriber, which is asked once: a long chain would be walked each time. */
  final Context context() {
    return context;
  }

  @Override
  public final void request(long n) {
    if (n <= 0) {
      illegal = Exceptions.nullOrNegativeRequestException(n);
    } else {
      Operators.addCap(REQUESTED, this, n);
    }
    drain();
  }

  @Override
  public final void cancel() {
    cancelled = true;
    drain();
  }

  final void drain() {
    if (WORK.getAndIncrement(this) == 0) {
      workOn(beginPass());
    }
  }

  /**
   * Works until nobody has come in meanwhile; only who got in when nobody was inside.
   *
   * @param began the time at which the pass began
   */
  private void workOn(long began) {
    int missed = 1;
    do {
      work();
      if (timer != null) {
        measure(timer, began);
      }
      missed = WORK.addAndGet(this, -missed);
    } while (missed != 0);
  }

  private long beginPass() {
    if (timer == null) {
      return 0;
    }
    passBegins();
    return timer.now();
  }

  /** Reports the pass if it is slow; what follows counts as another one. */
  private void measure(DrainTimer clock, long began) {
    Duration slow = clock.slow(began, clock.now());
    if (slow != null) {
      passWasSlow(slow);
      passBegins();
    }
  }

  private void work() {
    while (!released) {
      receiveAll();
      if (cancelled) {
        end();
        reportThrown();
        return;
      }
      if (illegal != null) {
        failNow(Objects.requireNonNull(illegal));
        terminate();
        return;
      }
      deliver();
      if (cancelled) {
        continue;
      }
      if (!pending.isEmpty()) {
        starved();
        return; // for want of demand
      }
      if (done) {
        terminate();
        return;
      }
      if (isUnderWay() || requested == 0) {
        if (signals.isEmpty()) {
          if (requested == 0) {
            starved();
          }
          return;
        }
      } else {
        goOn(null);
      }
    }
    signals.clear();
  }

  /** Whatever goes wrong in here ends the run: thrown out of the drain it would end nothing. */
  private void goOn(@Nullable Object word) {
    try {
      if (word == null) {
        advance();
      } else {
        receive(word);
      }
    } catch (Throwable failed) {
      failSafely(failed);
    }
  }

  private void failSafely(Throwable error) {
    try {
      fail(error);
    } catch (Throwable again) {
      if (again != error) {
        error.addSuppressed(again);
      }
      failNow(error);
    }
  }

  private void receiveAll() {
    for (Object word = signals.poll(); word != null; word = signals.poll()) {
      hear(word);
    }
  }

  private void hear(Object word) {
    if (!released && !cancelled && illegal == null) {
      goOn(word);
    }
  }

  private void deliver() {
    while (!pending.isEmpty() && !cancelled) {
      if (!(pending.peek() instanceof GraphEvent event)) {
        ((Runnable) pending.remove()).run();
      } else if (emitted < requested) {
        pending.remove();
        emit(event);
      } else {
        break;
      }
    }
    if (emitted > 0) {
      Operators.produced(REQUESTED, this, emitted);
      emitted = 0;
    }
  }

  private void terminate() {
    end();
    try {
      if (failure == null) {
        subscriber.onComplete();
      } else {
        subscriber.onError(CarriedError.unwrap(failure));
      }
    } catch (Throwable broken) {
      Operators.onErrorDropped(broken, context);
    }
  }

  /** Reports the error that the subscriber threw, now that everything is released. */
  private void reportThrown() {
    if (thrown != null) {
      FluxBoundary.report(thrown, subscriber);
    }
  }

  private void end() {
    released = true;
    pending = NONE;
    signals.clear();
    try {
      release(failure);
    } catch (Throwable broken) {
      Operators.onErrorDropped(broken, context);
    }
  }
}
