package io.superstep.reactor;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.TaskNote;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Writes beside the run, one thing after the other in the order of their coming, and lets the run
 * be ahead by so many things and no more. What it is given counts from the call on.
 */
final class QueuedWriter implements LogWriter {

  private final LogWriter direct;
  private final int most;
  private final boolean isEager;

  private final Deque<Entry> waiting = new ArrayDeque<>();
  private @Nullable SuperstepLoop loop;
  private @Nullable Throwable refused;

  /** Checkpoints that became durable before the loop was known. */
  private final List<Commit> unreported = new ArrayList<>(1);

  private long last;

  /** The number of the last thing that has to be written now. */
  private long wanted;

  private boolean isWriting;

  /** What is being written; null if nothing is. */
  private @Nullable CompletableFuture<Void> writing;

  /** Something to be written. */
  private record Entry(
      long number, @Nullable Commit commit, Mono<Void> write, CompletableFuture<Void> done) {}

  private QueuedWriter(LogWriter direct, int most, boolean isEager) {
    this.direct = direct;
    this.most = most;
    this.isEager = isEager;
  }

  /** Begins to write at once. */
  static QueuedWriter ahead(LogWriter direct, int most) {
    return new QueuedWriter(direct, most, true);
  }

  /** Writes nothing before it has to be. */
  static QueuedWriter atTheEnd(LogWriter direct) {
    return new QueuedWriter(direct, Integer.MAX_VALUE, false);
  }

  /** What waits to be told of tasks of the step that ends here is part of the checkpoint. */
  @Override
  public Mono<Void> commit(Commit commit) {
    List<Entry> part = new ArrayList<>();
    synchronized (this) {
      waiting.removeIf(entry -> entry.commit() == null && part.add(entry));
    }
    part.forEach(entry -> entry.done().complete(null));
    return take(commit, direct.commit(commit), false);
  }

  @Override
  public Mono<Void> record(CheckpointId head, List<TaskNote> notes) {
    return take(null, direct.record(head, notes), false);
  }

  @Override
  public Mono<Void> force(CheckpointId head, List<TaskNote> notes) {
    return take(null, direct.record(head, notes), true);
  }

  /** @param isUrgent whether to wait until it is written, and not only until there is room */
  private Mono<Void> take(@Nullable Commit commit, Mono<Void> write, boolean isUrgent) {
    CompletableFuture<Void> turn;
    synchronized (this) {
      if (refused != null) {
        return Mono.error(refused);
      }
      Entry entry = new Entry(++last, commit, write, new CompletableFuture<>());
      waiting.add(entry);
      if (isUrgent) {
        wanted = entry.number();
      }
      turn = isUrgent ? entry.done() : waiting.size() > most ? waiting.element().done() : null;
    }
    writeOn();
    return whenDone(turn);
  }

  private static Mono<Void> whenDone(@Nullable CompletableFuture<Void> turn) {
    return turn == null ? Mono.empty() : Mono.fromFuture(turn, true);
  }

  @Override
  public Mono<Void> flush() {
    CompletableFuture<Void> all;
    synchronized (this) {
      if (refused != null) {
        return Mono.error(refused);
      }
      wanted = last;
      all = waiting.isEmpty() ? writing : waiting.getLast().done();
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
    List<Commit> durable;
    synchronized (this) {
      loop = listener;
      before = refused;
      durable = List.copyOf(unreported);
      unreported.clear();
    }
    durable.forEach(commit -> listener.signal(new Saving.Done(commit)));
    if (before != null) {
      listener.signal(new Saving.Refused(before));
    }
  }

  private void writeOn() {
    synchronized (this) {
      if (isWriting || !hasWork()) {
        return;
      }
      isWriting = true;
    }
    FluxBoundary.around(Mono.defer(this::writeNext).repeat(this::goesOn)).subscribe(new Progress());
  }

  private boolean hasWork() {
    return !waiting.isEmpty() && (isEager || waiting.element().number() <= wanted);
  }

  private Mono<Void> writeNext() {
    Entry next;
    synchronized (this) {
      next = waiting.poll();
      writing = next == null ? null : next.done();
    }
    return next == null
        ? Mono.empty()
        : StoreCall.mono(next::write).then(Mono.fromRunnable(() -> written(next)));
  }

  private void written(Entry entry) {
    SuperstepLoop listener;
    Commit commit = entry.commit();
    synchronized (this) {
      writing = null;
      listener = loop;
      if (commit != null && listener == null) {
        unreported.add(commit);
      }
    }
    if (commit != null && listener != null) {
      listener.signal(new Saving.Done(commit));
    }
    entry.done().complete(null);
  }

  private synchronized boolean goesOn() {
    isWriting = hasWork();
    return isWriting;
  }

  private void refuse(Throwable error) {
    SuperstepLoop listener;
    List<CompletableFuture<Void>> never = new ArrayList<>();
    synchronized (this) {
      refused = error;
      if (writing != null) {
        never.add(writing);
      }
      waiting.forEach(entry -> never.add(entry.done()));
      waiting.clear();
      listener = loop;
    }
    if (listener != null) {
      listener.signal(new Saving.Refused(error));
    }
    never.forEach(turn -> turn.completeExceptionally(error));
  }

  /** Looks on as one thing after the other is written. */
  private final class Progress extends BaseSubscriber<Void> {

    @Override
    protected void hookOnError(Throwable error) {
      refuse(CarriedError.unwrap(error));
    }

    @Override
    public Context currentContext() {
      SuperstepLoop listener = loop;
      return listener == null ? Context.empty() : listener.context();
    }
  }
}
