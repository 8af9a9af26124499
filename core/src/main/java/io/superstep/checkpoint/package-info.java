/**
 * Where a run stands, and the log of its thread: what has to survive it. Nodes and joins are known
 * by their names only. A store implements {@link io.superstep.checkpoint.CheckpointStore}.
 */
@NullMarked
package io.superstep.checkpoint;

import org.jspecify.annotations.NullMarked;
