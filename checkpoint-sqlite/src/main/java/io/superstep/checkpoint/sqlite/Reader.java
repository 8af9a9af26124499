package io.superstep.checkpoint.sqlite;

import io.superstep.checkpoint.sqlite.Session.Work;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Those who read from the file beside the one who writes, each on a connection of its own. What was
 * asked for before the gate was closed is done, also what had to wait for its turn.
 */
final class Reader {

  private final SqliteFile file;
  private final SqliteErrors errors;
  private final Gate gate;
  private final Scheduler threads;
  private final Delivery delivery;
  private final Mono<Void> opening;

  /** Connections that nobody reads on now; there are never more than threads that read. */
  private final Queue<Session> idle = new ConcurrentLinkedQueue<>();

  private final AtomicLong reads = new AtomicLong();

  /** @param opening has the file opened by whoever writes to it */
  Reader(
      SqliteFile file,
      SqliteErrors errors,
      Gate gate,
      Scheduler threads,
      Delivery delivery,
      Mono<Void> opening) {
    this.file = file;
    this.errors = errors;
    this.gate = gate;
    this.threads = threads;
    this.delivery = delivery;
    this.opening = opening;
  }

  /** Asks for {@code work} when it is subscribed to; it brings nothing where that is null. */
  <S, T> Mono<T> read(String doing, Work<? extends @Nullable S> work, Function<S, T> decoding) {
    return Call.<Asked<S, T>, T>mono(
        context -> new Asked<>(doing, work, decoding, context), asked -> asked.told, this::accept);
  }

  private void accept(Asked<?, ?> asked) {
    try {
      gate.enter();
    } catch (SqliteClosedException closed) {
      asked.told.completeExceptionally(closed);
      return;
    }
    if (file.isOpen()) {
      schedule(asked);
    } else {
      opening.subscribe(new Opening(asked));
    }
  }

  private void schedule(Asked<?, ?> asked) {
    try {
      threads.schedule(() -> run(asked));
    } catch (RuntimeException | Error noThread) {
      refuse(asked, noThread); // it may be done all the same, when there is one
    }
  }

  private void refuse(Asked<?, ?> asked, Throwable failure) {
    if (asked.isDue.getAndSet(false)) {
      gate.leave();
      asked.told.completeExceptionally(failure);
    }
  }

  private void run(Asked<?, ?> asked) {
    if (!asked.isDue.getAndSet(false)) {
      return;
    }
    if (asked.told.isCancelled()) {
      gate.leave();
    } else {
      delivery.deliver(asked.read(), gate);
    }
  }

  private <T> @Nullable T look(Work<? extends @Nullable T> work) throws SQLException, IOException {
    file.requireThere();
    Session session = idle.poll();
    if (session == null) {
      session = file.openToRead();
    }
    boolean isSound = false;
    try {
      reads.incrementAndGet();
      T result = session.reading(work);
      isSound = true;
      return result;
    } catch (RuntimeException refused) {
      isSound = true;
      throw refused;
    } finally {
      if (isSound) {
        idle.add(session);
      } else {
        session.close();
      }
    }
  }

  /** How many transactions have read up to now. */
  long reads() {
    return reads.get();
  }

  /** Called when nobody reads any more. */
  void closeSessions() {
    for (Session session = idle.poll(); session != null; session = idle.poll()) {
      session.close();
    }
  }

  /** Lets somebody wait for the file to be opened, and then for a turn. */
  private final class Opening extends BaseSubscriber<Void> {

    private final Asked<?, ?> asked;

    Opening(Asked<?, ?> asked) {
      this.asked = asked;
    }

    @Override
    public Context currentContext() {
      return Context.of(asked.context);
    }

    @Override
    protected void hookOnComplete() {
      schedule(asked);
    }

    @Override
    protected void hookOnError(Throwable failure) {
      refuse(asked, failure);
    }
  }

  /** What somebody has asked for, and who that is. */
  private final class Asked<S, T> {

    private final String doing;
    private final Work<? extends @Nullable S> work;
    private final Function<S, T> decoding;
    private final ContextView context;

    /** Cancelled when nobody waits for it any more: then nobody is told, and nothing dropped. */
    private final CompletableFuture<T> told = new CompletableFuture<>();

    /** Until it is read, or refused. */
    private final AtomicBoolean isDue = new AtomicBoolean(true);

    Asked(
        String doing,
        Work<? extends @Nullable S> work,
        Function<S, T> decoding,
        ContextView context) {
      this.doing = doing;
      this.work = work;
      this.decoding = decoding;
      this.context = context;
    }

    /** Reads, and brings what tells of it. */
    @SuppressWarnings("NullAway") // what brings nothing is told so
    Runnable read() {
      T result;
      try {
        S found = look(work);
        result = found == null ? null : decoding.apply(found);
      } catch (Throwable failure) { // also what nobody has declared, as in Kotlin
        Throwable typed = errors.typed(failure, doing);
        return () -> told.completeExceptionally(typed);
      }
      return () -> told.complete(result);
    }
  }
}
