package io.superstep.checkpoint.sqlite;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Declares to BlockHound that native calls of SQLite block, and that some tests block delivery
 * threads on purpose.
 */
public final class SqliteBlocks implements BlockHoundIntegration {

  @Override
  public void applyTo(BlockHound.Builder builder) {
    builder.markAsBlocking("org.sqlite.core.NativeDB", "step", "(J)I");
    builder.markAsBlocking("org.sqlite.core.NativeDB", "_open_utf8", "([BI)V");
    builder.markAsBlocking("org.sqlite.core.NativeDB", "_exec_utf8", "([B)I");
    // the queue of a test to which a delivery thread adds: a short lock
    builder.allowBlockingCallsInside("java.util.concurrent.LinkedBlockingQueue", "offer");
    builder.allowBlockingCallsInside(SqliteDatabaseTests.class.getName(), "await");
    builder.allowBlockingCallsInside(SqliteStarvationTests.class.getName(), "await");
  }
}
