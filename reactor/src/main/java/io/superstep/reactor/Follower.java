package io.superstep.reactor;

import io.superstep.error.SuperstepException;
import io.superstep.event.GraphEvent;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Operators;

/**
 * Takes the events of a thread to one subscriber, at its pace.
 *
 * <p>All happens inside {@link #drain()}: whoever has news, asks for more or cancels calls it, one
 * JVM thread at a time gets in, and goes round again for the others. It looks up one event after
 * the other, and has none in hand.
 */
final class Follower implements Subscription {

  private static final AtomicIntegerFieldUpdater<Follower> WORK =
      AtomicIntegerFieldUpdater.newUpdater(Follower.class, "work");
  private static final AtomicLongFieldUpdater<Follower> REQUESTED =
      AtomicLongFieldUpdater.newUpdater(Follower.class, "requested");

  private final CoreSubscriber<? super GraphEvent> subscriber;
  private final Bookmark bookmark;
  private final Following following;

  /** Not 0 from the start: nobody gets in before the subscriber knows of its subscription. */
  private volatile int work = 1;

  private volatile long requested;
  private volatile boolean cancelled;

  /** Why it has to end, if not by itself. */
  private volatile @Nullable Throwable failure;

  private @Nullable EventTrail trail;
  private boolean ended;

  Follower(CoreSubscriber<? super GraphEvent> subscriber, Bookmark bookmark, Following following) {
    this.subscriber = subscriber;
    this.bookmark = bookmark;
    this.following = following;
  }

  /** Begins; called once. */
  void start() {
    subscriber.onSubscribe(this);
    trail = following.join(this, bookmark);
    goRound();
  }

  @Override
  public void request(long n) {
    if (n <= 0) {
      fail(Exceptions.nullOrNegativeRequestException(n));
    } else {
      Operators.addCap(REQUESTED, this, n);
      drain();
    }
  }

  @Override
  public void cancel() {
    cancelled = true;
    drain();
  }

  void fail(Throwable error) {
    failure = error;
    drain();
  }

  void drain() {
    if (WORK.getAndIncrement(this) == 0) {
      goRound();
    }
  }

  private void goRound() {
    int missed = work;
    do {
      deliver();
      missed = WORK.addAndGet(this, -missed);
    } while (missed != 0);
  }

  private void deliver() {
    long delivered = 0;
    while (!ended) {
      GraphEvent event = next(delivered < requested);
      if (event == null) {
        break;
      }
      delivered++;
      tell(() -> subscriber.onNext(event));
    }
    if (delivered > 0) {
      Operators.produced(REQUESTED, this, delivered);
    }
  }

  /** The next event; null if there is none, nobody asked, or this was the end. */
  private @Nullable GraphEvent next(boolean wanted) {
    if (cancelled) {
      end();
      return null;
    }
    try {
      if (failure == null) {
        return Objects.requireNonNull(trail).next(bookmark, wanted);
      }
    } catch (SuperstepException lost) {
      failure = lost;
    }
    end();
    tell(() -> subscriber.onError(Objects.requireNonNull(failure)));
    return null;
  }

  /** A subscriber that throws has left, as if it had cancelled; others are not to suffer. */
  private void tell(Runnable signal) {
    try {
      signal.run();
    } catch (Throwable broken) {
      end();
      FluxBoundary.report(broken, subscriber);
    }
  }

  private void end() {
    if (!ended) {
      ended = true;
      following.leave(this, bookmark);
    }
  }

  /** Where followers come from and go to. */
  interface Following {

    /** The events of the thread, which are kept as long as somebody follows it. */
    EventTrail join(Follower follower, Bookmark bookmark);

    void leave(Follower follower, Bookmark bookmark);
  }
}
