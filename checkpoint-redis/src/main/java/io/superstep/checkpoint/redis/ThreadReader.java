package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.RedisSpace.bytes;
import static io.superstep.checkpoint.redis.RedisSpace.text;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.SavedThread;
import io.superstep.state.Schemas;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
    String doing = "loading thread '" + thread + "'";
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
            : completed(new Walk(reply), thread, keys, doing)
                .flatMap(walk -> walk.isPruned()
                    ? load(thread, id, schemas) // what it started from went while it was read
                    : Mono.justOrEmpty(walk.result(thread, schemas)))));
  }

  private Mono<Walk> completed(Walk walk, String thread, List<String> keys, String doing) {
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
        .flatMap(page -> completed(walk.with(page), thread, keys, doing));
  }

  /** The checkpoints of a thread from {@code before} back, or from its end if that is null. */
  Flux<StoredEntry> backwards(String thread, @Nullable CheckpointId before) {
    List<String> keys = space.keys().thread(thread);
    return Flux.defer(() -> {
      Cursor cursor = new Cursor(before == null ? "" : Long.toString(before.sequence()));
      return Mono.defer(() -> space.call(
              ThreadScripts.PAGE,
              keys,
              "the history of thread '" + thread + "'",
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

    private String last;
    private boolean more = true;

    Cursor(String last) {
      this.last = last;
    }

    List<StoredEntry> entries(List<Object> page) {
      long first = Long.parseLong(text(page.get(3)));
      long cut = Long.parseLong(text(page.get(0)));
      List<?> stored = (List<?>) page.get(4);
      List<StoredEntry> entries = new ArrayList<>(stored.size());
      for (int at = stored.size() - 1; at >= 0; at--) {
        StoredEntry entry = StoredEntry.read((byte[]) stored.get(at));
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

    private final long cut;
    private final long size;
    private final @Nullable CheckpointId base;
    private final byte[] snapshot;
    private final List<byte[]> notes;
    private final Deque<StoredEntry> way = new ArrayDeque<>();

    /** Where the page begins that was read last. */
    private long first;

    private @Nullable CheckpointId next;
    private boolean pruned;

    Walk(List<Object> reply) {
      this.next = CheckpointId.parse(text(reply.get(0)));
      this.cut = Long.parseLong(text(reply.get(1)));
      this.first = Long.parseLong(text(reply.get(2)));
      this.size = Long.parseLong(text(reply.get(3)));
      String id = text(reply.get(4));
      this.base = id.isEmpty() ? null : CheckpointId.parse(id);
      this.snapshot = (byte[]) reply.get(5);
      List<byte[]> left = unpacked((byte[]) reply.get(6));
      this.notes = left.isEmpty() ? all((List<?>) reply.get(7)) : left;
      walk((List<?>) reply.get(8));
    }

    Walk with(List<Object> page) {
      pruned = Long.parseLong(text(page.get(0))) != cut;
      if (!pruned) {
        first = Long.parseLong(text(page.get(3)));
        walk((List<?>) page.get(4));
      }
      return this;
    }

    private void walk(List<?> page) {
      while (next != null && next.sequence() >= first) {
        int at = Math.toIntExact(next.sequence() - first);
        StoredEntry entry = at < page.size() ? StoredEntry.read((byte[]) page.get(at)) : null;
        if (entry == null || !entry.id().equals(next)) {
          way.clear();
          next = null;
          return;
        }
        boolean isBase = next.equals(base);
        if (!isBase || way.isEmpty()) {
          way.addFirst(entry);
        }
        next = isBase ? null : entry.line().parent();
      }
    }

    boolean isOver() {
      return next == null || pruned;
    }

    boolean isPruned() {
      return pruned;
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

  private static List<byte[]> all(List<?> reply) {
    return reply.stream().map(each -> (byte[]) each).toList();
  }

  private static List<byte[]> unpacked(byte[] packed) {
    List<byte[]> parts = new ArrayList<>();
    ByteBuffer rest = ByteBuffer.wrap(packed);
    while (rest.hasRemaining()) {
      byte[] part = new byte[rest.getInt()];
      rest.get(part);
      parts.add(part);
    }
    return parts;
  }
}
