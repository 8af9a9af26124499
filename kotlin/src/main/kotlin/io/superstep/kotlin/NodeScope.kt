package io.superstep.kotlin

import io.superstep.graph.Chunk
import io.superstep.graph.NodeContext
import io.superstep.graph.RunKey
import io.superstep.question.Answers
import io.superstep.question.Question
import io.superstep.reactor.TextEnding
import io.superstep.reactor.Tokens
import io.superstep.state.ListChannel
import io.superstep.state.NodeOutput
import io.superstep.state.Update
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.reactor.asFlux
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull
import org.reactivestreams.Publisher
import reactor.core.publisher.Flux
import reactor.core.publisher.Mono

/** What a node may know about the task it is running, and ask. */
@SuperstepDsl
public open class NodeScope internal constructor(
    /** The same, as Java knows it. */
    public val context: NodeContext,
    private val work: Work? = null,
) {
    /** The name of the node. */
    public val node: String get() = context.node()

    /** The task's id: the same for every attempt and after every crash, and no other task has it. */
    public val taskId: String get() = context.taskId()

    /** Which attempt this is; the first is 1. */
    public val attempt: Int get() = context.attempt()

    /** How many steps the run may still take after this one. */
    public val remainingSteps: Int get() = context.remainingSteps()

    /** Whether the run was asked to stop: a long task may end early with what it has. */
    public val isStopping: Boolean get() = context.isStopping

    /** Returns when the run is asked to stop. */
    public suspend fun awaitStopping() {
        Mono.from(context.stopping()).awaitSingleOrNull()
    }

    /** What the run was given under [key]; throws if it was not. */
    public operator fun <T : Any> get(key: RunKey<T>): T = context.get(key)

    /** What the run was given under [key], if it was. */
    public fun <T : Any> find(key: RunKey<T>): T? = context.find(key).orElse(null)

    /** Keeps this answer out of the node's cache, because it is not as good as it should be. */
    public fun doNotCache() {
        context.doNotCache()
    }

    /**
     * Asks somebody outside, and returns the answer.
     *
     * Where there is no answer yet, the task ends here: the coroutine is cancelled, what it emitted is
     * void, and the run ends as interrupted once the other tasks of the step are done. When the thread
     * goes on with an answer the node runs again from its beginning, and gets it here. So ask first and
     * act then.
     *
     * @param key names the question among those of this task
     * @throws NoSuchElementException if the question is one that takes null for an answer, and got it:
     * that is what [askOrNull] is for
     */
    public suspend fun <T : Any> ask(key: String, question: Question<T>): T =
        asking { Mono.from(context.ask(key, question)).awaitSingle() }

    /** Asks as [ask] does; null if that was the answer. */
    public suspend fun <T : Any> askOrNull(key: String, question: Question<T>): T? =
        asking { Mono.from(context.ask(key, question)).awaitSingleOrNull() }

    /** Asks as [ask] does for a `T`: `ask<Boolean>("publish", "Publish?")`. */
    public suspend inline fun <reified T : Any> ask(key: String, text: String): T = ask(key, question<T>(text))

    /** Asks several questions at once, by key; all have to be answered. */
    public suspend fun askAll(vararg questions: Pair<String, Question<*>>): Answers =
        asking { Mono.from(context.askAll(linkedMapOf(*questions))).awaitSingle() }

    private suspend fun <T> asking(ask: suspend () -> T): T = if (work == null) ask() else work.asking(ask)
}

/**
 * The scope of a node that suspends. What is launched in it belongs to the task: the node is not done
 * before it is, fails with it, and cancels it.
 */
public class SuspendScope internal constructor(context: NodeContext, coroutine: CoroutineScope, work: Work) :
    NodeScope(context, work), CoroutineScope by coroutine

/** The scope of a handler: what is launched in it belongs to the task, as in a node that suspends. */
@SuperstepDsl
public class HandlerScope internal constructor(coroutine: CoroutineScope) : CoroutineScope by coroutine

/** The scope of a node that streams: what it emits is delivered before `emit` returns. */
public class FlowScope internal constructor(context: NodeContext, collector: FlowCollector<NodeOutput>, work: Work) :
    NodeScope(context, work), FlowCollector<NodeOutput> by collector {

    /** Streams [content] to those who watch the run; it never becomes state. */
    public suspend fun chunk(content: Any) {
        emit(Chunk(content))
    }

    /** Emits what [flow] brings, such as a `channelFlow`, into which several coroutines may send. */
    public suspend fun emitAll(flow: Flow<NodeOutput>) {
        flow.collect(this)
    }

    /** Emits what [publisher] brings, at the pace at which it is taken. */
    public suspend fun emitAll(publisher: Publisher<out NodeOutput>) {
        Flux.from(publisher).asStrictFlow().collect { emit(it) }
    }

    /** Streams each piece of this text as a chunk, and writes the whole to [channel] as an [element]. */
    public suspend fun <E : Any> Flow<String>.into(channel: ListChannel<E>, element: (String) -> E) {
        val text = StringBuilder()
        collect { piece ->
            text.append(piece)
            chunk(piece)
        }
        emit(Update.append(channel, element(text.toString())))
    }

    /**
     * Streams this text as [into] does, and keeps what came of it even if the stream breaks or the run
     * is asked to stop; [element] is told how it ended.
     */
    public suspend fun <E : Any> Flow<String>.intoKeepingPart(
        channel: ListChannel<E>,
        element: (String, TextEnding) -> E,
    ) {
        val pieces = asFlux(currentCoroutineContext().minusKey(Job))
        emitAll(Tokens.from(pieces).keepingPart(context).into(channel, element))
    }
}

/** Names something that a run is given and that its nodes can ask for. */
public inline fun <reified T : Any> runKey(name: String): RunKey<T> = RunKey.of(name, T::class.javaObjectType)
