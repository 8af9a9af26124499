package io.superstep.reactor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Keeps the threads that a runner holds: says now and then, for each of them, that somebody is
 * still there. One timer does for all, while there are any; a timer for each would be a third of
 * what a waiting run costs.
 */
final class LeaseKeeper {

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(1);

  private final Duration duration;
  private final Duration renewal;

  /** The one that came last; each knows its neighbours. */
  private @Nullable Keeping last;

  private @Nullable Disposable ticking;

  /** @param duration the time after which a lease expires that is not renewed */
  LeaseKeeper(Duration duration) {
    this.duration = duration;
    this.renewal = duration.dividedBy(3);
  }

  /**
   * Returns {@code duration} if a lease can have it.
   *
   * @throws IllegalArgumentException if it is too short or too long
   */
  static Duration requireDuration(Duration duration) {
    if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("leaseDuration must be from " + SHORTEST + " to " + LONGEST
          + ", and was " + duration + ". Choose several times the longest pause of a process.");
    }
    return duration;
  }

  /** Returns the time after which a lease expires that is not renewed. */
  Duration duration() {
    return duration;
  }

  /**
   * Returns the time that a renewal may take. It ends before the next tick, which skips a renewal
   * that is still under way: else only the last tick, when the lease expires, would repeat it.
   */
  Duration renewalTimeout() {
    return renewal.multipliedBy(9).dividedBy(10);
  }

  /** Keeps {@code hold} while it is subscribed to; ends only with an error, when it is lost. */
  Mono<Void> keeping(Hold hold) {
    return new Mono<>() {
      @Override
      public void subscribe(CoreSubscriber<? super Void> subscriber) {
        Keeping keeping = new Keeping(hold, subscriber);
        subscriber.onSubscribe(keeping);
        try {
          add(keeping);
        } catch (RejectedExecutionException disposed) {
          keeping.lost(disposed);
        }
      }
    };
  }

  /** Ends all runs that are under way with an error, and returns their threads. */
  List<String> cutOff() {
    List<String> threads = new ArrayList<>();
    for (Keeping each : all()) {
      if (each.hold.isUnderWay()) {
        threads.add(each.hold.thread());
        each.lost(RunnerClosedException.cutOff(each.hold.thread()));
      }
    }
    return threads;
  }

  /** Returns whether no lease is renewed. */
  synchronized boolean isIdle() {
    return last == null;
  }

  private synchronized void add(Keeping keeping) {
    if (keeping.isOver.get()) {
      return;
    }
    if (ticking == null) {
      ticking = next(keeping.hold.timer());
    }
    keeping.before = last;
    if (last != null) {
      last.after = keeping;
    }
    last = keeping;
  }

  private synchronized void remove(Keeping keeping) {
    Keeping before = keeping.before;
    Keeping after = keeping.after;
    if (before != null) {
      before.after = after;
    }
    if (after != null) {
      after.before = before;
    } else if (last == keeping) {
      last = before;
    }
    keeping.before = null;
    keeping.after = null;
    if (last == null && ticking != null) {
      ticking.dispose();
      ticking = null;
    }
  }

  /**
   * One tick, which asks for the next. A periodic one could not be called off by a thread that must
   * not wait, not even for the lock of the timer.
   */
  private Disposable next(Scheduler timer) {
    return timer.schedule(() -> tick(timer), renewal.toMillis(), TimeUnit.MILLISECONDS);
  }

  private synchronized List<Keeping> due(Scheduler timer) {
    ticking = last == null ? null : next(timer);
    return all();
  }

  private synchronized List<Keeping> all() {
    List<Keeping> all = new ArrayList<>();
    for (Keeping each = last; each != null; each = each.before) {
      all.add(each);
    }
    return all;
  }

  /**
   * Each in its own turn: whoever asks a run may have to go on with it, and others must not wait.
   */
  private void tick(Scheduler timer) {
    due(timer).forEach(each -> timer.schedule(each::renew));
  }

  /** One thread that is kept. */
  private final class Keeping implements Subscription {

    private final Hold hold;
    private final CoreSubscriber<? super Void> subscriber;
    private final AtomicBoolean isOver = new AtomicBoolean();

    private @Nullable Keeping before;
    private @Nullable Keeping after;

    /** What the store has not answered yet. */
    private volatile @Nullable Renewal underWay;

    Keeping(Hold hold, CoreSubscriber<? super Void> subscriber) {
      this.hold = hold;
      this.subscriber = subscriber;
    }

    void renew() {
      if (underWay == null && !isOver.get()) {
        Renewal next = new Renewal(this);
        underWay = next;
        try {
          Mono.defer(hold::renewed).subscribe(next);
        } catch (Throwable fatal) { // what Reactor does not pass on as a signal
          lost(fatal);
          throw fatal;
        }
      }
    }

    void renewed() {
      underWay = null;
    }

    void lost(Throwable error) {
      if (isOver.compareAndSet(false, true)) { // else nobody wants to keep it any more
        remove(this);
        subscriber.onError(error);
      }
    }

    @Override
    public void request(long n) {
      // there is nothing to bring
    }

    @Override
    public void cancel() {
      if (isOver.compareAndSet(false, true)) {
        remove(this);
        Renewal last = underWay;
        if (last != null) {
          last.cancel();
        }
      }
    }
  }

  /** Waits for the answer of the store. */
  private static final class Renewal extends BaseSubscriber<Void> {

    private final Keeping keeping;

    Renewal(Keeping keeping) {
      this.keeping = keeping;
    }

    @Override
    protected void hookOnComplete() {
      keeping.renewed();
    }

    @Override
    protected void hookOnError(Throwable error) {
      keeping.lost(error);
    }

    @Override
    public Context currentContext() {
      return keeping.subscriber.currentContext();
    }
  }
}
