package io.superstep.checkpoint.sqlite;

import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Lease;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The rows of threads: where they stand, and who is at them. */
final class ThreadTable {

  private static final String COLUMNS =
      "id, name, head, head_fence, digest, is_idle, owner, fence, until, lost, waiting, shape, span,"
          + " look";
  private static final String FIND = "SELECT " + COLUMNS + " FROM thread WHERE name = ?";

  /** In the words of the index, so that SQLite takes that. */
  private static final String LIVE =
      "(is_idle = 0 OR owner IS NOT NULL OR lost > 0 OR waiting > 0)";

  private static final String NEXT =
      "SELECT " + COLUMNS + " FROM thread WHERE id > ? ORDER BY id LIMIT ?";
  private static final String NEXT_LIVE =
      "SELECT " + COLUMNS + " FROM thread WHERE " + LIVE + " AND id > ? ORDER BY id LIMIT ?";

  private ThreadTable() {}

  private static ThreadRow row(ResultSet rows) throws SQLException {
    Long head = Session.nullable(rows, 3);
    return new ThreadRow(
        rows.getLong(1),
        Names.read(rows.getString(2)),
        head == null ? null : new CheckpointId(head, rows.getLong(4)),
        rows.getString(5),
        rows.getBoolean(6),
        rows.getString(7),
        rows.getLong(8),
        Instant.ofEpochMilli(rows.getLong(9)),
        rows.getInt(10),
        rows.getInt(11),
        rows.getLong(12),
        rows.getLong(13),
        rows.getLong(14));
  }

  /** Null if there is no such thread. */
  static @Nullable ThreadRow find(Session session, String thread) throws SQLException {
    return session.one(FIND, ThreadTable::row, Names.stored(thread));
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
    return session.all(onlyLive ? NEXT_LIVE : NEXT, ThreadTable::row, id, most);
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

  static void moved(
      Session session, ThreadRow row, CheckpointId head, String digest, long shape, long span)
      throws SQLException {
    session.update(
        "UPDATE thread SET head = ?, head_fence = ?, digest = ?, shape = ?, span = ? WHERE id = ?",
        head.sequence(),
        head.fence(),
        digest,
        shape,
        span,
        row.id());
  }

  /** Apart from where it stands: the index of live threads is written only when this changes. */
  static void turned(Session session, ThreadRow row, boolean isIdle, int lost) throws SQLException {
    if (isIdle != row.isIdle() || lost != row.lost()) {
      session.update(
          "UPDATE thread SET is_idle = ?, lost = ? WHERE id = ?", isIdle ? 1 : 0, lost, row.id());
    }
  }

  static void reshaped(Session session, ThreadRow row) throws SQLException {
    session.update("UPDATE thread SET shape = shape + 1 WHERE id = ?", row.id());
  }

  static void measured(Session session, long id, long span, long look) throws SQLException {
    session.update("UPDATE thread SET span = ?, look = ? WHERE id = ?", span, look, id);
  }
}
