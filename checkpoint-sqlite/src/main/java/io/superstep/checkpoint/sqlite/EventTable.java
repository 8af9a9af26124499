package io.superstep.checkpoint.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;

/** The rows of events, and of the logs they belong to. */
final class EventTable {

  private static final int FRAME = 0;
  private static final int FACT = 1;
  private static final int RIDES = 2;
  private static final int HAS_RIDDEN = 3;

  /**
   * How many are kept of what tasks have said that have ended: somebody may be about to read it.
   */
  private static final int ENDED = 256;

  private EventTable() {}

  /**
   * What stands in the row of a log.
   *
   * @param fence the highest that was seen
   * @param own the number of the first fact that it has appended, or will
   * @param isClosed whether it was deleted, and no higher fence was seen since
   * @param first the number of the first fact that is kept
   * @param riding how many have ridden behind the last fact
   * @param life how often it was deleted
   */
  record LogRow(
      long id,
      long fence,
      long own,
      boolean isClosed,
      long first,
      long last,
      long riding,
      long life) {

    /** One that nobody has written to. */
    static final LogRow NONE = new LogRow(0, 0, 1, false, 1, 0, 0, 0);

    boolean isClosedTo(long by) {
      return by < fence || (isClosed && by == fence);
    }

    /** The number of the first fact that a writer with the fence {@code by} may have appended. */
    long own(long by) {
      return by > fence ? last + 1 : own;
    }
  }

  /** An event as it is stored. */
  static final class StoredEvent {

    private final long number;
    private final long riding;
    private final int kind;
    private final byte[] event;

    private StoredEvent(ResultSet rows) throws SQLException {
      this.number = Columns.whole(rows, 1);
      this.riding = Columns.whole(rows, 2);
      this.kind = rows.getInt(3);
      this.event = Columns.bytes(rows, 4);
    }

    long number() {
      return number;
    }

    long riding() {
      return riding;
    }

    boolean isFact() {
      return kind < RIDES;
    }

    boolean isKeyFrame() {
      return kind == FRAME;
    }

    /** Whether its task is still at it. */
    boolean rides() {
      return kind == RIDES;
    }

    byte[] event() {
      return event;
    }
  }

  /** {@link LogRow#NONE} if nobody has written to it. */
  static LogRow find(Session session, String thread) throws SQLException {
    LogRow row = session.one(
        "SELECT id, fence, own, is_closed, first, last, riding, life FROM log WHERE thread = ?",
        rows -> new LogRow(
            rows.getLong(1),
            rows.getLong(2),
            rows.getLong(3),
            rows.getBoolean(4),
            Columns.whole(rows, 5),
            Columns.whole(rows, 6),
            rows.getLong(7),
            rows.getLong(8)),
        Names.stored(thread));
    if (row != null && (row.first() < 1 || row.last() < 0 || row.first() - 1 > row.last())) {
      throw SqliteRowException.invalid(
          "The log has " + row.first() + " as its first and " + row.last() + " as its last event.",
          "table 'log', thread " + SqliteRowException.quoted(thread));
    }
    return row == null ? LogRow.NONE : row;
  }

  /** The same with a row, if there was none. */
  static LogRow made(Session session, String thread, LogRow known) throws SQLException {
    if (known != LogRow.NONE) {
      return known;
    }
    session.update("INSERT INTO log (thread) VALUES (?)", Names.stored(thread));
    return find(session, thread);
  }

  static void take(Session session, LogRow row, long by) throws SQLException {
    if (by > row.fence()) {
      session.update(
          "UPDATE log SET fence = ?, own = last + 1, is_closed = 0 WHERE id = ?", by, row.id());
    }
  }

  static void addFact(Session session, LogRow row, long number, boolean isKeyFrame, byte[] event)
      throws SQLException {
    add(session, row, number, 0, isKeyFrame ? FRAME : FACT, "", event);
  }

  /** @param tasks whose words it is, one per line */
  static void addRider(
      Session session, LogRow row, long number, long riding, String tasks, byte[] event)
      throws SQLException {
    add(session, row, number, riding, RIDES, "\n" + tasks + "\n", event);
  }

  private static void add(
      Session session, LogRow row, long number, long riding, int kind, String tasks, byte[] event)
      throws SQLException {
    session.update(
        "INSERT INTO event (log, number, riding, kind, tasks, event) VALUES (?, ?, ?, ?, ?, ?)",
        row.id(),
        number,
        riding,
        kind,
        tasks,
        event);
  }

  // the index of what rides beside facts is found by the very words with which it was made

  /** @param task whose words are void from now on; {@code *} for all */
  static void end(Session session, LogRow row, String task) throws SQLException {
    session.update(
        "UPDATE event SET kind = 3 WHERE log = ? AND kind = 2 AND kind >= 2 AND instr(tasks, ?) > 0",
        row.id(),
        task.equals("*") ? "\n" : "\n" + task + "\n");
  }

  static void told(Session session, LogRow row, long last, long riding) throws SQLException {
    session.update("UPDATE log SET last = ?, riding = ? WHERE id = ?", last, riding, row.id());
  }

  /** Drops the oldest of what rides beside the facts. */
  static void cap(Session session, LogRow row, int most) throws SQLException {
    cap(session, row, RIDES, most);
    cap(session, row, HAS_RIDDEN, ENDED);
  }

  private static void cap(Session session, LogRow row, int kind, int most) throws SQLException {
    long tooMany = session.number(
            "SELECT count(*) FROM event WHERE log = ? AND kind = ? AND kind >= 2", row.id(), kind)
        - most;
    if (tooMany > 0) {
      session.update(
          "DELETE FROM event WHERE log = ?1 AND (number, riding) IN (SELECT number, riding"
              + " FROM event WHERE log = ?1 AND kind = ?2 AND kind >= 2"
              + " ORDER BY number, riding LIMIT ?3)",
          row.id(),
          kind,
          tooMany);
    }
  }

  /** Forgets the facts below {@code first}; those that the next ones build on stay, unseen. */
  static void trim(Session session, LogRow row, long first) throws SQLException {
    session.update("UPDATE log SET first = ? WHERE id = ?", first, row.id());
    session.update(
        "DELETE FROM event WHERE log = ? AND number < ?", row.id(), frame(session, row, first));
  }

  /** The number of the last key frame that is not behind {@code number}. */
  static long frame(Session session, LogRow row, long number) throws SQLException {
    return session.number(
        "SELECT coalesce(max(number), 0) FROM event WHERE log = ? AND kind = 0 AND number <= ?",
        row.id(),
        number);
  }

  /** Returns whether there was a log, whatever its row has. */
  static boolean delete(Session session, String thread) throws SQLException {
    Long id = session.one(
        "SELECT id FROM log WHERE thread = ?", rows -> rows.getLong(1), Names.stored(thread));
    if (id == null) {
      return false;
    }
    session.update("DELETE FROM event WHERE log = ?", id);
    session.update(
        "UPDATE log SET is_closed = 1, own = 1, first = 1, last = 0, riding = 0, life = life + 1"
            + " WHERE id = ?",
        id);
    return true;
  }

  /** The events behind one of them, in order; those that ride only if they are wanted. */
  static List<StoredEvent> behind(
      Session session, LogRow row, long number, long riding, boolean riders, int most)
      throws SQLException {
    return session.all(
        "SELECT number, riding, kind, event FROM event"
            + " WHERE log = ? AND (number, riding) > (?, ?) AND kind < ?"
            + " ORDER BY number, riding LIMIT ?",
        StoredEvent::new,
        row.id(),
        number,
        riding,
        riders ? HAS_RIDDEN + 1 : RIDES,
        most);
  }

  /** What tasks that are still at it have said, up to a fact. */
  static List<StoredEvent> ridersUpTo(Session session, LogRow row, long number)
      throws SQLException {
    return session.all(
        "SELECT number, riding, kind, event FROM event"
            + " WHERE log = ? AND kind = 2 AND kind >= 2 AND number <= ? ORDER BY number, riding",
        StoredEvent::new,
        row.id(),
        number);
  }
}
