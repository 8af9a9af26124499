package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.RedisSpace.bytes;
import static io.superstep.checkpoint.redis.RedisSpace.text;

import io.superstep.checkpoint.redis.Frames.StreamEntry;
import io.superstep.checkpoint.redis.Frames.StreamId;
import io.superstep.event.Chunks;
import io.superstep.event.EventsTrimmedException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Provisional;
import io.superstep.event.UnknownCursorException;
import io.superstep.json.DecodedEvent;
import io.superstep.json.EventCodec;
import io.superstep.json.Footing;
import io.superstep.state.Schemas;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import reactor.core.publisher.Mono;

/**
 * Reads the events of a thread for one subscriber, page by page. It begins at a key frame, and
 * passes on what is behind the cursor. Used by one JVM thread at a time.
 */
final class EventReader {

  private static final RedisScript ATTACH = RedisScript.of("log", "log_attach");
  private static final RedisScript READ = RedisScript.of("log", "log_read");
  private static final int PAGE = 256;

  private final RedisSpace space;
  private final EventCodec codec;
  private final String thread;
  private final Chunks chunks;
  private final Schemas schemas;
  private final Frames frames;

  /** What rides beside facts up to the cursor is behind it already, or never was for us. */
  private final long start;

  private final Set<StreamId> running = new HashSet<>();
  private final List<GraphEvent> before = new ArrayList<>();

  private long cursor;
  private long last;

  /** Names the life of the thread; compared as bytes, as it is not ours to interpret. */
  private byte[] life = {};

  private StreamId position = StreamId.START;
  private StreamId newest = StreamId.START;
  private boolean hasRead;
  private Footing footing = Footing.NONE;

  /** Reads the scripts now, rather than on a delivery thread, which must not block. */
  static void load() {}

  EventReader(
      RedisSpace space,
      EventCodec codec,
      String thread,
      long after,
      Chunks chunks,
      Schemas schemas) {
    this.space = space;
    this.codec = codec;
    this.thread = thread;
    this.start = after;
    this.cursor = after;
    this.chunks = chunks;
    this.schemas = schemas;
    this.frames = Frames.ofThread(thread);
  }

  private Mono<List<Object>> call(RedisScript script, byte[]... arguments) {
    return space.call(
        script, space.keys().events(thread), "the events of " + frames.place(), arguments);
  }

  /** Finds where to begin, and says that it did. */
  Mono<EventReader> attach() {
    return call(ATTACH, bytes(cursor), bytes(chunks == Chunks.SO_FAR ? "1" : "0"))
        .map(this::attached);
  }

  private EventReader attached(List<Object> reply) {
    switch (text(reply.get(0))) {
      case "UNKNOWN" ->
        throw new UnknownCursorException(thread, cursor, frames.number(reply.get(1), "field last"));
      case "TRIMMED" ->
        throw new EventsTrimmedException(
            thread, cursor, frames.number(reply.get(1), "field first"));
      default -> {
        last = frames.number(reply.get(1), "field last");
        life = frames.bytes(reply.get(2), "field life");
        long frame = frames.number(reply.get(3), "frames");
        position = frame == 0 ? StreamId.START : new StreamId(frame - 1, Long.MAX_VALUE);
        newest = frames.streamId(reply.get(4));
        footing = Footing.NONE;
        for (Object id : frames.list(reply.get(5), "chunks")) {
          running.add(frames.streamId(id));
        }
        for (byte[] chunk : frames.allBytes(reply.get(6), "chunks")) {
          before.add(decoded(chunk, Footing.NONE).event());
        }
        return this;
      }
    }
  }

  private DecodedEvent decoded(byte[] event, Footing on) {
    return Coding.decoded(frames.place(), () -> codec.decode(event, on, schemas));
  }

  /** What running tasks have said before the cursor, if that is wanted. */
  List<GraphEvent> before() {
    return before;
  }

  /** The number of the last fact when it began. */
  long last() {
    return last;
  }

  boolean isAtTheEnd() {
    return cursor >= last;
  }

  /** Whether the last page had anything in it, wanted or not. */
  boolean hasRead() {
    return hasRead;
  }

  /** The next events; none if there are none now. */
  Mono<List<GraphEvent>> page() {
    return call(READ, bytes(position.toString()), bytes(PAGE), life, bytes(cursor))
        .flatMap(reply -> switch (text(reply.get(0))) {
          case "OK" -> Mono.just(events(frames.list(reply.get(1), "events")));
          case "TRIMMED" ->
            Mono.error(new EventsTrimmedException(
                thread, cursor, frames.number(reply.get(1), "field first")));
          default -> begunAnew(frames.number(reply.get(1), "field last"));
        });
  }

  /** The thread was deleted: who has seen nothing of it can go on. */
  private Mono<List<GraphEvent>> begunAnew(long there) {
    hasRead = true;
    return cursor == 0
        ? attach().thenReturn(List.of())
        : Mono.error(new UnknownCursorException(thread, cursor, there));
  }

  private List<GraphEvent> events(List<?> entries) {
    hasRead = !entries.isEmpty();
    List<GraphEvent> events = new ArrayList<>(entries.size());
    for (Object each : entries) {
      StreamEntry entry = frames.streamEntry(each);
      position = entry.id();
      boolean rides = entry.kind().equals("c");
      if (rides && !isWanted(position)) {
        continue;
      }
      DecodedEvent decoded =
          decoded(entry.event(), entry.kind().equals("k") ? Footing.NONE : footing);
      GraphEvent event = decoded.event();
      if (event instanceof Provisional != rides) {
        throw frames.invalid("event " + position, "its kind is not that of its content");
      }
      if (rides) {
        events.add(event);
        continue;
      }
      if (event.sequence() != position.number()) {
        throw frames.invalid("event " + position, "its number is not that of its content");
      }
      footing = decoded.footing();
      if (event.sequence() > cursor + 1) {
        throw new EventsTrimmedException(thread, cursor, event.sequence());
      }
      if (event.sequence() > cursor) {
        cursor = event.sequence();
        events.add(event);
      }
    }
    return events;
  }

  /** Whether what rides beside a fact is for us: from when we came, or of a task that runs. */
  private boolean isWanted(StreamId id) {
    if (chunks == Chunks.NONE) {
      return false;
    }
    return id.compareTo(newest) > 0 || (running.contains(id) && id.number() > start);
  }
}
