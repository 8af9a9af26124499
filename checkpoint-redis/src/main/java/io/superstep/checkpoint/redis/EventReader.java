package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.RedisSpace.bytes;
import static io.superstep.checkpoint.redis.RedisSpace.text;

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

  /** What rides beside facts up to the cursor is behind it already, or never was for us. */
  private final long start;

  private final Set<String> running = new HashSet<>();
  private final List<GraphEvent> before = new ArrayList<>();

  private long cursor;
  private long last;
  private String life = "";
  private String position = "";
  private String newest = "";
  private boolean hasRead;
  private Footing footing = Footing.NONE;

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
  }

  private Mono<List<Object>> call(RedisScript script, byte[]... arguments) {
    return space.call(
        script, space.keys().events(thread), "the events of thread '" + thread + "'", arguments);
  }

  /** Finds where to begin, and says that it did. */
  Mono<EventReader> attach() {
    return call(ATTACH, bytes(cursor), bytes(chunks == Chunks.SO_FAR ? "1" : "0"))
        .map(this::attached);
  }

  private EventReader attached(List<Object> reply) {
    switch (text(reply.get(0))) {
      case "UNKNOWN" ->
        throw new UnknownCursorException(thread, cursor, Long.parseLong(text(reply.get(1))));
      case "TRIMMED" ->
        throw new EventsTrimmedException(thread, cursor, Long.parseLong(text(reply.get(1))));
      default -> {
        last = Long.parseLong(text(reply.get(1)));
        life = text(reply.get(2));
        long frame = Long.parseLong(text(reply.get(3)));
        position = frame == 0 ? "0-0" : (frame - 1) + "-" + Long.toUnsignedString(-1L);
        newest = text(reply.get(4));
        footing = Footing.NONE;
        ((List<?>) reply.get(5)).forEach(id -> running.add(text(id)));
        for (Object chunk : (List<?>) reply.get(6)) {
          before.add(codec.decode((byte[]) chunk, Footing.NONE, schemas).event());
        }
        return this;
      }
    }
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
    return call(READ, bytes(position), bytes(PAGE), bytes(life), bytes(cursor))
        .flatMap(reply -> switch (text(reply.get(0))) {
          case "OK" -> Mono.just(events((List<?>) reply.get(1)));
          case "TRIMMED" ->
            Mono.error(
                new EventsTrimmedException(thread, cursor, Long.parseLong(text(reply.get(1)))));
          default -> begunAnew(Long.parseLong(text(reply.get(1))));
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
      List<?> entry = (List<?>) each;
      position = text(entry.get(0));
      List<?> fields = (List<?>) entry.get(1);
      String kind = text(fields.get(0));
      if (kind.equals("c") && !isWanted(position)) {
        continue;
      }
      DecodedEvent decoded =
          codec.decode((byte[]) fields.get(1), kind.equals("k") ? Footing.NONE : footing, schemas);
      GraphEvent event = decoded.event();
      if (event instanceof Provisional) {
        events.add(event);
        continue;
      }
      footing = decoded.footing();
      if (event.sequence() > cursor) {
        cursor = event.sequence();
        events.add(event);
      }
    }
    return events;
  }

  /** Whether what rides beside a fact is for us: from when we came, or of a task that runs. */
  private boolean isWanted(String id) {
    if (chunks == Chunks.NONE) {
      return false;
    }
    if (isBehind(id, newest)) {
      return true;
    }
    return running.contains(id) && number(id) > start;
  }

  private static boolean isBehind(String id, String other) {
    long byNumber = number(id) - number(other);
    return byNumber > 0 || (byNumber == 0 && place(id) > place(other));
  }

  private static long number(String id) {
    return Long.parseLong(id.substring(0, id.indexOf('-')));
  }

  private static long place(String id) {
    return Long.parseLong(id.substring(id.indexOf('-') + 1));
  }
}
