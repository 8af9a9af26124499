package io.superstep.checkpoint.redis;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Lets Netty and Lettuce take locks of their own, of the allocator and of the log, for which they
 * wait a moment when two connections are opened at once. BlockHound would break one of them, and
 * Lettuce would wait for it for ever.
 */
public final class NettyBlocks implements BlockHoundIntegration {

  @Override
  public void applyTo(BlockHound.Builder builder) {
    builder.allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator", "allocate");
    builder.allowBlockingCallsInside("java.util.logging.Logger", "log");
  }
}
