package io.superstep.kotlin

import io.superstep.graph.Backoff
import io.superstep.graph.CachePolicy
import io.superstep.graph.NodePolicy
import io.superstep.state.State
import java.util.function.Predicate
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/** How nodes are run, as data. */
public fun policy(build: PolicyScope.() -> Unit): NodePolicy = PolicyScope().apply(build).policy()

/** Says how a node is run; what is left out comes from the defaults of the graph. */
@SuperstepDsl
public class PolicyScope internal constructor() {

    /** How often the node is tried. */
    public var attempts: Int? = null

    /** How long one attempt may take. */
    public var timeout: Duration? = null

    /** How long an attempt may stay silent. */
    public var idleTimeout: Duration? = null

    /** How many tasks of the node run at once in one step. */
    public var concurrency: Int? = null

    private var backoff: Backoff? = null
    private var retryOn: Predicate<Throwable>? = null
    private var cache: CachePolicy? = null
    private var actsOutside: Boolean? = null

    /** Waits between attempts: [first], and twice as long each time, but never longer than [longest]. */
    public fun backoff(first: Duration, longest: Duration, jitter: Double = 0.0) {
        backoff = Backoff(first.toJavaDuration(), longest.toJavaDuration(), jitter)
    }

    /** Says which failures are worth another attempt. */
    public fun retryOn(worthIt: (Throwable) -> Boolean) {
        retryOn = Predicate(worthIt)
    }

    /** Keeps answers by [key], up to [maxEntries] of them; with null for a key the node runs in any case. */
    public fun cache(ttl: Duration? = null, maxEntries: Long = 1_000, key: NodeScope.(State) -> Any?) {
        cache = CachePolicy({ state, context -> NodeScope(context).key(state) }, ttl?.toJavaDuration(), maxEntries)
    }

    /** Says that the node does something to the world outside that must not be done twice. */
    public fun actingOutside() {
        actsOutside = true
    }

    internal fun policy() = NodePolicy(
        attempts,
        backoff,
        retryOn,
        timeout?.toJavaDuration(),
        idleTimeout?.toJavaDuration(),
        concurrency,
        cache,
        actsOutside,
    )
}
