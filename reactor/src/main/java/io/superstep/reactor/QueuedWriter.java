package io.superstep.reactor;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.TaskNote;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Writes beside the run, one thing after the other in the order of their coming, and lets the run
 * be ahead by so many things and no more.
 */
final class QueuedWriter implements LogWriter {

  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final LogWriter direct;
  private final int most;
  private final boolean isEager;

  private final Deque<Entry> waiting = new ArrayDeque<>();
  private @Nullable SuperstepLoop loop;
  private @Nullable Throwable refused;
  private CompletableFuture<Void> room = DONE;
  private CompletableFuture<Void> empty = DONE;
  private boolean isFlushing;
  private boolean isWriting;

  /** Something to be written. */
  private record Entry(@Nullable Commit commit, Mono<Void> write) {}

  private QueuedWriter(LogWriter direct, int most, boolean isEager) {
    this.direct = direct;
    this.most = most;
    this.isEager = isEager;
  }

  /** Begins to write at once. */
  static QueuedWriter ahead(LogWriter direct, int most) {
    return new QueuedWriter(direct, most, true);
  }

  /** Writes nothing before all of it has to be. */
  static QueuedWriter atTheEnd(LogWriter direct) {
    return new QueuedWriter(direct, Integer.MAX_VALUE, false);
  }

  /** What waits to be told of tasks of the step that ends here is part of the checkpoint. */
  @Override
  public Mono<Void> commit(Commit commit) {
    synchronized (this) {
      waiting.removeIf(entry -> entry.commit() == null);
    }
    return take(new Entry(commit, direct.commit(commit)));
  }

  @Override
  public Mono<Void> record(CheckpointId head, List<TaskNote> notes) {
    return take(new Entry(null, direct.record(head, notes)));
  }

  private Mono<Void> take(Entry entry) {
    CompletableFuture<Void> turn;
    synchronized (this) {
      if (refused != null) {
        return Mono.error(refused);
      }
      waiting.add(entry);
      empty = empty == DONE ? new CompletableFuture<>() : empty;
      room = room == DONE && waiting.size() > most ? new CompletableFuture<>() : room;
      turn = room;
    }
    writeOn();
    return whenDone(turn);
  }

  private static Mono<Void> whenDone(CompletableFuture<Void> turn) {
    return turn == DONE ? Mono.empty() : Mono.fromFuture(turn, true);
  }

  @Override
  public Mono<Void> flush() {
    CompletableFuture<Void> all;
    synchronized (this) {
      isFlushing = !waiting.isEmpty();
      all = empty;
    }
    writeOn();
    return whenDone(all);
  }

  @Override
  public boolean isSafe() {
    return false;
  }

  @Override
  public void reportTo(SuperstepLoop listener) {
    Throwable before;
    synchronized (this) {
      loop = listener;
      before = refused;
    }
    if (before != null) {
      listener.signal(new Saving.Refused(before));
    }
  }

  private void writeOn() {
    synchronized (this) {
      if (isWriting || waiting.isEmpty() || !(isEager || isFlushing)) {
        return;
      }
      isWriting = true;
    }
    Mono.defer(this::writeNext).repeat(this::hasMore).subscribe(new Progress());
  }

  private Mono<Void> writeNext() {
    Entry next;
    synchronized (this) {
      next = waiting.poll();
    }
    return next == null ? Mono.empty() : next.write().then(Mono.fromRunnable(() -> written(next)));
  }

  private void written(Entry entry) {
    CompletableFuture<Void> freed = DONE;
    SuperstepLoop listener;
    synchronized (this) {
      if (waiting.size() <= most) {
        freed = room;
        room = DONE;
      }
      listener = loop;
    }
    Commit commit = entry.commit();
    if (commit != null && listener != null && commit.cause().kind() == Cause.Kind.STEP) {
      listener.signal(new Saving.Done(commit));
    }
    freed.complete(null);
  }

  private boolean hasMore() {
    CompletableFuture<Void> all;
    synchronized (this) {
      if (!waiting.isEmpty()) {
        return true;
      }
      isWriting = false;
      isFlushing = false;
      all = empty;
      empty = DONE;
    }
    all.complete(null);
    return false;
  }

  private void refuse(Throwable error) {
    SuperstepLoop listener;
    CompletableFuture<Void> noRoom;
    CompletableFuture<Void> neverEmpty;
    synchronized (this) {
      refused = error;
      waiting.clear();
      noRoom = room;
      neverEmpty = empty;
      listener = loop;
    }
    if (listener != null) {
      listener.signal(new Saving.Refused(error));
    }
    noRoom.completeExceptionally(error);
    neverEmpty.completeExceptionally(error);
  }

  /** Looks on as one thing after the other is written. */
  private final class Progress extends BaseSubscriber<Void> {

    @Override
    protected void hookOnError(Throwable error) {
      refuse(error);
    }

    @Override
    public Context currentContext() {
      SuperstepLoop listener = loop;
      return listener == null ? Context.empty() : listener.subscriber().currentContext();
    }
  }
}
