package io.superstep.checkpoint.sqlite;

import io.superstep.checkpoint.sqlite.EventTable.LogRow;
import io.superstep.checkpoint.sqlite.EventTable.StoredEvent;
import io.superstep.event.Chunks;
import io.superstep.event.EventsTrimmedException;
import io.superstep.event.GraphEvent;
import io.superstep.event.UnknownCursorException;
import io.superstep.json.DecodedEvent;
import io.superstep.json.EventCodec;
import io.superstep.json.Footing;
import io.superstep.state.Schemas;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Mono;

/**
 * Reads the events of a thread for one subscriber, page by page. It begins at a key frame, and
 * passes on what is behind the cursor. Used by one JVM thread at a time.
 */
final class EventReader {

  private static final int PAGE = 256;

  private final SqliteDatabase database;
  private final EventCodec codec;
  private final String thread;
  private final String doing;
  private final Chunks chunks;
  private final Schemas schemas;

  /** What rides beside facts up to here is told before all else, or never was for us. */
  private final long start;

  private long cursor;
  private long last;
  private long life;

  /** Where the next page begins: behind this one. */
  private long number;

  private long riding;

  /** What was there when it began: of that only what still rides is for us. */
  private long newest;

  private long newestRiding;
  private boolean hasRead;
  private Footing footing = Footing.NONE;

  EventReader(
      SqliteDatabase database,
      EventCodec codec,
      String thread,
      long after,
      Chunks chunks,
      Schemas schemas) {
    this.database = database;
    this.codec = codec;
    this.thread = thread;
    this.doing = "the events of thread '" + thread + "'";
    this.start = after;
    this.cursor = after;
    this.chunks = chunks;
    this.schemas = schemas;
  }

  /** Finds where to begin, and brings what running tasks have said before that, if it is wanted. */
  Mono<List<GraphEvent>> attach() {
    return database.read(doing, this::attach, this::decoded);
  }

  private List<StoredEvent> attach(Session session) throws SQLException {
    LogRow row = EventTable.find(session, thread);
    if (cursor < 0 || cursor > row.last()) {
      throw new UnknownCursorException(thread, cursor, row.last());
    }
    requireKept(row);
    last = row.last();
    life = row.life();
    number = EventTable.frame(session, row, cursor + 1) - 1;
    riding = Long.MAX_VALUE;
    newest = row.last();
    newestRiding = row.riding();
    footing = Footing.NONE;
    return chunks == Chunks.SO_FAR ? EventTable.ridersUpTo(session, row, cursor) : List.of();
  }

  private List<GraphEvent> decoded(List<StoredEvent> riders) {
    return riders.stream().map(rider -> decoded(rider, Footing.NONE).event()).toList();
  }

  private void requireKept(LogRow row) {
    if (cursor < row.first() - 1) {
      throw new EventsTrimmedException(thread, cursor, row.first());
    }
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
    return database.<Page, List<GraphEvent>>read(doing, this::page, this::events);
  }

  private Page page(Session session) throws SQLException {
    LogRow row = EventTable.find(session, thread);
    if (row.life() != life) {
      if (cursor != 0) {
        throw new UnknownCursorException(thread, cursor, row.last());
      }
      attach(session); // who has seen nothing of the thread can go on when it begins anew
    }
    requireKept(row);
    List<StoredEvent> found =
        EventTable.behind(session, row, number, riding, chunks != Chunks.NONE, PAGE);
    return new Page(found, row.last(), found.size() == PAGE);
  }

  /**
   * A page as it is stored.
   *
   * @param last the number of the last fact of the log, as of the same transaction
   * @param isFull whether more may follow
   */
  private record Page(List<StoredEvent> events, long last, boolean isFull) {}

  /** @throws SqliteRowException if a fact is missing that was not trimmed */
  private List<GraphEvent> events(Page page) {
    hasRead = !page.events().isEmpty();
    List<GraphEvent> events = new ArrayList<>(page.events().size());
    for (StoredEvent stored : page.events()) {
      number = stored.number();
      riding = stored.riding();
      if (stored.isFact()) {
        requireNext(page);
        Footing before = stored.isKeyFrame() ? Footing.NONE : footing;
        DecodedEvent decoded = decoded(stored, before);
        footing = decoded.footing();
        if (number > cursor) {
          cursor = number;
          events.add(decoded.event());
        }
      } else if (isWanted(stored)) {
        events.add(decoded(stored, Footing.NONE).event());
      }
    }
    if (!page.isFull() && cursor < page.last()) {
      throw SqliteRowException.missingEvent(thread, cursor + 1, page.last());
    }
    return events;
  }

  /** Facts up to the cursor are read for their state only; a key frame may stand in for them. */
  private void requireNext(Page page) {
    if (number > cursor + 1) {
      throw SqliteRowException.missingEvent(thread, cursor + 1, Math.max(number, page.last()));
    }
  }

  private DecodedEvent decoded(StoredEvent stored, Footing before) {
    DecodedEvent decoded = Decoding.decoded(() -> codec.decode(stored.event(), before, schemas));
    if (decoded.event().sequence() != stored.number()) {
      throw SqliteRowException.invalid(
          "The stored event belongs to another row.",
          "table 'event', thread " + SqliteRowException.quoted(thread) + ", number "
              + stored.number());
    }
    return decoded;
  }

  /** Whether what rides beside a fact is for us: from when we came, or of a task that runs. */
  private boolean isWanted(StoredEvent rider) {
    boolean isNew =
        rider.number() > newest || (rider.number() == newest && rider.riding() > newestRiding);
    return isNew || (chunks == Chunks.SO_FAR && rider.rides() && rider.number() > start);
  }
}
