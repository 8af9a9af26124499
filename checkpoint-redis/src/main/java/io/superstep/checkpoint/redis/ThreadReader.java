package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.RedisSpace.bytes;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.SavedThread;
import io.superstep.state.Schemas;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Reads threads: from a checkpoint back along its parents, up to the last snapshot or to a base, in
 * pages of the log.
 */
final class ThreadReader {

  /** How many bytes of the log are brought at a time, about. */
  static final int PAGE = 1 << 20;

  private final RedisSpace space;
  private final ThreadBytes bytes;
  private final String ttlOnRead;

  /** @param ttlOnRead for how long a thread that is done is kept when it is read; empty if as is */
  ThreadReader(RedisSpace space, ThreadBytes bytes, String ttlOnRead) {
    this.space = space;
    this.bytes = bytes;
    this.ttlOnRead = ttlOnRead;
  }

  /** The thread at {@code id}, or at its head if that is null; empty if there is none. */
  Mono<SavedThread> load(String thread, @Nullable CheckpointId id, Schemas schemas) {
    List<String> keys = space.keys().thread(thread);
    String doing = "loading thread '" + ThreadNames.shown(thread) + "'";
    return Mono.defer(() -> space
        .call(
            ThreadScripts.LOAD,
            keys,
            doing,
            bytes(id == null ? "" : id.toString()),
            bytes(PAGE),
            bytes(ttlOnRead))
        .flatMap(reply -> reply.isEmpty()
            ? Mono.empty()
            : completed(new Walk(Frames.ofThread(thread), id != null, reply), keys, doing)
                .flatMap(walk -> walk.isOutdated()
                    ? load(thread, id, schemas) // what it started from went while it was read
                    : Mono.justOrEmpty(walk.result(thread, schemas)))));
  }

  private Mono<Walk> completed(Walk walk, List<String> keys, String doing) {
    if (walk.isOver()) {
      return Mono.just(walk);
    }
    return space
        .call(
            ThreadScripts.PAGE,
            keys,
            doing,
            bytes(Math.max(1, walk.first - walk.size)),
            bytes(walk.first - 1),
            bytes(PAGE))
        .flatMap(page -> completed(walk.with(page), keys, doing));
  }

  /** The checkpoints of a thread from {@code before} back, or from its end if that is null. */
  Flux<StoredEntry> backwards(String thread, @Nullable CheckpointId before) {
    List<String> keys = space.keys().thread(thread);
    return Flux.defer(() -> {
      Cursor cursor = new Cursor(
          Frames.ofThread(thread), before == null ? "" : Long.toString(before.sequence()));
      return Mono.defer(() -> space.call(
              ThreadScripts.PAGE,
              keys,
              "the history of thread '" + ThreadNames.shown(thread) + "'",
              bytes(1),
              bytes(cursor.last),
              bytes(PAGE)))
          .map(cursor::entries)
          .repeat(() -> cursor.more)
          .concatMapIterable(page -> page, 1);
    });
  }

  /** How far a history has been read; used by one JVM thread at a time. */
  private static final class Cursor {

    private final Frames frames;
    private String last;
    private boolean more = true;

    Cursor(Frames frames, String last) {
      this.frames = frames;
      this.last = last;
    }

    List<StoredEntry> entries(List<Object> page) {
      long cut = frames.number(page.get(0), "field cut");
      long first = frames.number(page.get(3), "log");
      List<?> stored = frames.list(page.get(4), "log");
      List<StoredEntry> entries = new ArrayList<>(stored.size());
      for (int at = stored.size() - 1; at >= 0; at--) {
        StoredEntry entry = frames.entry(stored.get(at), first + at);
        if (entry != null) {
          entries.add(entry);
        }
      }
      last = Long.toString(first - 1);
      more = !stored.isEmpty() && first > cut + 1;
      return entries;
    }
  }

  /** The way back from a checkpoint; used by one JVM thread at a time. */
  private final class Walk {

    private final Frames frames;
    private final boolean mayBeUnknown;
    private final long cut;
    private final byte[] version;
    private final long size;
    private final @Nullable CheckpointId base;
    private final byte @Nullable [] snapshot;
    private final List<byte[]> notes;
    private final Deque<StoredEntry> way = new ArrayDeque<>();

    /** Where the page begins that was read last. */
    private long first;

    private @Nullable CheckpointId next;
    private boolean changed;
    private boolean outdated;

    /** @param mayBeUnknown whether the caller named the checkpoint, which may not exist */
    Walk(Frames frames, boolean mayBeUnknown, List<Object> reply) {
      this.frames = frames;
      this.mayBeUnknown = mayBeUnknown;
      this.next = frames.id(reply.get(0), "field head");
      if (reply.size() == 1) {
        throw missing(next);
      }
      this.cut = frames.number(reply.get(1), "field cut");
      this.version = frames.bytes(reply.get(2), "field version");
      this.first = frames.number(reply.get(3), "log");
      this.size = frames.number(reply.get(4), "field total");
      this.base = frames.idOrNone(reply.get(5), "field snapshot");
      this.snapshot = base == null ? null : frames.bytes(reply.get(6), "snapshot");
      List<byte[]> left = frames.notes(reply.get(7), "left notes");
      this.notes = left.isEmpty() ? frames.allBytes(reply.get(8), "notes") : left;
      walk(frames.list(reply.get(9), "log"));
    }

    Walk with(List<Object> page) {
      changed = !Arrays.equals(frames.bytes(page.get(1), "field version"), version);
      outdated = frames.number(page.get(0), "field cut") != cut;
      if (!outdated) {
        first = frames.number(page.get(3), "log");
        walk(frames.list(page.get(4), "log"));
      }
      return this;
    }

    private void walk(List<?> page) {
      while (next != null && next.sequence() >= first) {
        long at = next.sequence() - first;
        StoredEntry entry =
            at < page.size() ? frames.entry(page.get((int) at), next.sequence()) : null;
        if (entry == null || !entry.id().equals(next)) {
          lose(next);
          return;
        }
        boolean isBase = next.equals(base);
        if (!isBase || way.isEmpty()) {
          way.addFirst(entry);
        }
        next = isBase ? null : entry.line().parent();
      }
      if (next != null && next.sequence() <= cut) {
        lose(next);
      }
    }

    /**
     * Ends the walk at a checkpoint that is not in the log. That is legitimate if it is the one
     * that the caller named, or if others removed it while the thread was read.
     */
    private void lose(CheckpointId id) {
      if (changed) {
        outdated = true;
      } else if (!way.isEmpty() || !mayBeUnknown) {
        throw missing(id);
      }
      next = null;
    }

    private InvalidRecordException missing(CheckpointId id) {
      return frames.invalid("checkpoint " + id.sequence(), "it is missing");
    }

    boolean isOver() {
      return next == null || outdated;
    }

    boolean isOutdated() {
      return outdated;
    }

    @Nullable
    SavedThread result(String thread, Schemas schemas) {
      if (way.isEmpty()) {
        return null;
      }
      StoredEntry start = way.getFirst();
      boolean isThere = start.id().equals(base);
      boolean fromSnapshot = isThere || Objects.equals(start.line().parent(), base);
      return bytes.thread(
          thread,
          base != null && fromSnapshot ? snapshot : null,
          isThere,
          List.copyOf(way),
          notes,
          schemas);
    }
  }
}
