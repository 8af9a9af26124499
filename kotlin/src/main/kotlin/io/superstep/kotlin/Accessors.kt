/* What Java has as methods that look like properties; those of records are properties of themselves. */
package io.superstep.kotlin

import io.superstep.event.GraphEvent
import io.superstep.reactor.RunResult
import io.superstep.state.State
import java.time.Instant

/** The state in which the run ended. */
public val RunResult.state: State get() = state()

/** What a caller may see of the state, by name. */
public val RunResult.output: Map<String, Any?> get() = output()

/** The nodes that lead to the nested graph it happened in; empty at the top. */
public val GraphEvent.path: String get() = path()

/** The step it belongs to; 0 before the first. */
public val GraphEvent.step: Int get() = step()

/** When its step began. */
public val GraphEvent.time: Instant get() = time()

/** The number of this fact, or of the fact before it if it is provisional. */
public val GraphEvent.sequence: Long get() = sequence()

/** The state in which the run ended. */
public val GraphEvent.Terminal.state: State get() = state()
