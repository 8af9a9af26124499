package io.superstep.checkpoint;

/**
 * Marks an error of {@link CheckpointStore#renew} after which the lease cannot be renewed any more:
 * another run has the thread, or the store has lost it. The run ends with the error. Every other
 * error is considered transient, and the renewal is repeated until the lease expires.
 */
public interface LeaseLost {}
