package io.superstep.checkpoint.redis;

import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * Lets Netty take the lock of its own allocator, for which it waits a moment when two connections
 * are opened at once. BlockHound would break one of them, and Lettuce would wait for it for ever.
 */
public final class NettyBlocks implements BlockHoundIntegration {

  @Override
  public void applyTo(BlockHound.Builder builder) {
    builder.allowBlockingCallsInside("io.netty.buffer.AdaptivePoolingAllocator", "allocate");
  }
}
