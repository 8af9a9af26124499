/** Threads, their events and their memory on Redis, for several processes on several machines. */
@NullMarked
package io.superstep.checkpoint.redis;

import org.jspecify.annotations.NullMarked;
