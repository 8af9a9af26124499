package io.superstep.kotlin

import io.superstep.message.Message
import io.superstep.state.Channel
import io.superstep.state.ListChannel
import io.superstep.state.Reducer
import io.superstep.state.State
import io.superstep.state.StateSchema
import io.superstep.value.TypeRef
import kotlin.properties.PropertyDelegateProvider
import kotlin.properties.ReadOnlyProperty
import kotlin.reflect.KProperty

/**
 * The channels of a graph as properties, each called like its property:
 *
 * ```
 * object Debate : Schema() {
 *     val messages by messages()
 *     val round by value(0)
 *     val topic by value<String> { writeOnce() }
 * }
 * ```
 *
 * Each kind of channel takes its options in braces: all those of [Channel]. The channels are in the
 * state in the order of their declaration.
 */
public abstract class Schema {

    private val channels = mutableListOf<Channel<*>>()
    private val parts = mutableListOf<StateSchema.Builder.() -> Unit>()
    private val whole = lazy {
        StateSchema.builder()
            .channels(*channels.toTypedArray())
            .apply { parts.forEach { part -> part() } }
            .build()
    }

    /** The schema that was declared, as the engine knows it; from then on it is complete. */
    public fun stateSchema(): StateSchema = whole.value

    private val isComplete get() = whole.isInitialized()

    /** A channel that holds null until it is written, and then the value written last. */
    protected inline fun <reified T : Any> value(
        noinline options: Channel<T?>.() -> Channel<T?> = { this },
    ): Declaration<Channel<T?>> = channel { name -> Channel.value(name, object : TypeRef<T>() {}).options() }

    /** A channel that holds [start], and then the value written last. */
    protected inline fun <reified T : Any> value(
        start: T,
        noinline options: Channel<T>.() -> Channel<T> = { this },
    ): Declaration<Channel<T>> =
        channel { name -> Channel.value(name, object : TypeRef<T>() {}).startingAt(start).options() }

    /** A channel that holds what [start] gives, which is asked anew for each run. */
    protected inline fun <reified T : Any> startingWith(
        noinline options: Channel<T>.() -> Channel<T> = { this },
        noinline start: () -> T,
    ): Declaration<Channel<T>> =
        channel { name -> Channel.value(name, object : TypeRef<T>() {}).startingWith(start).options() }

    /** A list that grows. */
    protected inline fun <reified E : Any> list(
        noinline options: ListChannel<E>.() -> ListChannel<E> = { this },
    ): Declaration<ListChannel<E>> = channel { name -> Channel.list(name, object : TypeRef<E>() {}).options() }

    /** A conversation: see [Channel.messages]. */
    protected fun messages(
        options: ListChannel<Message>.() -> ListChannel<Message> = { this },
    ): Declaration<ListChannel<Message>> = channel { name -> Channel.messages(name).options() }

    /** A list with one item per [key], the newest by its own [time]. */
    protected inline fun <reified E : Any, K : Comparable<K>, C : Comparable<C>> newestByKey(
        noinline key: (E) -> K,
        noinline time: (E) -> C,
        noinline options: ListChannel<E>.() -> ListChannel<E> = { this },
    ): Declaration<ListChannel<E>> =
        channel { name -> Channel.newestByKey(name, E::class.javaObjectType, key, time).options() }

    /** A set that grows. */
    protected inline fun <reified E : Any> set(
        noinline options: Channel<Set<E>>.() -> Channel<Set<E>> = { this },
    ): Declaration<Channel<Set<E>>> = channel { name -> Channel.set(name, E::class.javaObjectType).options() }

    /** A map into which writes are put, key by key. */
    protected inline fun <reified K : Any, reified V : Any> map(
        noinline options: Channel<Map<K, V>>.() -> Channel<Map<K, V>> = { this },
    ): Declaration<Channel<Map<K, V>>> =
        channel { name -> Channel.map(name, K::class.javaObjectType, V::class.javaObjectType).options() }

    /** A map of anything, in which maps that meet are merged in turn. */
    protected fun deepMap(
        options: Channel<Map<String, Any?>>.() -> Channel<Map<String, Any?>> = { this },
    ): Declaration<Channel<Map<String, Any?>>> = channel { name -> Channel.deepMap(name).options() }

    /** A number to which writes are added. */
    protected inline fun <reified N : Number> sum(
        noinline options: Channel<N>.() -> Channel<N> = { this },
    ): Declaration<Channel<N>> = channel { name -> Channel.sum(name, N::class.javaObjectType).options() }

    /** A text behind which writes are written. */
    protected fun text(
        options: Channel<String>.() -> Channel<String> = { this },
    ): Declaration<Channel<String>> = channel { name -> Channel.text(name).options() }

    /** A channel that holds [start], and into which [reducer] folds what is written. */
    protected inline fun <reified T : Any> reduced(
        start: T,
        noinline options: Channel<T>.() -> Channel<T> = { this },
        reducer: Reducer<T>,
    ): Declaration<Channel<T>> =
        channel { name -> Channel.reduced(name, object : TypeRef<T>() {}, start, reducer).options() }

    /** Any channel, made from the name of its property; also one that was made elsewhere. */
    protected fun <C : Channel<*>> channel(make: (name: String) -> C): Declaration<C> = Declaration(make)

    /** Lets callers write these channels only. */
    protected fun input(vararg view: Channel<*>) {
        parts += { input(*view.names()) }
    }

    /** Lets callers see these channels only. */
    protected fun output(vararg view: Channel<*>) {
        parts += { output(*view.names()) }
    }

    /** Refuses a state that does not pass [test], before it is committed; [path] says what it is about. */
    protected fun check(path: String, message: String, test: (State) -> Boolean) {
        parts += { check(path, message, test) }
    }

    /** A channel that has no name yet; the property it is delegated to gives it one. */
    public class Declaration<out C : Channel<*>> internal constructor(private val make: (String) -> C) :
        PropertyDelegateProvider<Schema, ReadOnlyProperty<Schema, C>> {

        override fun provideDelegate(thisRef: Schema, property: KProperty<*>): ReadOnlyProperty<Schema, C> {
            check(!thisRef.isComplete) { "Property '${property.name}' was declared after the schema had been built." }
            val channel = make(property.name)
            thisRef.channels += channel
            return ReadOnlyProperty { _, _ -> channel }
        }
    }

    private fun Array<out Channel<*>>.names(): Array<String> = map { it.name() }.toTypedArray()
}
