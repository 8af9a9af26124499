package io.superstep.checkpoint.sqlite;

import io.superstep.checkpoint.LogEntry;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.error.SuperstepException;
import io.superstep.state.Schemas;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The statuses of threads. */
final class ThreadStatuses {

  private final ThreadBytes bytes;
  private final SqliteErrors errors;

  ThreadStatuses(ThreadBytes bytes, SqliteErrors errors) {
    this.bytes = bytes;
    this.errors = errors;
  }

  /**
   * The summary of a listed thread. If its rows cannot be read, it is unreadable, and no other
   * thread is affected.
   *
   * @return null if the thread has neither checkpoints nor queued inputs, or has gone
   */
  @Nullable
  ThreadSummary of(Session session, ThreadTable.Listed listed, Instant now) throws SQLException {
    try {
      ThreadRow row = ThreadTable.checked(session, listed);
      return row == null ? null : of(session, row, now);
    } catch (SuperstepException unreadable) {
      return ThreadSummary.unreadable(listed.name(), unreadable);
    } catch (SQLException failure) {
      if (SqliteErrors.isCorrupt(failure)
          && errors.typed(failure, "listing threads") instanceof SuperstepException damaged) {
        return ThreadSummary.unreadable(listed.name(), damaged);
      }
      throw failure;
    }
  }

  /** Null if nothing was ever written to the thread, and nothing waits for it. */
  @Nullable
  ThreadSummary of(Session session, ThreadRow row, Instant now) throws SQLException {
    if (row.head() == null) {
      List<byte[]> waiting = InputTable.waiting(session, row);
      return waiting.isEmpty()
          ? null
          : withLease(
              row,
              new ThreadSummary(
                  row.name(),
                  row.isLeased(now) ? ThreadStatus.RUNNING : ThreadStatus.ORPHANED,
                  null,
                  bytes.input(waiting.get(0), Schemas.NONE).time()));
    }
    byte[] entry = LogTable.entry(session, row.id(), row.head());
    if (entry == null) {
      throw SqliteRowException.missingCheckpoint(row, row.head().sequence());
    }
    LogEntry head = bytes.entry(entry, Schemas.NONE);
    if (!head.id().equals(row.head())) {
      throw SqliteRowException.invalidCheckpoint(
          row.name(), row.head().sequence(), "The entry is that of another checkpoint.");
    }
    ThreadStatus status = ThreadStatus.of(
        head.position(),
        bytes.notes(LogTable.notes(session, row.id(), row.head()), Schemas.NONE),
        row.isLeased(now),
        row.lost(now),
        row.waiting() > 0);
    return withLease(row, new ThreadSummary(row.name(), status, row.head(), head.time()));
  }

  private static ThreadSummary withLease(ThreadRow row, ThreadSummary summary) {
    return row.owner() == null ? summary : summary.withLease(row.owner(), row.until());
  }
}
