package io.superstep.kotlin

import io.superstep.graph.Graph
import io.superstep.graph.GraphBuilder
import io.superstep.graph.MultiRouter
import io.superstep.graph.NodeFailure
import io.superstep.graph.NodePolicy
import io.superstep.graph.Router
import io.superstep.graph.SendRouter
import io.superstep.graph.Sources
import io.superstep.graph.Targets
import io.superstep.state.Channel
import io.superstep.state.NodeOutput
import io.superstep.state.State
import io.superstep.state.StateSchema
import io.superstep.state.Update
import org.reactivestreams.Publisher
import reactor.core.publisher.Mono

/** Where every run begins; the source of edges and routes, and nothing else. */
public const val START: String = Graph.START

/** Where a branch of a run ends; the target of edges, routes and commands, and nothing else. */
public const val END: String = Graph.END

/**
 * The graph called [name] that [build] describes.
 *
 * @throws io.superstep.graph.InvalidGraphException with all that is wrong with it
 */
public fun graph(name: String, build: GraphScope.() -> Unit): Graph =
    GraphScope(name).apply(build).built()

/** As [graph], with the channels of [schema]. */
public fun graph(name: String, schema: Schema, build: GraphScope.() -> Unit): Graph =
    graph(name, schema.stateSchema(), build)

/** As [graph], with the channels of [schema]. */
public fun graph(name: String, schema: StateSchema, build: GraphScope.() -> Unit): Graph = graph(name) {
    schema(schema)
    build()
}

/**
 * Describes a graph: its channels, its nodes and the ways between them.
 *
 * The order does not matter, except that nodes are folded in the order in which they are declared. All
 * of it is told to a [GraphBuilder], and checked there when it is complete.
 */
@SuperstepDsl
public class GraphScope internal constructor(name: String) {

    private var isBuilt = false

    /**
     * What stands behind this scope.
     *
     * @throws IllegalStateException if the graph is built, such as in a router that describes when it should choose
     */
    public val builder: GraphBuilder = Graph.builder(name)
        get() {
            check(!isBuilt) { "The graph is already built, and calls during a run cannot change it." }
            return field
        }

    internal fun built(): Graph = builder.build().also { isBuilt = true }

    /** Adds channels to what the graph remembers. */
    public fun channels(vararg more: Channel<*>) {
        builder.channels(*more)
    }

    /** Takes channels, views and checks from [whole]. */
    public fun schema(whole: Schema) {
        schema(whole.stateSchema())
    }

    /** Takes channels, views and checks from [whole]. */
    public fun schema(whole: StateSchema) {
        builder.schema(whole)
    }

    /** Lets callers write these channels only. */
    public fun input(vararg view: Channel<*>) {
        builder.input(*view)
    }

    /** Lets callers see these channels only. */
    public fun output(vararg view: Channel<*>) {
        builder.output(*view)
    }

    /** Refuses a state that does not pass [test], before it is committed; [path] says what it is about. */
    public fun check(path: String, message: String, test: (State) -> Boolean) {
        builder.check(path, message, test)
    }

    /**
     * A node that suspends, and returns an update or a command.
     *
     * It runs in the context of the coroutine that runs the graph, on its dispatcher; where there is
     * none, on the thread that starts it or lets it go on. Whatever ends its task cancels it.
     */
    public fun node(name: String, action: suspend SuspendScope.(State) -> NodeOutput) {
        builder.node(name) { state, context -> coroutine { work -> SuspendScope(context, this, work).action(state) } }
    }

    /** A node that streams: it emits chunks, updates and commands, and each is taken before it goes on. */
    public fun flow(name: String, action: suspend FlowScope.(State) -> Unit) {
        builder.node(name) { state, context -> streaming { work -> FlowScope(context, this, work).action(state) } }
    }

    /** A node that returns a `Mono`. */
    public fun mono(name: String, action: NodeScope.(State) -> Mono<out NodeOutput>) {
        builder.node(name) { state, context -> NodeScope(context).action(state) }
    }

    /** A node that returns a `Flux`, or any other publisher. */
    public fun flux(name: String, action: NodeScope.(State) -> Publisher<out NodeOutput>) {
        builder.node(name) { state, context -> NodeScope(context).action(state) }
    }

    /** A node that is a plain function: quick, and never blocking. */
    public fun compute(name: String, function: NodeScope.(State) -> NodeOutput) {
        builder.compute(name) { state, context -> NodeScope(context).function(state) }
    }

    /** A node that may block the thread it is called on, which will be one made for that. */
    public fun blocking(name: String, function: NodeScope.(State) -> NodeOutput) {
        builder.blocking(name) { state, context -> NodeScope(context).function(state) }
    }

    /** A node that is a graph and shares the channels that both call by the same name. */
    public fun subgraph(name: String, graph: Graph) {
        builder.subgraph(name, graph)
    }

    /** A node that is a graph with a state of its own: it starts with [into], and gives back [outOf]. */
    public fun subgraph(name: String, graph: Graph, into: (State) -> Update, outOf: (State) -> Update) {
        builder.subgraph(name, graph, into, outOf)
    }

    /** When this node completes, [next] is due: `START then "a" then "b"`. */
    public infix fun String.then(next: String): String {
        edge(this, next)
        return next
    }

    /** When this node completes, all of [next] are due: `"a" then all("b", "c") then "d"`. */
    public infix fun String.then(next: Sources): Sources {
        next.names().forEach { edge(this, it) }
        return next
    }

    /** When all of these nodes have completed, however many steps apart, [next] is due. */
    public infix fun Sources.then(next: String): String {
        join(this, next)
        return next
    }

    /** When [from] completes, [to] is due. */
    public fun edge(from: String, to: String) {
        builder.edge(from, to)
    }

    /** When all of [sources] have completed since [target] was last due this way, it is due. */
    public fun join(sources: Sources, target: String) {
        builder.join(sources, target)
    }

    /** The nodes that a join waits for. */
    public fun all(vararg sources: String): Sources = Graph.all(*sources)

    /** The nodes that a route may choose from. */
    public fun to(vararg targets: String): Targets = Graph.to(*targets)

    /** When [from] completes, [router] chooses one of [targets]. */
    public fun route(from: String, targets: Targets, router: Router) {
        builder.route(from, targets, router)
    }

    /** When [from] completes, [router] chooses some of [targets]. */
    public fun routeAll(from: String, targets: Targets, router: MultiRouter) {
        builder.routeAll(from, targets, router)
    }

    /** When [from] completes, [router] sends out tasks of [targets]. */
    public fun fanOut(from: String, targets: Targets, router: SendRouter) {
        builder.fanOut(from, targets, router)
    }

    /** Lets [node] answer with commands that name [targets]. */
    public fun mayGoTo(node: String, vararg targets: String) {
        builder.mayGoTo(node, *targets)
    }

    /** Says that [node] writes these channels and no others. */
    public fun writes(node: String, vararg written: Channel<*>) {
        builder.writes(node, *written)
    }

    /** Lets [node] run [most] times in a turn; when it would be due once more, [exit] is due in its place. */
    public fun maxVisits(node: String, most: Int, exit: String) {
        builder.maxVisits(node, most, exit)
    }

    /** Lets these nodes wait until nothing else is due. */
    public fun defer(vararg nodes: String) {
        builder.defer(*nodes)
    }

    /** Stops a run before these nodes, until it is resumed. */
    public fun interruptBefore(vararg nodes: String) {
        builder.interruptBefore(*nodes)
    }

    /** Stops a run after these nodes, until it is resumed. */
    public fun interruptAfter(vararg nodes: String) {
        builder.interruptAfter(*nodes)
    }

    /** Says how [node] is run; what is left out comes from the defaults. */
    public fun policy(node: String, build: PolicyScope.() -> Unit) {
        policy(node, PolicyScope().apply(build).policy())
    }

    /** Says how [node] is run. */
    public fun policy(node: String, policy: NodePolicy) {
        builder.policy(node, policy)
    }

    /** Says how nodes are run that have nothing else to say about it. */
    public fun defaults(build: PolicyScope.() -> Unit) {
        builder.defaults(PolicyScope().apply(build).policy())
    }

    /** Says what to do when the last attempt of [node] has failed; it suspends as a node does. */
    public fun handler(node: String, handler: suspend HandlerScope.(State, NodeFailure) -> NodeOutput) {
        builder.handler(node) { state, failure -> coroutine { HandlerScope(this).handler(state, failure) } }
    }
}
