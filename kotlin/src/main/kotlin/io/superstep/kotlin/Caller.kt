package io.superstep.kotlin

import java.util.concurrent.ConcurrentHashMap
import kotlin.coroutines.CoroutineContext
import kotlinx.coroutines.CancellationException
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.joinAll
import kotlinx.coroutines.reactor.ReactorContext
import kotlinx.coroutines.withContext
import reactor.core.publisher.Operators
import reactor.util.context.Context
import reactor.util.context.ContextView

/** What a run knows of the coroutine that waits for it: its elements, and the nodes at work in them. */
internal class Caller private constructor(val elements: CoroutineContext) {

    private val atWork = ConcurrentHashMap.newKeySet<Job>()

    fun begins(node: Job) {
        atWork += node
    }

    fun ends(node: Job) {
        atWork -= node
    }

    /** The key under which Reactor's context has the caller. */
    companion object Key {

        /**
         * Has [wait] wait for a run on behalf of the coroutine that calls this. If that is cancelled, or the run
         * fails, it goes on when the nodes have ended: none still clears up when its thread is resumed.
         */
        suspend fun <T> here(wait: suspend (Caller) -> T): T {
            val caller = Caller(elements())
            try {
                return wait(caller)
            } catch (ended: Throwable) {
                withContext(NonCancellable) { caller.atWork.toList().joinAll() }
                throw ended
            }
        }

        /**
         * All but the job, which is that of the caller alone, and Reactor's context, of which the nodes get the one
         * that they are subscribed with.
         */
        suspend fun elements(): CoroutineContext = currentCoroutineContext().minusKey(Job).minusKey(ReactorContext)

        fun of(context: ContextView): Caller? = context.getOrDefault<Caller>(Key, null)
    }
}

/** The work of a node that suspends, subscribed to with [context]. */
internal class Work(private val context: ContextView) {

    private val caller = Caller.of(context)
    private var coroutine: Job? = null

    @Volatile
    private var isGivenUp = false

    /**
     * What it is started in. Without a caller that brings a dispatcher it runs where it is subscribed to and goes
     * on where it is resumed, as a `Mono` does: the engine picks no thread for users.
     */
    val elements: CoroutineContext =
        if (caller == null) Dispatchers.Unconfined else Dispatchers.Unconfined + caller.elements

    fun begins(job: Job) {
        coroutine = job
        caller?.begins(job)
        job.invokeOnCompletion { failure ->
            caller?.ends(job)
            failure?.let(::fails)
        }
    }

    fun giveUp() {
        isGivenUp = true
    }

    /** Of what fails after it was given up, such as when it clears up, nobody else would hear. */
    fun fails(failure: Throwable) {
        if (isGivenUp && failure !is CancellationException) {
            Operators.onErrorDropped(failure, Context.of(context))
        }
    }

    /** Nobody waits for a node that waits for an answer: its task may have ended with the question. */
    suspend fun <T> asking(ask: suspend () -> T): T {
        val job = coroutine!!
        caller?.ends(job)
        try {
            return ask()
        } finally {
            caller?.begins(job)
        }
    }
}
