package io.superstep.state;

/**
 * Something a node may emit: an {@link Update}, or one of the two other kinds, {@code Chunk} and
 * {@code Command}, that the package of the graph adds.
 *
 * <p>It is not meant to be implemented by others; what is of no known kind is refused when it is
 * emitted. It stands here, at the bottom, because an update is one and knows nothing of graphs.
 */
public interface NodeOutput {}
