/** The engine beside bare Reactor and beside its peers: the same work, in one run. */
@NullMarked
package io.superstep.benchmarks;

import org.jspecify.annotations.NullMarked;
