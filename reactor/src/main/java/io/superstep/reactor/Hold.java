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
import io.superstep.memory.InvalidMemoryException;
import io.superstep.memory.MemoryStore;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Outbox;
import io.superstep.state.Schemas;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * The right of one run to write to a thread: renewed while the run is at work, given back while it
 * waits for somebody to ask for more, and taken again then.
 */
final class Hold {

  /** How long a run keeps the thread to itself without saying that it is still there. */
  static final Duration LEASE = Duration.ofSeconds(30);

  /** How often it says so. */
  static final Duration RENEWAL = LEASE.dividedBy(3);

  /** How long the end of a run waits for the store to take its lease back. */
  static final Duration RELEASE = Duration.ofSeconds(5);

  /** How many writes a run may be ahead of the store, where it may be ahead at all. */
  static final int AHEAD = 16;

  private final GraphRunner runner;
  private final CheckpointStore store;
  private final Schemas schemas;
  private final @Nullable MemoryStore memory;
  private final @Nullable ThreadEvents events;
  private final LeaseKeeper keeper;
  private final Scheduler timer;
  private final Supplier<String> names;
  private final Consumer<Boolean> whenNext;
  private volatile Lease lease;
  private volatile LogWriter writer;
  private volatile @Nullable SuperstepLoop loop;

  /** Whether there was nothing to do. */
  private volatile boolean isSettled;

  /** Whether a run has begun, and leaves work behind if it ends now. */
  private volatile boolean leavesWork;

  /** The signal by which a person stops the run; null if there is none. */
  private volatile @Nullable Stop stop;

  /** Done when the thread has been given back; null while it is held. */
  private volatile @Nullable Mono<Void> rest;

  /** Whether the run has ended. */
  private volatile boolean isOver;

  /** Whether the run has ended without an error. */
  private volatile boolean hasEnded;

  /** Whether it ended because questions are open. */
  private volatile boolean isAsking;

  private Hold(CheckpointStore store, Lease lease, GraphRunner runner, Consumer<Boolean> whenNext) {
    this.runner = runner;
    this.store = store;
    this.schemas = runner.graph().schemas();
    this.memory = runner.memory();
    this.keeper = runner.leases();
    this.timer = runner.timer();
    this.names = runner::uniqueName;
    this.lease = lease;
    this.whenNext = whenNext;
    this.writer = new DirectWriter(store, schemas, this);
    EventLog log = runner.log();
    this.events = log == null ? null : new ThreadEvents(log, store, schemas, this);
  }

  /**
   * Takes the thread, if nobody else has it.
   *
   * @param whenNext called when the thread was given back and has something to do: an input waits
   *     for it, or, if it is given true, the thread may have been answered and is to be resumed
   */
  static Mono<Hold> of(
      String thread, CheckpointStore store, GraphRunner runner, Consumer<Boolean> whenNext) {
    return taken(thread, store, runner::uniqueName)
        .map(lease -> new Hold(store, lease, runner, whenNext));
  }

  /**
   * Takes the thread to resume it. If another run holds it, the resume is recorded, and that run
   * resumes the thread on release; if the lease was released meanwhile, the thread is taken.
   */
  static Mono<Hold> toResume(
      String thread, CheckpointStore store, GraphRunner runner, Consumer<Boolean> whenNext) {
    return of(thread, store, runner, whenNext)
        .onErrorResume(
            ThreadBusyException.class,
            busy -> StoreCall.mono(() -> store.requestResume(thread))
                .filter(isHeld -> !isHeld)
                .switchIfEmpty(Mono.error(busy))
                .flatMap(free -> of(thread, store, runner, whenNext)));
  }

  private static Mono<Lease> taken(String thread, CheckpointStore store, Supplier<String> names) {
    return StoreCall.mono(() -> store.acquire(thread, names.get(), LEASE));
  }

  Lease lease() {
    return lease;
  }

  /** Takes notice that there is nothing to do for whoever takes the thread over. */
  void settle() {
    isSettled = true;
  }

  /** Where it is kept what the thread tells; null if nowhere. */
  @Nullable
  ThreadEvents events() {
    return events;
  }

  /** Does first what has to be done whenever a thread is opened. */
  Mono<SavedThread> opened() {
    return (events == null ? loaded() : events.opened(loaded()))
        .flatMap(saved -> remembered(saved.outbox()).thenReturn(saved));
  }

  /** Has remembered what a checkpoint wants, unless that was done before. */
  Mono<Void> remembered(Outbox outbox) {
    if (outbox.writes().isEmpty()) {
      return Mono.empty();
    }
    return memory == null
        ? Mono.error(() -> InvalidMemoryException.nowhere(outbox.thread()))
        : StoreCall.mono(() -> memory.apply(outbox)).then();
  }

  void requireMemorable(String node, List<MemoryWrite> memories) {
    if (memory == null) {
      throw InvalidMemoryException.nowhere(node);
    }
    memories.forEach(each -> each.requireSize(memory.maxValueSize()));
  }

  /** Who writes to the thread; at once, unless told otherwise. */
  LogWriter writer() {
    return writer;
  }

  /** Begins a run: writes from now on follow the durability of {@code options}. */
  void begin(RunOptions options) {
    leavesWork = true;
    stop = options.stop();
    LogWriter direct = new DirectWriter(store, schemas, this);
    writer = switch (options.durability()) {
      case SYNC -> direct;
      case ASYNC -> QueuedWriter.ahead(direct, AHEAD);
      case EXIT -> QueuedWriter.atTheEnd(direct);
    };
  }

  /**
   * Ends the run.
   *
   * @param workIsLeft whether it was stopped before its work was done
   */
  void end(boolean workIsLeft) {
    leavesWork = workIsLeft;
    hasEnded = true;
  }

  /** Asks {@code run} now and then whether it needs the thread. */
  void reportTo(SuperstepLoop run) {
    writer.reportTo(run);
    loop = run;
  }

  /** Asks a run whether it needs its thread. */
  enum Need {
    ASKED
  }

  /** Says now and then that somebody is still there; never ends, but for an error. */
  Mono<Void> kept() {
    return keeper.keeping(this);
  }

  Scheduler timer() {
    return timer;
  }

  /** Asks the run whether it needs the thread, and says that somebody is still there. */
  Mono<Void> renewed() {
    SuperstepLoop run = loop;
    if (run != null && (events == null || !events.isWanted())) {
      run.signal(Need.ASKED);
    }
    Mono<Void> resting = rest;
    return resting != null
        ? resting
        : StoreCall.mono(() -> store.renew(lease, LEASE))
            .timeout(RENEWAL, timer)
            .onErrorResume(Hold::mayComeBack, failure -> Mono.empty())
            .then();
  }

  /** Whether there is time to try again before the lease runs out. */
  private static boolean mayComeBack(Throwable failure) {
    return !(failure instanceof LeaseLost);
  }

  /** The run ends because questions are open. */
  void waitForAnswers() {
    isAsking = true;
  }

  /** The run does not need the thread for now; only from inside its drain. */
  void rest() {
    if (rest == null) {
      Mono<Boolean> released = release(isHandedOver() ? Release.HANDED_OVER : Release.SETTLED);
      Mono<Void> left = hasEnded ? left(released) : released.onErrorComplete().then();
      rest = Mono.defer(writer::flush).then(left).cache();
    }
  }

  boolean isResting() {
    return rest != null;
  }

  /** The thread at its head. */
  Mono<SavedThread> loaded() {
    return StoreCall.mono(() -> store.load(lease.thread(), schemas));
  }

  /**
   * Takes the thread again, with a higher fence.
   *
   * @param head where the run left it; where it is another, another run has written to it
   */
  Mono<SavedThread> returned(@Nullable CheckpointId head) {
    String thread = lease.thread();
    return Objects.requireNonNull(rest)
        .then(taken(thread, store, names))
        .flatMap(again -> {
          lease = again;
          rest = null;
          return isOver ? released().then(Mono.never()) : loaded();
        })
        .map(Optional::of)
        .defaultIfEmpty(Optional.empty())
        .flatMap(now -> {
          CheckpointId at = now.map(saved -> saved.checkpoint().id()).orElse(null);
          if (at == null || !at.equals(head)) {
            return Mono.error(CheckpointConflictException.movedHead(thread, head, at));
          }
          return Mono.just(now.orElseThrow());
        });
  }

  /**
   * Gives the thread back. If that fails, or takes too long, the lease runs out by itself: the run
   * has ended, and all of it is written.
   */
  Mono<Void> givenBack() {
    return Mono.defer(this::released);
  }

  private Mono<Void> released() {
    isOver = true;
    Release settled = isSettled || loop != null ? Release.SETTLED : Release.UNCHANGED;
    return left(release(isHandedOver() ? Release.HANDED_OVER : settled).take(RELEASE, timer));
  }

  /** Returns whether the run leaves work because its runner is closed, and no person stopped it. */
  private boolean isHandedOver() {
    Stop byPerson = stop;
    return leavesWork && runner.isClosing() && (byPerson == null || !byPerson.isRequested());
  }

  /** Releases the lease; an error that the store throws is signalled. */
  private Mono<Boolean> release(Release how) {
    Lease held = lease;
    return StoreCall.mono(() -> store.release(held, how));
  }

  /** Lets others know if the thread has something else to do now. */
  private Mono<Void> left(Mono<Boolean> released) {
    return released
        .onErrorComplete()
        .filter(next -> next)
        .doOnNext(next -> whenNext.accept(isAsking || loop == null))
        .then();
  }

  /**
   * Writes what is left of a run that has failed, if that can be done, and gives the thread back.
   */
  Mono<Void> failed() {
    end(false);
    return Mono.defer(() -> writer.flush())
        .takeUntilOther(kept())
        .onErrorComplete() // the run has failed with it, or with what kept it from being written
        .then(givenBack());
  }

  /**
   * Writes the rest of a run whose subscriber has cancelled, and gives the thread back. A runner
   * that is being closed waits for it.
   */
  Mono<Void> abandoned() {
    Mono<Void> release = Mono.deferContextual(context -> writer
            .flush()
            .takeUntilOther(kept())
            .doOnError(refused -> Operators.onErrorDropped(refused, Context.of(context)))
            .onErrorComplete())
        .then(givenBack());
    return runner.isClosing() ? runner.detached().releasing(release) : release;
  }
}
