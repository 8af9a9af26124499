package io.superstep.checkpoint.sqlite;

import io.superstep.checkpoint.sqlite.Session.Work;
import io.superstep.error.SuperstepException;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * The one who writes to the file. Whatever has been asked for while a transaction was under way
 * goes into the next one together, so that all of it waits for the disk once; and nobody hears of
 * it before.
 *
 * <p>Work looks first and refuses with a {@link SuperstepException} before it has changed anything;
 * then the others of its transaction are not concerned. If it fails in any other way the
 * transaction is undone, and each of the others is done once more, on its own.
 */
final class Writer {

  /** How many go into one transaction at most. */
  private static final int MOST = 512;

  /** How long one who hands on may be kept before what it has asked for is written elsewhere. */
  private static final int KEPT_MILLIS = 1;

  private final SqliteFile file;
  private final SqliteErrors errors;
  private final Gate gate;
  private final Patience patience;
  private final StoreThreads threads;
  private final Delivery delivery;
  private final Queue<Asked<?>> waiting = new ConcurrentLinkedQueue<>();

  private final AtomicBoolean isWriting = new AtomicBoolean();

  /** Whether the thread that writes is about to be called. */
  private final AtomicBoolean isCallDue = new AtomicBoolean();

  private final AtomicLong transactions = new AtomicLong();
  private final LogCut logCut = new LogCut();

  private @Nullable Session session;
  private @Nullable Synchronous current;

  /**
   * A writer.
   *
   * @param handing delivers results; if it is that of {@code threads}, a delivery thread also
   *     writes the calls that a subscriber has made there
   */
  Writer(
      SqliteFile file,
      SqliteErrors errors,
      Gate gate,
      Patience patience,
      StoreThreads threads,
      Scheduler handing) {
    this.file = file;
    this.errors = errors;
    this.gate = gate;
    this.patience = patience;
    this.threads = threads;
    this.delivery = new Delivery(threads, handing, this::drain);
  }

  Delivery delivery() {
    return delivery;
  }

  /** Asks for {@code work} when it is subscribed to; it brings nothing where that is null. */
  <T> Mono<T> write(String doing, Work<? extends @Nullable T> work) {
    return call(doing, work, file.synchronous(), true);
  }

  /** As {@link #write}, of what may be lost when the machine goes down. */
  <T> Mono<T> writeLightly(String doing, Work<? extends @Nullable T> work) {
    return call(doing, work, Synchronous.NORMAL, true);
  }

  /** Asks for what SQLite does in no transaction. */
  <T> Mono<T> writeAlone(String doing, Work<? extends @Nullable T> work) {
    return call(doing, work, file.synchronous(), false);
  }

  private <T> Mono<T> call(
      String doing, Work<? extends @Nullable T> work, Synchronous synchronous, boolean isShared) {
    return Call.<Asked<T>, T>mono(
        context -> new Asked<>(doing, work, synchronous, isShared),
        asked -> asked.told,
        this::accept);
  }

  private void accept(Asked<?> asked) {
    try {
      gate.enter();
    } catch (SqliteClosedException closed) {
      asked.told.completeExceptionally(closed);
      return;
    }
    asked.mark = patience.waited();
    waiting.add(asked);
    try {
      if (!isWriting.get()) { // else whoever writes looks once more
        if (threads.isHandingOn()) {
          callSoon();
        } else {
          call();
        }
      }
    } catch (RuntimeException | Error noThread) {
      if (waiting.remove(asked)) { // else somebody else is about to write it
        gate.leave();
        asked.told.completeExceptionally(noThread);
      }
    }
  }

  /** Has the thread that writes look at what waits. */
  private void call() {
    callAfter(0, this::drain);
  }

  /** The same for one who hands on, and looks itself when it comes back, unless it is kept. */
  private void callSoon() {
    if (isCallDue.compareAndSet(false, true)) {
      try {
        callAfter(KEPT_MILLIS, () -> {
          isCallDue.set(false);
          drain();
        });
      } catch (RuntimeException | Error noThread) {
        isCallDue.set(false);
        throw noThread;
      }
    }
  }

  private void callAfter(int millis, Runnable look) {
    try {
      threads.writer().schedule(look, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      // it is closed when all is done: somebody else has written it
    }
  }

  long transactions() {
    return transactions.get();
  }

  /**
   * Writes until no call waits, and delivers the results. A delivery thread delivers the last
   * result itself, after other threads may write again; a call that the subscriber makes there is
   * written by the same thread, without the wake-up of another one.
   */
  void drain() {
    while (!waiting.isEmpty() && isWriting.compareAndSet(false, true)) {
      List<Asked<?>> batch = new ArrayList<>();
      List<Runnable> signals;
      try {
        signals = batchWritten(batch);
      } finally {
        isWriting.set(false);
      }
      List<Runnable> here =
          handOn(signals, threads.isHandingOn() ? signals.size() - 1 : signals.size());
      if (!here.isEmpty() && !waiting.isEmpty()) {
        // a call that came too late for this round must not wait for the subscribers below
        Unheard.safely(Context.empty(), this::call);
      }
      delivery.tell(here);
    }
  }

  /** Writes the next batch. Every call of it gets a signal, also after an error of the JVM. */
  private List<Runnable> batchWritten(List<Asked<?>> batch) {
    try {
      together(batch);
      return written(batch);
    } catch (Throwable failure) {
      closeSession();
      List<Runnable> signals = new ArrayList<>();
      for (Asked<?> asked : batch) {
        if (!asked.hasLeft) {
          signals.add(() -> asked.told.completeExceptionally(failure));
        }
      }
      return signals;
    }
  }

  /**
   * Schedules the first {@code first} of the signals; returns the others, and those that no
   * scheduler accepts. All calls have left the gate when it returns, as a subscriber may close the
   * file.
   */
  private List<Runnable> handOn(List<Runnable> signals, int first) {
    if (!delivery.isOwn()) {
      signals.forEach(each -> gate.leave());
    }
    List<Runnable> here = new ArrayList<>();
    for (int at = 0; at < signals.size(); at++) {
      if (at >= first || !delivery.trySchedule(signals.get(at))) {
        here.add(signals.get(at));
      }
    }
    if (delivery.isOwn()) {
      signals.forEach(each -> gate.leave());
    }
    return here;
  }

  /** Takes the calls of the next transaction, or the one call that uses none. */
  private void together(List<Asked<?>> batch) {
    for (Asked<?> next = waiting.peek();
        next != null && batch.size() < MOST;
        next = waiting.peek()) {
      if (!batch.isEmpty() && !(next.isShared && batch.get(0).isShared)) {
        return;
      }
      batch.add(next);
      if (!waiting.remove(next)) { // the caller found no thread, and took the call back
        batch.remove(batch.size() - 1);
      }
    }
  }

  /** Does all of it; brings what tells whoever has asked for it. */
  private List<Runnable> written(List<Asked<?>> all) {
    List<Asked<?>> left = wanted(all);
    while (!left.isEmpty()) {
      boolean isSettled = attempt(left);
      if (left.size() > 1 && isOnesOwn(left)) {
        return left.stream().flatMap(each -> written(List.of(each)).stream()).toList();
      }
      if (isSettled) {
        return tellings(left);
      }
      left = wanted(patient(left));
    }
    return List.of();
  }

  private List<Asked<?>> wanted(List<Asked<?>> all) {
    List<Asked<?>> wanted = new ArrayList<>(all.size());
    for (Asked<?> asked : all) {
      if (asked.isWanted()) {
        wanted.add(asked);
      } else {
        asked.hasLeft = true;
        gate.leave();
      }
    }
    return wanted;
  }

  /** Those who may still wait for other processes; the others are told at once. */
  private List<Asked<?>> patient(List<Asked<?>> all) {
    List<Asked<?>> patient = new ArrayList<>();
    List<Asked<?>> others = new ArrayList<>();
    for (Asked<?> asked : all) {
      (patience.left(asked.mark) > 0 ? patient : others).add(asked);
    }
    others.forEach(asked -> asked.hasLeft = true);
    delivery.tell(handOn(tellings(others), others.size()));
    return patient;
  }

  /** How long others may be waited for, in nanoseconds, until one of these is told. */
  private long left(List<Asked<?>> all) {
    long least = Long.MAX_VALUE;
    for (Asked<?> asked : all) {
      least = Math.min(least, patience.left(asked.mark));
    }
    return least;
  }

  /** Does all of it in one transaction; says whether that is settled, or others kept us out. */
  private boolean attempt(List<Asked<?>> all) {
    try {
      file.requireLogKept();
      Session open = open(all);
      sync(open, all);
      open.waitAtMost(left(all));
      patience.begin();
      if (all.get(0).isShared) {
        transactions.incrementAndGet();
        open.writing(in -> {
          patience.end(true);
          return run(all, in);
        });
      } else {
        run(all, open);
        patience.end(false); // it was at work, and may have waited before
      }
      file.requireLogThere();
      cutLog(open, all.get(0).isShared);
      return true;
    } catch (Throwable failure) { // also what nobody has declared, as in Kotlin
      boolean wasKeptOut = patience.end(true) && SqliteErrors.isBusy(failure);
      if (SqliteErrors.isOfTheConnection(failure)) {
        closeSession();
      }
      all.forEach(asked -> asked.failure = failure);
      return !wasKeptOut || isOnesOwn(all);
    }
  }

  /** What goes wrong with it concerns nobody whose work was done, unless the log is gone. */
  private void cutLog(Session open, boolean wasCommit) {
    try {
      logCut.look(open, file, wasCommit);
    } catch (IOException unseen) {
      Unheard.drop(Context.empty(), errors.typed(unseen, "cutting the log"));
    } catch (SQLException failure) {
      closeSession();
      Unheard.drop(Context.empty(), errors.typed(failure, "cutting the log"));
    }
  }

  private static @Nullable Void run(List<Asked<?>> all, Session in) throws SQLException {
    for (Asked<?> asked : all) {
      asked.run(in);
    }
    return null;
  }

  private Session open(List<Asked<?>> all) throws SQLException, IOException {
    if (session == null) {
      patience.begin();
      session = file.openToWrite(() -> left(all));
      patience.end(true);
      current = null;
    }
    return session;
  }

  private void sync(Session open, List<Asked<?>> all) throws SQLException {
    Synchronous needed = all.stream().allMatch(asked -> asked.synchronous == Synchronous.NORMAL)
        ? Synchronous.NORMAL
        : Synchronous.FULL;
    if (current != needed) {
      file.sync(open, needed);
      current = needed;
    }
  }

  private List<Runnable> tellings(List<Asked<?>> all) {
    return all.stream().map(asked -> asked.telling(errors)).toList();
  }

  /** Whether what went wrong was the work of one of them, and not how to begin or to end it. */
  private static boolean isOnesOwn(List<Asked<?>> all) {
    return all.stream().anyMatch(asked -> asked.hasBroken);
  }

  /** Called by whoever writes, or when nobody does any more. */
  void closeSession() {
    Session open = session;
    session = null;
    if (open != null) {
      open.close();
    }
  }

  /** What somebody has asked for, and who that is. */
  private static final class Asked<T> {

    private final String doing;
    private final Work<? extends @Nullable T> work;
    private final Synchronous synchronous;
    private final boolean isShared;

    /** Cancelled when nobody waits for it any more: then nobody is told, and nothing dropped. */
    private final CompletableFuture<T> told = new CompletableFuture<>();

    /** Whether it has left the gate before its batch was written. */
    private boolean hasLeft;

    /** By which its patience is known. */
    private long mark;

    private @Nullable T result;
    private @Nullable Throwable failure;

    /** Whether it was its work that failed, in another way than by a refusal. */
    private boolean hasBroken;

    Asked(
        String doing, Work<? extends @Nullable T> work, Synchronous synchronous, boolean isShared) {
      this.doing = doing;
      this.work = work;
      this.synchronous = synchronous;
      this.isShared = isShared;
    }

    boolean isWanted() {
      return !told.isCancelled();
    }

    void run(Session in) throws SQLException {
      result = null;
      failure = null;
      hasBroken = false;
      try {
        result = work.in(in);
      } catch (SuperstepException refused) {
        failure = refused;
      } catch (Throwable broken) {
        hasBroken = true;
        throw broken;
      }
    }

    /** Tells what came of it; it does not hold what was to be written, as it may have to wait. */
    @SuppressWarnings("NullAway") // what brings nothing is told so
    Runnable telling(SqliteErrors errors) {
      CompletableFuture<T> whom = told;
      T what = result;
      if (failure == null) {
        return () -> whom.complete(what);
      }
      Throwable why = errors.typed(failure, doing);
      return () -> whom.completeExceptionally(why);
    }
  }
}
