/** Where a run stands: what has to survive it. Nodes and joins are known by their names only. */
@NullMarked
package io.superstep.checkpoint;

import org.jspecify.annotations.NullMarked;
