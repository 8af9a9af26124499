package io.superstep.reactor;

import io.superstep.state.Update;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Runs that go on side by side, one for each input, and whose results come in the order of the
 * inputs. No run starts whose result was not asked for, which no operator of Reactor's would do.
 */
final class RunAllFlux extends FluxOperator<Update, RunResult> {

  private final Function<Update, Mono<RunResult>> run;
  private final int most;

  RunAllFlux(Flux<Update> inputs, Function<Update, Mono<RunResult>> run, int most) {
    super(inputs);
    this.run = run;
    this.most = most;
  }

  @Override
  public void subscribe(CoreSubscriber<? super RunResult> actual) {
    source.subscribe(new Runs(actual, run, most));
  }

  /** The runs of one subscription, the oldest first; all is decided inside {@link #drain()}. */
  private static final class Runs implements CoreSubscriber<Update>, Subscription {

    private static final AtomicIntegerFieldUpdater<Runs> WORK =
        AtomicIntegerFieldUpdater.newUpdater(Runs.class, "work");
    private static final AtomicLongFieldUpdater<Runs> REQUESTED =
        AtomicLongFieldUpdater.newUpdater(Runs.class, "requested");
    private static final AtomicReferenceFieldUpdater<Runs, @Nullable Throwable> FAILURE =
        AtomicReferenceFieldUpdater.newUpdater(Runs.class, Throwable.class, "failure");

    private final CoreSubscriber<? super RunResult> actual;
    private final Function<Update, Mono<RunResult>> run;
    private final int most;
    private final Queue<OneRun> runs = new ConcurrentLinkedQueue<>();

    private @Nullable Subscription inputs;
    private long asked;
    private long delivered;
    private boolean ended;

    @SuppressWarnings("UnusedVariable") // by WORK
    private volatile int work;

    private volatile long requested;
    private volatile boolean complete;
    private volatile boolean cancelled;
    private volatile @Nullable Throwable failure;

    Runs(
        CoreSubscriber<? super RunResult> actual, Function<Update, Mono<RunResult>> run, int most) {
      this.actual = actual;
      this.run = run;
      this.most = most;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      if (Operators.validate(inputs, subscription)) {
        inputs = subscription;
        actual.onSubscribe(this);
      }
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
    public void onNext(Update input) {
      if (complete) {
        Operators.onNextDropped(input, currentContext());
        return;
      }
      if (isOver()) {
        return;
      }
      OneRun started = new OneRun(this);
      runs.add(started);
      run.apply(input).subscribe(started);
      if (isOver()) {
        drain(); // whoever let go of the runs may not have seen this one
      }
    }

    private boolean isOver() {
      return cancelled || failure != null;
    }

    @Override
    public void onError(Throwable error) {
      if (complete) {
        Operators.onErrorDropped(error, currentContext());
        return;
      }
      complete = true;
      fail(error);
    }

    @Override
    public void onComplete() {
      complete = true;
      drain();
    }

    /** Ends all with {@code error}; that others fail too while they are let go is no news. */
    void fail(Throwable error) {
      if (!cancelled && FAILURE.compareAndSet(this, null, error)) {
        drain();
      }
    }

    @Override
    public void cancel() {
      cancelled = true;
      drain();
    }

    void drain() {
      if (WORK.getAndIncrement(this) != 0) {
        return;
      }
      int missed = 1;
      do {
        if (!ended) {
          work();
        } else {
          letGo();
        }
        missed = WORK.addAndGet(this, -missed);
      } while (missed != 0);
    }

    private void work() {
      if (!cancelled && failure == null) {
        deliver();
      }
      if (cancelled) {
        ended = true;
        letGo();
      } else if (failure != null) {
        ended = true;
        letGo();
        actual.onError(failure);
      } else if (complete && runs.isEmpty()) {
        ended = true;
        actual.onComplete();
      } else if (!complete) {
        askForMore();
      }
    }

    private void deliver() {
      long room = requested;
      for (OneRun oldest = runs.peek();
          oldest != null && oldest.result != null && delivered < room && !cancelled;
          oldest = runs.peek()) {
        runs.remove();
        delivered++;
        actual.onNext(oldest.result);
      }
    }

    /** Asks for inputs whose results are asked for, as many as may run at once. */
    private void askForMore() {
      long wanted = Math.min(most, requested - delivered) - (asked - delivered);
      if (wanted > 0 && inputs != null) {
        asked += wanted;
        inputs.request(wanted);
      }
    }

    private void letGo() {
      if (inputs != null) {
        inputs.cancel();
      }
      for (OneRun left = runs.poll(); left != null; left = runs.poll()) {
        left.cancel();
      }
    }

    @Override
    public Context currentContext() {
      return actual.currentContext();
    }
  }

  /** One run on its way to its result. */
  private static final class OneRun implements CoreSubscriber<RunResult> {

    private static final AtomicReferenceFieldUpdater<OneRun, @Nullable Subscription> UPSTREAM =
        AtomicReferenceFieldUpdater.newUpdater(OneRun.class, Subscription.class, "upstream");

    private final Runs all;

    @SuppressWarnings("unused") // by UPSTREAM
    private volatile @Nullable Subscription upstream;

    private volatile @Nullable RunResult result;

    OneRun(Runs all) {
      this.all = all;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      if (Operators.setOnce(UPSTREAM, this, subscription)) {
        subscription.request(Long.MAX_VALUE);
      }
    }

    @Override
    public void onNext(RunResult ended) {
      result = ended;
      all.drain();
    }

    @Override
    public void onError(Throwable error) {
      all.fail(error);
    }

    @Override
    public void onComplete() {}

    void cancel() {
      Operators.terminate(UPSTREAM, this);
    }

    @Override
    public Context currentContext() {
      return all.currentContext();
    }
  }
}
