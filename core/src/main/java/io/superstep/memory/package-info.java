/**
 * What threads remember together, beyond the state of each: items of plain data under namespaces,
 * and what is to be written there. A store implements {@link io.superstep.memory.MemoryStore}.
 */
@NullMarked
package io.superstep.memory;

import org.jspecify.annotations.NullMarked;
