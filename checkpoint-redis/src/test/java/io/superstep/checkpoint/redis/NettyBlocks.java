package io.superstep.checkpoint.redis;

import java.util.List;
import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Lets Netty and Lettuce take locks of their own, of the allocator and of the log, for which they
 * wait a moment when two connections are opened at once. BlockHound would break one of them, and
 * Lettuce would wait for it for ever.
 */
public final class NettyBlocks implements BlockHoundIntegration {

  /**
   * Lettuce takes this lock for each command; it stays locked for ever if BlockHound throws here.
   */
  private static final List<String> LETTUCE_LOCK = List.of(
      "incrementWriters", "decrementWriters", "lockWritersExclusive", "unlockWritersExclusive");

  @Override
  public void applyTo(BlockHound.Builder builder) {
    builder.allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator", "allocate");
    builder.allowBlockingCallsInside("java.util.logging.Logger", "log");
    // two connections to nodes of a cluster that are opened at once
    builder.allowBlockingCallsInside(
        "io.lettuce.core.internal.AbstractInvocationHandler$MethodTranslator", "of");
    // a thread of a pool that is being shut down, perhaps by itself
    for (String method : List.of("size", "isEmpty", "remove", "clear", "drainTo", "toArray")) {
      builder.allowBlockingCallsInside(
          "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue", method);
    }
    builder.allowBlockingCallsInside("java.util.concurrent.ThreadPoolExecutor$Worker", "lock");
    builder.allowBlockingCallsInside("java.util.concurrent.ThreadPoolExecutor", "toString");
    // the queue of a test to which a delivery thread adds: a short lock
    builder.allowBlockingCallsInside("java.util.concurrent.LinkedBlockingQueue", "offer");
    // the connections to the nodes of a cluster are found under a lock
    for (String method : List.of("getWriteConnection", "getReadConnection")) {
      builder.allowBlockingCallsInside(
          "io.lettuce.core.cluster.PooledClusterConnectionProvider", method);
    }
    for (String method : LETTUCE_LOCK) {
      builder.allowBlockingCallsInside("io.lettuce.core.protocol.SharedLock", method);
    }
  }
}
