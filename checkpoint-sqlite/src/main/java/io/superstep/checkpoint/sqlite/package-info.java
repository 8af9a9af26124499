/** Threads, their events and their memory in one file, for the processes of one machine. */
@NullMarked
package io.superstep.checkpoint.sqlite;

import org.jspecify.annotations.NullMarked;
