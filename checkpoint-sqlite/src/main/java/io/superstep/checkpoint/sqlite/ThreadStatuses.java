package io.superstep.checkpoint.sqlite;

import io.superstep.checkpoint.LogEntry;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.state.Schemas;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What threads are up to. */
final class ThreadStatuses {

  private final ThreadBytes bytes;

  ThreadStatuses(ThreadBytes bytes) {
    this.bytes = bytes;
  }

  /** Null if nothing was ever written to the thread, and nothing waits for it. */
  @Nullable
  ThreadSummary of(Session session, ThreadRow row, Instant now) throws SQLException {
    if (row.head() == null) {
      List<byte[]> waiting = InputTable.waiting(session, row);
      return waiting.isEmpty()
          ? null
          : new ThreadSummary(
              row.name(),
              row.isLeased(now) ? ThreadStatus.RUNNING : ThreadStatus.ORPHANED,
              null,
              bytes.input(waiting.get(0), Schemas.NONE).time());
    }
    LogEntry head = bytes.entry(
        Objects.requireNonNull(LogTable.entry(session, row.id(), row.head())), Schemas.NONE);
    ThreadStatus status = ThreadStatus.of(
        head.position(),
        bytes.notes(LogTable.notes(session, row.id(), row.head()), Schemas.NONE),
        row.isLeased(now),
        row.lost(now),
        row.waiting() > 0);
    return new ThreadSummary(row.name(), status, row.head(), head.time());
  }
}
