package io.superstep.kotlin

import io.superstep.graph.Command
import io.superstep.graph.Send
import io.superstep.memory.MemoryWrite
import io.superstep.state.Channel
import io.superstep.state.ListChannel
import io.superstep.state.Update

/** What [build] writes, in its order; it may suspend where its caller may. */
public inline fun update(build: UpdateScope.() -> Unit): Update = UpdateScope().apply(build).written()

/** What [build] writes, and where it goes instead of along the edges of the node. */
public inline fun command(build: CommandScope.() -> Unit): Command = CommandScope().apply(build).said()

/** Goes to these nodes, or to [END], instead of along the edges of the node, and writes what [build] writes. */
public inline fun goTo(target: String, vararg more: String, build: UpdateScope.() -> Unit = {}): Command =
    Command.goTo(target, *more).with(update(build))

/** One more task of [node] in the next step, which alone sees what [arguments] write. */
public inline fun send(node: String, arguments: UpdateScope.() -> Unit = {}): Send = Send.to(node, update(arguments))

/**
 * Collects writes: `round set 1` puts a value in the place of what is there, `messages += reply`
 * folds one in.
 */
@UpdateDsl
public open class UpdateScope @PublishedApi internal constructor() {

    private val updates = mutableListOf<Update>()

    /**
     * Lets this channel hold [value]. One that has a reducer is overwritten; to fold something in,
     * say `+=`.
     */
    public infix fun <T> Channel<T>.set(value: T) {
        if (reducer().isPresent) overwrite(this, value) else write(this, value)
    }

    /**
     * Folds [value] into what this channel holds, through its reducer.
     *
     * @throws IllegalArgumentException if it has none
     */
    public operator fun <T> Channel<T>.plusAssign(value: T) {
        require(reducer().isPresent) {
            "Channel '${name()}' has no reducer, so += is not supported." +
                " Use: ${name()} set ..., or declare the channel with a reducer."
        }
        write(this, value)
    }

    /** Folds [item] into the list that this channel holds, through its reducer. */
    public operator fun <E : Any> ListChannel<E>.plusAssign(item: E) {
        add(Update.append(this, item))
    }

    /** Writes [value] to [channel], through its reducer if it has one. */
    public fun <T> write(channel: Channel<T>, value: T) {
        add(Update.of(channel, value))
    }

    /** Writes [value] to the channel called [channel], through its reducer if it has one. */
    public fun write(channel: String, value: Any?) {
        add(Update.of(channel, value))
    }

    /** Replaces what [channel] holds, past its reducer. */
    public fun <T> overwrite(channel: Channel<T>, value: T) {
        add(Update.overwrite(channel, value))
    }

    /** Replaces what the channel called [channel] holds, past its reducer. */
    public fun overwrite(channel: String, value: Any?) {
        add(Update.overwrite(channel, value))
    }

    /** Writes what [update] writes. */
    public fun add(update: Update) {
        updates += update
    }

    @PublishedApi
    internal fun written(): Update = if (updates.isEmpty()) Update.NOTHING else Update.all(updates)
}

/** Collects writes and directions. */
public class CommandScope @PublishedApi internal constructor() : UpdateScope() {

    private val commands = mutableListOf<Command>()
    private var isForParent = false

    /** Goes to these nodes, or to [END], instead of along the edges of the node. */
    public fun goTo(target: String, vararg more: String) {
        commands += Command.goTo(target, *more)
    }

    /** Sends out one more task of [node], which alone sees what [arguments] write. */
    public inline fun send(node: String, arguments: UpdateScope.() -> Unit = {}) {
        send(Send.to(node, update(arguments)))
    }

    /** Sends out tasks, and follows the edges of the node too. */
    public fun send(vararg sends: Send) {
        commands += Command.send(*sends)
    }

    /** Has something remembered beyond the thread, once the step is committed. */
    public fun remember(memory: MemoryWrite, vararg more: MemoryWrite) {
        commands += Command.remember(memory, *more)
    }

    /** Means the directions for the graph that has this one as a node. */
    public fun inParent() {
        isForParent = true
    }

    @PublishedApi
    internal fun said(): Command {
        val command = Command.all(commands).with(written())
        return if (isForParent) command.inParent() else command
    }
}
