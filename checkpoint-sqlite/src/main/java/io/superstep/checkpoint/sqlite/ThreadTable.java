package io.superstep.checkpoint.sqlite;

import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.sqlite.ThreadRow.Tip;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
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

  private static final String NEXT = SELECT + ", t.name" + FROM + "t.id > ? ORDER BY t.id LIMIT ?";
  private static final String NEXT_LIVE =
      SELECT + ", t.name" + FROM + LIVE + " AND t.id > ? ORDER BY t.id LIMIT ?";

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
    Long sequence = Session.nullable(rows, 10);
    return sequence == null
        ? null
        : new Tip(
            new CheckpointId(sequence, rows.getLong(11)),
            rows.getLong(12),
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
      known = Objects.requireNonNull(find(session, thread));
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

  /** Some threads in the order of their ids. */
  static List<ThreadRow> behind(Session session, long id, int most, boolean onlyLive)
      throws SQLException {
    return session.all(
        onlyLive ? NEXT_LIVE : NEXT, rows -> row(rows, Names.read(rows.getString(15))), id, most);
  }

  static long nextFence(Session session) throws SQLException {
    session.update("UPDATE fence SET last = last + 1");
    return session.number("SELECT last FROM fence");
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

  static void release(Session session, ThreadRow row, int lost) throws SQLException {
    if (row.head() == null && row.waiting() == 0) {
      delete(session, row);
    } else {
      session.update("UPDATE thread SET owner = NULL, lost = ? WHERE id = ?", lost, row.id());
    }
  }

  static void delete(Session session, ThreadRow row) throws SQLException {
    session.update("DELETE FROM thread WHERE id = ?", row.id());
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
