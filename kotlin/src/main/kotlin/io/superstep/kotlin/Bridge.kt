/*
 * Where coroutines and Reactor meet. A run carries the context of the coroutine that waits for it in
 * Reactor's context, and the nodes that suspend are started in it; Reactor's context goes the same way as
 * an element, which the library of the coroutines sees to.
 */
package io.superstep.kotlin

import io.superstep.state.NodeOutput
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.FlowCollector
import kotlinx.coroutines.flow.buffer
import kotlinx.coroutines.flow.emitAll
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.job
import kotlinx.coroutines.reactive.asFlow
import kotlinx.coroutines.reactor.asFlux
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.mono
import reactor.core.publisher.Flux
import reactor.core.publisher.Mono

internal fun coroutine(block: suspend CoroutineScope.(Work) -> NodeOutput): Mono<NodeOutput> =
    Mono.deferContextual { context ->
        val work = Work(context)
        mono(work.elements) {
            work.begins(coroutineContext.job)
            block(work)
        }.doOnCancel(work::giveUp)
    }

internal fun streaming(block: suspend FlowCollector<NodeOutput>.(Work) -> Unit): Flux<NodeOutput> =
    Flux.deferContextual { context ->
        val work = Work(context)
        flow {
            work.begins(currentCoroutineContext().job)
            try {
                block(work)
            } catch (failure: Throwable) {
                work.fails(failure) // the coroutine itself does not: it tells its subscriber
                throw failure
            }
        }.asFlux(work.elements).doOnCancel(work::giveUp)
    }

/** Asks for one at a time, and for the next when the one before was taken. */
internal fun <T : Any> Flux<T>.asStrictFlow(): Flow<T> = asFlow().buffer(Channel.RENDEZVOUS)

/** What [events] brings, each time it is collected, in the context of whoever collects it. */
internal fun <T : Any> called(events: () -> Flux<T>): Flow<T> = flow {
    Caller.here { caller -> emitAll(events().contextWrite { it.put(Caller, caller) }.asStrictFlow()) }
}

/** What [result] brings, in the context of whoever waits for it. */
internal suspend fun <T : Any> awaited(result: Mono<T>): T =
    Caller.here { caller -> result.contextWrite { it.put(Caller, caller) }.awaitSingle() }

/** What [result] brings, which begins something that outlives whoever waits for it, and knows nothing of it. */
internal suspend fun <T : Any> begun(result: Mono<T>): T = result.contextWrite { it.delete(Caller) }.awaitSingle()
