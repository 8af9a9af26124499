package io.superstep.checkpoint.sqlite;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/** Lets BlockHound know that SQLite makes its callers wait, which it cannot see by itself. */
public final class SqliteBlocks implements BlockHoundIntegration {

  @Override
  public void applyTo(BlockHound.Builder builder) {
    builder.markAsBlocking("org.sqlite.core.NativeDB", "step", "(J)I");
    builder.markAsBlocking("org.sqlite.core.NativeDB", "_open_utf8", "([BI)V");
    builder.markAsBlocking("org.sqlite.core.NativeDB", "_exec_utf8", "([B)I");
  }
}
