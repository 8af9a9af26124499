package io.superstep.reactor;

import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.LeaseLost;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.memory.InvalidMemoryException;
import io.superstep.memory.MemoryStore;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Outbox;
import io.superstep.state.Schemas;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * The lease of one caller on a thread: renewed while its run is under way, released while the run
 * waits for demand, and acquired again when the run continues.
 */
final class Hold {

  /** The default time after which a lease expires that is not renewed. */
  static final Duration LEASE = Duration.ofSeconds(30);

  /** The longest time for which the end of a run waits for the release of its lease. */
  static final Duration RELEASE = Duration.ofSeconds(5);

  /** The most writes by which a run may be ahead of the store, with a durability that allows it. */
  static final int AHEAD = 16;

  /** The progress of the caller, which decides how its lease is released. */
  private enum Phase {
    /** No run has begun. */
    VACANT(Release.UNCHANGED, false, true),
    /** Nothing was due. */
    IDLE(Release.SETTLED, false, true),
    /** A run is about to begin. */
    BEGINNING(Release.UNCHANGED, true, true),
    /** A run is under way. */
    RUNNING(Release.SETTLED, true, true),
    /** The run was stopped before its work was done. */
    STOPPED(Release.SETTLED, true, false),
    /** The run has ended with open questions. */
    ASKING(Release.SETTLED, false, true),
    /** Another run has taken the thread, perhaps to use the answers that this run was to use. */
    OVERTAKEN(Release.SETTLED, true, true),
    /** The run has ended otherwise, or has failed. */
    ENDED(Release.SETTLED, false, false);

    private final Release release;

    /** Whether a closing runner hands the thread over. */
    private final boolean leavesWork;

    /** Whether a recorded resume is carried out on release. */
    private final boolean isResumed;

    Phase(Release release, boolean leavesWork, boolean isResumed) {
      this.release = release;
      this.leavesWork = leavesWork;
      this.isResumed = isResumed;
    }
  }

  /** The signal that asks a run to release its thread if it waits for demand. */
  enum Need {
    ASKED
  }

  @SuppressWarnings("rawtypes") // a class literal has no type arguments
  private static final AtomicReferenceFieldUpdater<Hold, @Nullable Mono> REST =
      AtomicReferenceFieldUpdater.newUpdater(Hold.class, Mono.class, "rest");

  private final GraphRunner runner;
  private final CheckpointStore store;
  private final @Nullable ThreadEvents events;
  private final Consumer<@Nullable Lease> whenNext;
  private volatile Lease lease;
  private volatile LogWriter writer;
  private volatile Phase phase = Phase.VACANT;
  private volatile @Nullable SuperstepLoop loop;

  /** The signal by which a person stops the run; null if there is none. */
  private volatile @Nullable Stop stop;

  /** Completes when the lease is released; null while it is held. */
  private volatile @Nullable Mono<Void> rest;

  /** Whether the thread was handed over when the lease was released. */
  private volatile boolean isHandedOver;

  /** Whether the hold has ended, and does not acquire its lease again. */
  private volatile boolean isOver;

  private Hold(
      CheckpointStore store, Lease lease, GraphRunner runner, Consumer<@Nullable Lease> whenNext) {
    this.runner = runner;
    this.store = store;
    this.lease = lease;
    this.whenNext = whenNext;
    this.writer = new DirectWriter(store, schemas(), this);
    EventLog log = runner.log();
    this.events =
        log == null ? null : new ThreadEvents(log, store, schemas(), runner.clock(), this);
  }

  /**
   * Acquires the lease of a thread.
   *
   * @param whenNext called after a release if the thread has work: with the released lease if a
   *     recorded resume may be carried out, with null if only a queued input may begin
   */
  static Mono<Hold> of(
      String thread,
      CheckpointStore store,
      GraphRunner runner,
      Consumer<@Nullable Lease> whenNext) {
    return runner
        .held()
        .acquiring(
            acquired(thread, store, runner).map(lease -> new Hold(store, lease, runner, whenNext)));
  }

  /**
   * Acquires the lease of a thread to resume it. If another run holds it, the resume is recorded,
   * and the runner of that run resumes the thread on release; if the lease was released meanwhile,
   * it is acquired.
   */
  static Mono<Hold> toResume(
      String thread,
      CheckpointStore store,
      GraphRunner runner,
      Consumer<@Nullable Lease> whenNext) {
    return orRequested(thread, store, of(thread, store, runner, whenNext));
  }

  /**
   * Records a resume for the run that holds the lease, and retries {@code acquisition} if the lease
   * was released meanwhile.
   */
  private static <T> Mono<T> orRequested(
      String thread, CheckpointStore store, Mono<T> acquisition) {
    return acquisition.onErrorResume(
        ThreadBusyException.class,
        busy -> StoreCall.mono(() -> store.requestResume(thread))
            .filter(isHeld -> !isHeld)
            .switchIfEmpty(Mono.error(busy))
            .flatMap(free -> acquisition));
  }

  private static Mono<Lease> acquired(String thread, CheckpointStore store, GraphRunner runner) {
    Duration duration = runner.leases().duration();
    return StoreCall.mono(() -> store.acquire(thread, runner.leaseOwner(), duration));
  }

  private Schemas schemas() {
    return runner.graph().schemas();
  }

  Lease lease() {
    return lease;
  }

  String thread() {
    return lease.thread();
  }

  /** Marks the thread as one with nothing due. */
  void settle() {
    phase = Phase.IDLE;
  }

  /** The events of the thread; null without an event log. */
  @Nullable
  ThreadEvents events() {
    return events;
  }

  /** Registers the hold, loads the thread, and completes what an earlier run left incomplete. */
  Mono<SavedThread> opened() {
    runner.held().add(this);
    return (events == null ? loaded() : events.opened(loaded()))
        .flatMap(saved -> remembered(saved.outbox()).thenReturn(saved));
  }

  /** Applies the memories of a checkpoint, unless that was done before. */
  Mono<Void> remembered(Outbox outbox) {
    if (outbox.writes().isEmpty()) {
      return Mono.empty();
    }
    MemoryStore memory = runner.memory();
    return memory == null
        ? Mono.error(() -> InvalidMemoryException.nowhere(outbox.thread()))
        : StoreCall.mono(() -> memory.apply(outbox)).then();
  }

  void requireMemorable(String node, List<MemoryWrite> memories) {
    MemoryStore memory = runner.memory();
    if (memory == null) {
      throw InvalidMemoryException.nowhere(node);
    }
    memories.forEach(each -> each.requireSize(memory.maxValueSize()));
  }

  /** Marks the thread as one that a closing runner hands over, also before its run begins. */
  void expectRun() {
    phase = Phase.BEGINNING;
  }

  /** The writer of the thread, which is synchronous until a run begins. */
  LogWriter writer() {
    return writer;
  }

  /**
   * Begins a run: writes from now on follow the durability of {@code options}.
   *
   * @throws RunnerClosedException if the runner was closed meanwhile
   */
  void begin(RunOptions options) {
    runner.requireOpen();
    phase = Phase.BEGINNING;
    stop = options.stop();
    LogWriter direct = new DirectWriter(store, schemas(), this);
    writer = switch (options.durability()) {
      case SYNC -> direct;
      case ASYNC -> QueuedWriter.ahead(direct, AHEAD);
      case EXIT -> QueuedWriter.atTheEnd(direct);
    };
  }

  /** Connects the run: it receives the errors of its writer, and {@link Need} signals. */
  void reportTo(SuperstepLoop run) {
    phase = Phase.RUNNING;
    writer.reportTo(run);
    loop = run;
  }

  /**
   * Ends the run.
   *
   * @param workIsLeft whether it was stopped before its work was done
   */
  void end(boolean workIsLeft) {
    if (phase != Phase.OVERTAKEN) {
      phase = workIsLeft ? Phase.STOPPED : Phase.ENDED;
    }
  }

  /** Marks a run that has ended as one with open questions. */
  void waitForAnswers() {
    phase = phase == Phase.ENDED ? Phase.ASKING : phase;
  }

  /** Renews the lease until it is cancelled; fails if the lease is lost or the runner closed. */
  Mono<Void> kept() {
    return runner.leases().keeping(this);
  }

  Scheduler timer() {
    return runner.timer();
  }

  /** Releases the lease if the run waits for demand, and renews it otherwise. */
  Mono<Void> renewed() {
    offerRest();
    Lease held = lease;
    Mono<Void> resting = rest;
    return resting != null
        ? resting
        : StoreCall.mono(() -> store.renew(held, runner.leases().duration()))
            .timeout(runner.leases().renewalTimeout(), timer())
            .onErrorResume(failure -> !isLost(held, failure), failure -> notRenewed(held, failure))
            .then();
  }

  /** Reports a renewal that is repeated, unless the lease was released meanwhile. */
  private Mono<Lease> notRenewed(Lease held, Throwable failure) {
    if (rest == null && !isOver && held.equals(lease)) {
      runner.reports().leaseNotRenewed(held, CarriedError.unwrap(failure));
    }
    return Mono.empty();
  }

  /** Asks the run to release the lease if its runner is closing and it waits for demand. */
  void restIfClosing() {
    if (runner.isClosing()) {
      offerRest();
    }
  }

  /** Asks the run to release the lease if it waits for demand. */
  void offerRest() {
    SuperstepLoop run = loop;
    if (run != null) {
      run.signal(Need.ASKED);
    }
  }

  /**
   * Returns whether the lease is lost; a failed renewal is repeated, and a released lease unused.
   */
  private boolean isLost(Lease held, Throwable failure) {
    return failure instanceof LeaseLost && rest == null && held.equals(lease);
  }

  /**
   * Releases the lease of a run that waits for demand, once all that the run has written and
   * announced is stored; only from inside its drain. A closing runner hands the thread over, also
   * if the lease was released before.
   *
   * @param undelivered the events that the subscriber has not requested
   * @param failure with which the run ends behind them; null if it does not fail
   */
  void rest(List<GraphEvent> undelivered, @Nullable Throwable failure) {
    Mono<Void> resting = rest;
    if (resting == null) {
      if (events == null) {
        leave(released());
      } else if (!events.isWanted()) {
        leave(events.ahead(undelivered, failure).then(released()));
      }
    } else if (mustHandOver()) {
      runner.held().add(this);
      start(resting, resting.then(handedOver()).doFinally(any -> left()));
    }
  }

  private void leave(Mono<Void> release) {
    start(null, Mono.defer(writer::flush).then(release));
  }

  /**
   * Makes {@code release} the release of the lease and subscribes to it, unless the end of the run
   * comes first. Subscribers of {@link #rest} receive its error.
   */
  private void start(@Nullable Mono<Void> before, Mono<Void> release) {
    SuperstepLoop run = Objects.requireNonNull(loop);
    Mono<Void> once = release.contextWrite(run.context()).cache();
    if (REST.compareAndSet(this, before, once)) {
      once.subscribe(new CachedRelease());
    } else if (before != null) {
      left();
    }
  }

  /** Subscribes to a release whose result is cached; subscribers of {@link #rest} get its error. */
  private static final class CachedRelease extends BaseSubscriber<Void> {

    @Override
    protected void hookOnError(Throwable refused) {
      // The cached release signals it to each later subscriber.
    }
  }

  /** Removes the lease from those for which a closing runner waits. */
  private void left() {
    if (isOver) {
      runner.held().remove(this);
    } else {
      runner.held().release(this);
    }
  }

  boolean isResting() {
    return rest != null;
  }

  /** Marks the thread as taken over by another run. */
  void takenOver() {
    phase = Phase.OVERTAKEN;
    if (events != null) {
      events.takenOver();
    }
  }

  /** The thread at its head. */
  Mono<SavedThread> loaded() {
    return StoreCall.mono(() -> store.load(thread(), schemas()));
  }

  /**
   * Acquires the lease again, with a higher fencing token; only from inside the drain of the run. A
   * lease that is still held is released first.
   *
   * @param head where the run left the thread
   * @param isAnswered whether the run is to use answers; if another run holds the lease, a resume
   *     is recorded
   * @throws CheckpointConflictException as a signal, if another run has written meanwhile
   */
  Mono<SavedThread> returned(@Nullable CheckpointId head, boolean isAnswered) {
    if (rest == null) {
      leave(StoreCall.mono(() -> store.release(lease, Release.SETTLED)).then());
    }
    Mono<Lease> acquisition = acquired(thread(), store, runner);
    return Objects.requireNonNull(rest)
        .then(Mono.defer(() -> {
          runner.held().add(this);
          return isAnswered ? orRequested(thread(), store, acquisition) : acquisition;
        }))
        .doOnError(refused -> left())
        .flatMap(again -> {
          lease = again;
          rest = null;
          isHandedOver = false;
          return isOver ? givenBack().then(Mono.never()) : reloaded(head);
        });
  }

  private Mono<SavedThread> reloaded(@Nullable CheckpointId head) {
    Mono<SavedThread> thread = loaded().singleOptional().flatMap(saved -> {
      CheckpointId now = saved.map(found -> found.checkpoint().id()).orElse(null);
      return now == null || !now.equals(head)
          ? Mono.error(CheckpointConflictException.movedHead(thread(), head, now))
          : Mono.just(saved.get());
    });
    return events == null
        ? thread
        : thread.flatMap(saved -> events.reopened(saved).thenReturn(saved));
  }

  /**
   * Releases the lease at the end. If that fails, or takes too long, it is reported, and the lease
   * expires: the run has ended, and all of it is written.
   */
  Mono<Void> givenBack() {
    return Mono.defer(() -> {
          isOver = true;
          Mono<Void> release = released().cache();
          Mono<Void> resting = REST.compareAndSet(this, null, release) ? null : rest;
          return resting == null ? release : resting.onErrorResume(refused -> release);
        })
        .timeout(RELEASE, timer())
        .onErrorResume(TimeoutException.class, late -> notReleased(lease, late))
        .doFinally(any -> runner.held().remove(this));
  }

  /** Releases the lease, and has the runner begin with the next work of the thread. */
  private Mono<Void> released() {
    return Mono.defer(() -> {
      Lease held = lease;
      Phase now = phase;
      boolean handsOver = mustHandOver();
      isHandedOver = handsOver;
      return StoreCall.mono(
              () -> store.release(held, handsOver ? Release.HANDED_OVER : now.release))
          .onErrorResume(refused -> notReleased(held, refused))
          .filter(next -> next || now == Phase.OVERTAKEN)
          .flatMap(next -> begunNext(now))
          .doFinally(any -> left());
    });
  }

  private Mono<Void> begunNext(Phase left) {
    boolean isResumed = left.isResumed && !isStopped();
    if (isResumed && runner.isClosing() && !isHandedOver) {
      return handedOver();
    }
    Lease released = lease;
    return Mono.<Void>fromRunnable(() -> whenNext.accept(isResumed ? released : null))
        // a runner that is closed later waits for the run, which hands over if it cannot begin
        .then(Mono.defer(() -> isResumed && runner.isClosing() ? handedOver() : Mono.empty()));
  }

  private <T> Mono<T> notReleased(Lease held, Throwable refused) {
    return notReleased(runner, held, refused);
  }

  private static <T> Mono<T> notReleased(GraphRunner runner, Lease held, Throwable refused) {
    runner.reports().leaseNotReleased(held, CarriedError.unwrap(refused));
    return Mono.empty();
  }

  /** Returns whether a person has stopped the run. */
  private boolean isStopped() {
    Stop byPerson = stop;
    return byPerson != null && byPerson.isRequested();
  }

  /** Returns whether the run leaves work because its runner is closed, and no person stopped it. */
  private boolean mustHandOver() {
    return phase.leavesWork && !isHandedOver && runner.isClosing() && !isStopped();
  }

  private Mono<Void> handedOver() {
    return Mono.defer(() -> {
      isHandedOver = true;
      return handedOver(lease, runner, store);
    });
  }

  /** Hands over the thread of a released lease, unless another lease was given out since. */
  static Mono<Void> handedOver(Lease released, GraphRunner runner, CheckpointStore store) {
    return StoreCall.mono(() -> store.release(released, Release.HANDED_OVER))
        .onErrorResume(refused -> notReleased(runner, released, refused))
        .then();
  }

  GraphRunner runner() {
    return runner;
  }

  /** Returns whether the run holds its lease, and leaves work if it ends now. */
  boolean isUnderWay() {
    return phase.leavesWork && rest == null && !isOver;
  }

  /**
   * Writes the rest of a run that has failed, if that is possible, and releases the lease. A lost
   * lease is reported. A run that its closed runner has cut off is abandoned.
   */
  Mono<Void> failed(Throwable failure) {
    Throwable error = CarriedError.unwrap(failure);
    if (error instanceof RunnerClosedException) {
      return abandoned();
    }
    if (error instanceof LeaseLost && hasRun()) {
      runner.reports().leaseLost(lease, error);
    }
    phase = switch (phase) {
      case VACANT, BEGINNING -> Phase.VACANT;
      case IDLE -> Phase.IDLE;
      default -> Phase.ENDED;
    };
    return Mono.defer(() -> writer.flush())
        .takeUntilOther(kept())
        .onErrorComplete() // the run has failed with it, or with the error that keeps it unwritten
        .then(givenBack());
  }

  private boolean hasRun() {
    return phase != Phase.VACANT && phase != Phase.IDLE && phase != Phase.BEGINNING;
  }

  /** Writes the rest of a run whose subscriber has cancelled, and releases the lease. */
  Mono<Void> abandoned() {
    return Mono.deferContextual(context -> {
          isOver = true;
          return writer
              .flush()
              .takeUntilOther(kept())
              .doOnError(refused -> Operators.onErrorDropped(refused, Context.of(context)))
              .onErrorComplete();
        })
        .then(givenBack());
  }
}
