package io.superstep.checkpoint.sqlite;

import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.sqlite.ThreadRow.Tip;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of threads: where they stand, and who is at them. */
final class ThreadTable {

  /**
   * Threads with their heads. It is asked before every write, and each column takes its time: what
   * few need is asked for by them.
   */
  private static final String SELECT = "SELECT t.id, t.is_idle, t.owner, t.fence, t.until, t.lost,"
      + " t.waiting, t.skipped, t.look, c.sequence, c.fence, c.stem, c.span,"
      + " EXISTS (SELECT 1 FROM note n WHERE n.thread = t.id AND n.sequence = c.sequence)";

  private static final String FROM = " FROM thread t LEFT JOIN checkpoint c ON c.thread = t.id"
      + " AND c.sequence = (SELECT max(sequence) FROM checkpoint WHERE thread = t.id) WHERE ";

  private static final String FIND = SELECT + FROM + "t.name = ?";

  /** In the words of the index, so that SQLite takes that. */
  private static final String LIVE =
      "(is_idle = 0 OR owner IS NOT NULL OR lost > 0 OR waiting > 0)";

  private static final String FIND_BY_ID = SELECT + FROM + "t.id = ?";
  private static final String NEXT = "SELECT id, name FROM thread WHERE id > ? ORDER BY id LIMIT ?";
  private static final String NEXT_LIVE =
      "SELECT id, name FROM thread WHERE " + LIVE + " AND id > ? ORDER BY id LIMIT ?";

  /** How a thread is called whose stored name is damaged, in front of the id of its row. */
  private static final String DAMAGED_NAME = "%row-";

  private ThreadTable() {}

  private static ThreadRow row(ResultSet rows, String name) throws SQLException {
    return new ThreadRow(
        rows.getLong(1),
        name,
        rows.getBoolean(2),
        rows.getString(3),
        rows.getLong(4),
        Instant.ofEpochMilli(rows.getLong(5)),
        rows.getInt(6),
        rows.getInt(7),
        rows.getLong(8),
        rows.getLong(9),
        tip(rows));
  }

  private static @Nullable Tip tip(ResultSet rows) throws SQLException {
    Long sequence = Columns.wholeOrNull(rows, 10);
    return sequence == null
        ? null
        : new Tip(
            new CheckpointId(sequence, Columns.whole(rows, 11)),
            Columns.whole(rows, 12),
            rows.getLong(13),
            rows.getBoolean(14));
  }

  /** Null if there is no such thread. */
  static @Nullable ThreadRow find(Session session, String thread) throws SQLException {
    return session.one(FIND, rows -> row(rows, thread), Names.stored(thread));
  }

  /** The row of a thread, which is made if there is none. */
  static ThreadRow made(Session session, String thread) throws SQLException {
    ThreadRow known = find(session, thread);
    if (known == null) {
      session.update("INSERT INTO thread (name) VALUES (?)", Names.stored(thread));
      known = find(session, thread);
    }
    if (known == null) {
      throw SqliteRowException.invalid(
          "The row of the thread is not found by its name.", "table 'thread'");
    }
    return known;
  }

  /** @throws CheckpointConflictException if {@code lease} was lost */
  static ThreadRow held(Session session, Lease lease) throws SQLException {
    ThreadRow row = find(session, lease.thread());
    if (row == null || !row.isHeldBy(lease)) {
      throw CheckpointConflictException.lostLease(lease);
    }
    return row;
  }

  /**
   * A thread in a listing.
   *
   * @param name the name; if the stored one is damaged, a substitute that {@link #id} knows
   */
  record Listed(long id, String name, boolean isDamaged) {

    static Listed of(long id, @Nullable Object stored) {
      String name = stored instanceof String text ? Names.readOrNull(text) : null;
      return name == null ? new Listed(id, DAMAGED_NAME + id, true) : new Listed(id, name, false);
    }
  }

  /** Some threads in the order of their ids. */
  static List<Listed> behind(Session session, long id, int most, boolean onlyLive)
      throws SQLException {
    List<Listed> found = session.all(
        onlyLive ? NEXT_LIVE : NEXT,
        rows -> Listed.of(rows.getLong(1), rows.getObject(2)),
        id,
        most);
    List<Listed> listed = new ArrayList<>(found.size());
    for (Listed each : found) {
      listed.add(isFound(session, each) ? each : Listed.of(each.id(), null));
    }
    return listed;
  }

  /** The driver replaces bytes that are not UTF-8; the result would not find the row again. */
  private static boolean isFound(Session session, Listed listed) throws SQLException {
    return listed.name().indexOf('\uFFFD') < 0
        || session.number(
                "SELECT count(*) FROM thread WHERE id = ? AND name = ?",
                listed.id(),
                Names.stored(listed.name()))
            > 0;
  }

  /** The row of a listed thread, with every column checked; null if it has gone. */
  static @Nullable ThreadRow checked(Session session, Listed listed) throws SQLException {
    if (listed.isDamaged()) {
      throw SqliteRowException.invalid(
          "The name of the thread is damaged.", "table 'thread', row " + listed.id());
    }
    return session.one(
        FIND_BY_ID,
        rows -> {
          for (int column : new int[] {2, 4, 5, 6, 7, 8, 9}) {
            Columns.whole(rows, column);
          }
          return row(rows, listed.name());
        },
        listed.id());
  }

  /** The id of the row of a thread, whatever else the row has; null if there is none. */
  static @Nullable Long id(Session session, String thread) throws SQLException {
    Long id = session.one(
        "SELECT id FROM thread WHERE name = ?", rows -> rows.getLong(1), Names.stored(thread));
    return id == null && thread.startsWith(DAMAGED_NAME) ? damaged(session, thread) : id;
  }

  private static @Nullable Long damaged(Session session, String substitute) throws SQLException {
    long id;
    try {
      id = Long.parseLong(substitute, DAMAGED_NAME.length(), substitute.length(), 10);
    } catch (NumberFormatException anotherName) {
      return null;
    }
    List<Listed> found = behind(session, id - 1, 1, false);
    return !found.isEmpty() && found.get(0).equals(new Listed(id, substitute, true)) ? id : null;
  }

  /** The lease of a thread; null if there is none, or none that can be read. */
  static @Nullable Lease lease(Session session, long id, String thread) throws SQLException {
    return session.one(
        "SELECT owner, fence, until FROM thread WHERE id = ? AND owner IS NOT NULL"
            + " AND typeof(until) = 'integer'",
        rows -> new Lease(
            thread, rows.getString(1), rows.getLong(2), Instant.ofEpochMilli(rows.getLong(3))),
        id);
  }

  /** @throws SqliteRowException if a fence could come that was used before */
  static long nextFence(Session session, ThreadRow row) throws SQLException {
    session.update("UPDATE fence SET last = last + 1");
    Long next = session.one("SELECT last FROM fence", rows -> Columns.whole(rows, 1));
    if (next == null || next <= row.fence() || next < 1) {
      throw SqliteRowException.invalid(
          "The last fence is missing, or lower than the fence of a thread.", "table 'fence'");
    }
    return next;
  }

  static void lease(Session session, ThreadRow row, Lease lease, int lost) throws SQLException {
    session.update(
        "UPDATE thread SET owner = ?, fence = ?, until = ?, lost = ? WHERE id = ?",
        lease.owner(),
        lease.fence(),
        lease.until().toEpochMilli(),
        lost,
        row.id());
  }

  /** Writes a lease that is given out anew, with which a request to resume is dropped. */
  static void newLease(Session session, ThreadRow row, Lease lease, int lost) throws SQLException {
    session.update(
        "UPDATE thread SET owner = ?, fence = ?, until = ?, lost = ?, is_resume_requested = 0"
            + " WHERE id = ?",
        lease.owner(),
        lease.fence(),
        lease.until().toEpochMilli(),
        lost,
        row.id());
  }

  static void requestResume(Session session, ThreadRow row) throws SQLException {
    session.update("UPDATE thread SET is_resume_requested = 1 WHERE id = ?", row.id());
  }

  static boolean isResumeRequested(Session session, ThreadRow row) throws SQLException {
    return session.number("SELECT is_resume_requested FROM thread WHERE id = ?", row.id()) != 0;
  }

  static void handOver(Session session, ThreadRow row, int lost) throws SQLException {
    session.update("UPDATE thread SET lost = ? WHERE id = ?", lost, row.id());
  }

  static void release(Session session, ThreadRow row, int lost) throws SQLException {
    if (row.head() == null && row.waiting() == 0) {
      delete(session, row);
    } else {
      session.update("UPDATE thread SET owner = NULL, lost = ? WHERE id = ?", lost, row.id());
    }
  }

  static void delete(Session session, ThreadRow row) throws SQLException {
    delete(session, row.id());
  }

  /** Removes rows that belong to nothing else too: the id may be given to another thread. */
  static void delete(Session session, long id) throws SQLException {
    session.update("DELETE FROM note WHERE thread = ?", id);
    session.update("DELETE FROM snapshot WHERE thread = ?", id);
    session.update("DELETE FROM checkpoint WHERE thread = ?", id);
    session.update("DELETE FROM input WHERE thread = ?", id);
    session.update("DELETE FROM thread WHERE id = ?", id);
  }

  static void found(Session session, ThreadRow row) throws SQLException {
    session.update("UPDATE thread SET lost = 0 WHERE id = ?", row.id());
  }

  /** Most steps change nothing of this, and then the row is not written. */
  static void turned(Session session, ThreadRow row, boolean isIdle, int lost) throws SQLException {
    if (isIdle != row.isIdle() || lost != row.lost()) {
      session.update(
          "UPDATE thread SET is_idle = ?, lost = ? WHERE id = ?", isIdle ? 1 : 0, lost, row.id());
    }
  }

  /** What changes with whatever is no mere step. */
  static long shape(Session session, ThreadRow row) throws SQLException {
    return session.number("SELECT shape FROM thread WHERE id = ?", row.id());
  }

  static void reshaped(Session session, ThreadRow row) throws SQLException {
    session.update("UPDATE thread SET shape = shape + 1 WHERE id = ?", row.id());
  }

  /** Says from how much on that is read a thread is looked at again. */
  static void looked(Session session, ThreadRow row, long look) throws SQLException {
    session.update("UPDATE thread SET look = ? WHERE id = ?", look, row.id());
  }

  /** Says what loading need not read, as there is a snapshot. */
  static void skipped(Session session, ThreadRow row, long skipped, long look) throws SQLException {
    session.update("UPDATE thread SET skipped = ?, look = ? WHERE id = ?", skipped, look, row.id());
  }
}
