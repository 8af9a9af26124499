package io.superstep.checkpoint.sqlite;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Declares to BlockHound where the delivery threads of a file may block.
 *
 * <p>Delivery threads are {@link reactor.core.scheduler.NonBlocking}, so BlockHound reports
 * blocking calls of subscribers there. The same threads wait for work, write to the file between
 * two deliveries (group commit), and may close it; those calls are allowed, and so are the short
 * locks that codecs take when they prepare a type. BlockHound finds this class through
 * {@link java.util.ServiceLoader}; without BlockHound on the class path it is never loaded.
 */
public final class SqliteBlockHoundIntegration implements BlockHoundIntegration {

  /** Creates the integration; called by {@link java.util.ServiceLoader}. */
  public SqliteBlockHoundIntegration() {}

  @Override
  public void applyTo(BlockHound.Builder builder) {
    String root = "io.superstep.checkpoint.sqlite.";
    builder.allowBlockingCallsInside(root + "StoreThreads$Handing", "run");
    builder.disallowBlockingCallsInside(root + "Delivery", "tell");
    builder.allowBlockingCallsInside(root + "Writer", "written");
    builder.allowBlockingCallsInside(root + "SqliteDatabase", "close");
    builder.allowBlockingCallsInside(root + "SqliteDatabase", "supplied");
    builder.allowBlockingCallsInside(root + "Decoding", "decoded");
  }
}
