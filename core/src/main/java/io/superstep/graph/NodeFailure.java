package io.superstep.graph;

/**
 * What an error handler gets to know.
 *
 * @param attempts how often the node was tried
 */
public record NodeFailure(String node, int attempts, Throwable error) {}
