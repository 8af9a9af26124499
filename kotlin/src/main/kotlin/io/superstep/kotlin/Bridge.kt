/*
 * Where coroutines and Reactor meet. A run carries the context of the coroutine that waits for it in
 * Reactor's context, and the nodes that suspend are started in it; Reactor's context goes the same way as
 * an element, which the library of the coroutines sees to.
 */
package io.superstep.kotlin

import io.superstep.state.NodeOutput
import kotlin.coroutines.CoroutineContext
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.reactor.ReactorContext
import kotlinx.coroutines.reactor.asFlux
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.mono
import reactor.core.publisher.Flux
import reactor.core.publisher.Mono
import reactor.util.context.ContextView

/** The key under which Reactor's context has the context of the coroutine that waits for the run. */
internal object Caller

/**
 * What a node that suspends is started in. Without a caller that brings a dispatcher it runs where it is
 * subscribed to and goes on where it is resumed, as a `Mono` does: the engine picks no thread for users.
 */
private fun elements(context: ContextView): CoroutineContext =
    Dispatchers.Unconfined + context.getOrDefault<CoroutineContext>(Caller, EmptyCoroutineContext)!!

internal fun coroutine(block: suspend CoroutineScope.() -> NodeOutput): Mono<NodeOutput> =
    Mono.deferContextual { context -> mono(elements(context), block) }

internal fun streaming(block: suspend FlowCollector<NodeOutput>.() -> Unit): Flux<NodeOutput> =
    Flux.deferContextual { context -> flow(block).asFlux(elements(context)) }

/** Asks for one at a time, and for the next when the one before was taken. */
internal fun <T : Any> Flux<T>.asStrictFlow(): Flow<T> = asFlow().buffer(Channel.RENDEZVOUS)

/** What [events] brings, each time it is collected, in the context of whoever collects it. */
internal fun <T : Any> called(events: () -> Flux<T>): Flow<T> = flow {
    val caller = callersElements()
    emitAll(events().contextWrite { it.put(Caller, caller) }.asStrictFlow())
}

/** What [result] brings, in the context of whoever waits for it. */
internal suspend fun <T : Any> awaited(result: Mono<T>): T {
    val caller = callersElements()
    return result.contextWrite { it.put(Caller, caller) }.awaitSingle()
}

/**
 * All but the job, which is that of the caller alone, and Reactor's context, of which the nodes get the one
 * that they are subscribed with.
 */
internal suspend fun callersElements(): CoroutineContext =
    currentCoroutineContext().minusKey(Job).minusKey(ReactorContext)
