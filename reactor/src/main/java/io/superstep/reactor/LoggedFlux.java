package io.superstep.reactor;

import io.superstep.event.GraphEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxOperator;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * Has events written before it passes them on. No more is asked of the run than is asked for, and
 * never more than one ahead of what is written: no step begins before all that was told earlier is
 * safe.
 */
final class LoggedFlux extends FluxOperator<GraphEvent, GraphEvent> {

  /** How many events may be on their way to the log. */
  private static final int MOST = 1;

  private final Function<List<GraphEvent>, Append> append;
  private final Consumer<Boolean> wanted;

  /**
   * Events as they are stored and delivered, and the call that stores them.
   *
   * @param events as many as were given
   */
  record Append(List<GraphEvent> events, Publisher<Void> write) {}

  /** @param wanted told whether anything is wanted of the run, now or when something is written */
  LoggedFlux(
      Flux<GraphEvent> source,
      Function<List<GraphEvent>, Append> append,
      Consumer<Boolean> wanted) {
    super(source);
    this.append = append;
    this.wanted = wanted;
  }

  @Override
  public void subscribe(CoreSubscriber<? super GraphEvent> subscriber) {
    source.subscribe(new Logging(subscriber, append, wanted));
  }

  /** All but what it is told from outside happens inside {@link #drain}. */
  private static final class Logging implements CoreSubscriber<GraphEvent>, Subscription {

    private final CoreSubscriber<? super GraphEvent> subscriber;
    private final Function<List<GraphEvent>, Append> append;
    private final Consumer<Boolean> wanted;
    private final Queue<GraphEvent> arrived = Queues.<GraphEvent>unbounded(8).get();
    private final AtomicInteger work = new AtomicInteger();
    private final AtomicLong asked = new AtomicLong();
    private @Nullable Subscription upstream;

    /** What is being written; null if nothing is. */
    private @Nullable List<GraphEvent> writing;

    /**
     * How many were asked of the run and have not been passed on, and of whoever asked likewise.
     */
    private long outstanding;

    private long demand;
    private boolean isOver;
    private volatile boolean isWritten;
    private volatile @Nullable Throwable refused;
    private volatile boolean isDone;
    private volatile @Nullable Throwable failure;
    private volatile boolean isCancelled;

    Logging(
        CoreSubscriber<? super GraphEvent> subscriber,
        Function<List<GraphEvent>, Append> append,
        Consumer<Boolean> wanted) {
      this.subscriber = subscriber;
      this.append = append;
      this.wanted = wanted;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      if (Operators.validate(upstream, subscription)) {
        upstream = subscription;
        subscriber.onSubscribe(this);
      }
    }

    @Override
    public void onNext(GraphEvent event) {
      arrived.offer(event);
      drain();
    }

    @Override
    public void onError(Throwable error) {
      failure = error;
      isDone = true;
      drain();
    }

    @Override
    public void onComplete() {
      isDone = true;
      drain();
    }

    @Override
    public void request(long count) {
      if (count <= 0) {
        source().request(count); // which says what is wrong with it
        return;
      }
      asked.accumulateAndGet(count, Operators::addCap);
      drain();
    }

    @Override
    public void cancel() {
      isCancelled = true;
      source().cancel();
    }

    private Subscription source() {
      return Objects.requireNonNull(upstream);
    }

    private void drain() {
      if (work.getAndIncrement() != 0) {
        return;
      }
      int missed = 1;
      do {
        step();
        missed = work.addAndGet(-missed);
      } while (missed != 0);
    }

    private void step() {
      if (isOver) {
        return;
      }
      demand = Operators.addCap(demand, asked.getAndSet(0));
      wanted.accept(demand > 0 || writing != null); // before the run can emit what is asked for
      boolean more = true;
      while (more && !isCancelled) {
        more = passOn() || write();
        ask();
      }
      wanted.accept(demand > 0 || writing != null);
    }

    /** Passes on what is written. */
    private boolean passOn() {
      List<GraphEvent> written = writing;
      if (refused != null) {
        isOver = true;
        source().cancel();
        subscriber.onError(refused);
        return false;
      }
      if (written == null || !isWritten) {
        return false;
      }
      writing = null;
      isWritten = false;
      for (GraphEvent event : written) {
        outstanding--;
        demand = demand == Long.MAX_VALUE ? demand : demand - 1;
        if (isCancelled) {
          return false;
        }
        subscriber.onNext(event);
      }
      return true;
    }

    /** Begins to write what has come, or ends if nothing more will. */
    private boolean write() {
      if (writing != null) {
        return false;
      }
      boolean isLast = isDone;
      List<GraphEvent> next = new ArrayList<>(1);
      for (GraphEvent event = arrived.poll(); event != null; event = arrived.poll()) {
        next.add(event);
      }
      if (next.isEmpty()) {
        if (isLast) {
          end();
        }
        return false;
      }
      writing = next;
      try {
        Append appending = append.apply(next);
        writing = appending.events();
        begin(appending.write());
      } catch (Throwable failed) {
        refused = failed;
      }
      return isWritten || refused != null;
    }

    private void begin(Publisher<Void> write) throws Exception {
      if (write instanceof Callable<?> atOnce) {
        atOnce.call();
        isWritten = true;
      } else {
        write.subscribe(new Written(this));
      }
    }

    private void end() {
      isOver = true;
      Throwable error = failure;
      if (error == null) {
        subscriber.onComplete();
      } else {
        subscriber.onError(error);
      }
    }

    /** Asks the run for as much as is asked for. */
    private void ask() {
      long wanted = Math.min(demand, MOST) - outstanding;
      if (wanted > 0 && !isOver && !isCancelled) {
        outstanding += wanted;
        source().request(wanted);
      }
    }

    void written(@Nullable Throwable error) {
      if (error == null) {
        isWritten = true;
      } else {
        refused = Exceptions.unwrap(error);
      }
      drain();
    }

    @Override
    public Context currentContext() {
      return subscriber.currentContext();
    }
  }

  /** Waits until something was written. */
  private static final class Written extends BaseSubscriber<Void> {

    private final Logging logging;

    Written(Logging logging) {
      this.logging = logging;
    }

    @Override
    protected void hookOnComplete() {
      logging.written(null);
    }

    @Override
    protected void hookOnError(Throwable error) {
      logging.written(error);
    }

    @Override
    public Context currentContext() {
      return logging.currentContext();
    }
  }
}
