package io.superstep.checkpoint.sqlite;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/**
 * Keeps the log in which SQLite writes first from growing for ever.
 *
 * <p>SQLite writes the log back to the file as it grows, and begins it anew when nobody reads from
 * it; but where somebody always does that moment never comes, and what the log has once taken of
 * the disk it keeps. So whoever writes cuts it off when it has become too long. Now and then it
 * stops for a moment to let those come to an end who read what is no longer the newest: behind them
 * all read from the file.
 */
final class LogCut {

  /** Four times what SQLite lets it have before it is written back. */
  static final long LIMIT = 16 << 20;

  private static final Duration PAUSE = Duration.ofMillis(200);

  /** How many commits go by between two looks at how long it is. */
  private static final int EVERY = 32;

  private int commits;

  /** How long it has to be until readers are waited for. */
  private long waitFrom = LIMIT;

  /**
   * Has a look after something was written.
   *
   * @param wasCommit one of many, which are looked at now and then
   */
  void look(Session session, SqliteFile file, boolean wasCommit) throws SQLException, IOException {
    if (!wasCommit || ++commits % EVERY == 0) {
      cut(session, file.logSize());
    }
  }

  private void cut(Session session, long size) throws SQLException {
    if (size <= LIMIT) {
      return;
    }
    boolean waits = size > waitFrom;
    session.waitAtMost(waits ? PAUSE.toNanos() : 0);
    boolean isCut = session.number("PRAGMA wal_checkpoint(TRUNCATE)") == 0;
    if (isCut) {
      waitFrom = LIMIT;
    } else if (waits) {
      waitFrom = size + LIMIT;
    }
  }
}
