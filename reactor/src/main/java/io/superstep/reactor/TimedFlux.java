package io.superstep.reactor;

import io.superstep.graph.NodePolicy;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Operators.DeferredSubscription;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * One attempt that may take only so long, and be silent only so long.
 *
 * <p>The clocks run only while something is asked for: a subscriber that takes its time does not
 * make its nodes time out. They start with the subscription, so that a publisher which never calls
 * {@code onSubscribe} times out too. An element costs a look at the clock; the one timer goes off
 * at the earliest possible end and is set again if that has moved.
 */
final class TimedFlux extends FluxOperator<Object, Object> {

  private final String node;
  private final NodePolicy policy;
  private final Scheduler timer;

  TimedFlux(Flux<Object> source, String node, NodePolicy policy, Scheduler timer) {
    super(source);
    this.node = node;
    this.policy = policy;
    this.timer = timer;
  }

  static boolean isAskedFor(NodePolicy policy) {
    return policy.timeout() != null || policy.idleTimeout() != null;
  }

  @Override
  public void subscribe(CoreSubscriber<? super Object> actual) {
    CoreSubscriber<? super Object> serialized = Operators.serialize(actual);
    Timed timed = new Timed(serialized);
    serialized.onSubscribe(timed);
    source.subscribe(timed);
  }

  /** Fields are guarded by this; nobody's code but the timer's is called while it is held. */
  private final class Timed implements CoreSubscriber<Object>, Subscription {

    private static final long PAUSED = Long.MIN_VALUE;

    private final CoreSubscriber<? super Object> actual;
    private final long total = nanos(policy.timeout());
    private final long idle = nanos(policy.idleTimeout());
    private final DeferredSubscription upstream = new DeferredSubscription();
    private @Nullable Disposable alarm;
    private boolean done;
    private long outstanding;
    private long since = PAUSED;
    private long used;

    Timed(CoreSubscriber<? super Object> actual) {
      this.actual = actual;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      upstream.set(subscription);
    }

    @Override
    public void request(long n) {
      if (Operators.validate(n)) {
        resume(n);
        upstream.request(n);
      }
    }

    private synchronized void resume(long n) {
      outstanding = Operators.addCap(outstanding, n);
      if (since == PAUSED && !done) {
        since = now();
        if (alarm == null) {
          setAlarm();
        }
      }
    }

    @Override
    public void onNext(Object output) {
      if (heard()) {
        actual.onNext(output);
      }
    }

    private synchronized boolean heard() {
      if (!done && since != PAUSED) {
        long now = now();
        used += now - since;
        outstanding = outstanding == Long.MAX_VALUE ? outstanding : outstanding - 1;
        since = outstanding == 0 ? PAUSED : now;
      }
      return !done;
    }

    private void ring() {
      NodeTimeoutException timeout = expired();
      if (timeout != null) {
        try {
          upstream.cancel();
        } finally {
          actual.onError(timeout);
        }
      }
    }

    private synchronized @Nullable NodeTimeoutException expired() {
      alarm = null;
      if (done || since == PAUSED) {
        return null;
      }
      long waited = now() - since;
      if (left(waited) > 0) {
        setAlarm();
        return null;
      }
      done = true;
      return used + waited >= total
          ? NodeTimeoutException.total(node, policy.timeout())
          : NodeTimeoutException.idle(node, policy.idleTimeout());
    }

    private void setAlarm() {
      alarm = timer.schedule(this::ring, left(now() - since), TimeUnit.NANOSECONDS);
    }

    private long left(long waited) {
      return Math.min(total - used - waited, idle - waited);
    }

    private synchronized boolean end() {
      boolean first = !done;
      done = true;
      if (alarm != null) {
        alarm.dispose();
      }
      return first;
    }

    @Override
    public void onError(Throwable error) {
      if (end()) {
        actual.onError(error);
      }
    }

    @Override
    public void onComplete() {
      if (end()) {
        actual.onComplete();
      }
    }

    @Override
    public void cancel() {
      end();
      upstream.cancel();
    }

    private long now() {
      return timer.now(TimeUnit.NANOSECONDS);
    }

    private static long nanos(@Nullable Duration time) {
      return time == null ? Long.MAX_VALUE / 4 : time.toNanos();
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }
  }
}
