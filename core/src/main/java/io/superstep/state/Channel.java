package io.superstep.state;

import io.superstep.error.Problem;
import io.superstep.message.Message;
import io.superstep.value.InvalidValueException;
import io.superstep.value.TypeRef;
import io.superstep.value.ValueType;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.NonNull;
import org.jspecify.annotations.Nullable;

/**
 * A named, typed slot of the state: what it starts with, how writes are folded into it, and how
 * long it lives.
 *
 * <p>A channel that has no start value holds null until it is written, and may be set to null
 * again. A channel that has one never holds null. Channels are immutable, and the typed keys by
 * which a state is read and written; each option can be set once and gives a new channel.
 *
 * @param <T> what the channel holds
 */
public sealed class Channel<T extends @Nullable Object> permits ListChannel {

  private final ChannelSpec<T> spec;
  private final boolean holdsMessages;

  /**
   * Where a schema found this key last: a guess that saves looking it up, right in most programs
   * and checked in all. A race at worst loses it.
   */
  private int guess;

  Channel(ChannelSpec<T> spec) {
    this.spec = spec;
    this.holdsMessages = spec.type().mayHold(Message.class);
  }

  /**
   * A channel that holds the value written last. Two writers in one step are an error unless
   * {@link #lastWins()}.
   */
  public static <T> Channel<@Nullable T> value(String name, Class<T> type) {
    return new Channel<>(ChannelSpec.<@Nullable T>value(name, ValueType.of(type)));
  }

  /**
   * A channel that holds the value written last. Two writers in one step are an error unless
   * {@link #lastWins()}.
   */
  public static <T> Channel<@Nullable T> value(String name, TypeRef<T> type) {
    return new Channel<>(ChannelSpec.<@Nullable T>value(name, ValueType.of(type)));
  }

  /** A list that grows: writes are appended. It starts empty. */
  public static <E> ListChannel<E> list(String name, Class<E> element) {
    return ListChannel.appending(name, ValueType.of(element));
  }

  /** A list that grows: writes are appended. It starts empty. */
  public static <E> ListChannel<E> list(String name, TypeRef<E> element) {
    return ListChannel.appending(name, ValueType.of(element));
  }

  /**
   * A conversation: a message whose id is known is replaced in place, all others are appended,
   * {@link Message#remove} and {@link Message#removeAll} take out. For a conversation that only
   * grows take {@code list(name, Message.class)}.
   */
  public static ListChannel<Message> messages(String name) {
    return ListChannel.folding(name, MessageFold.MESSAGES, Reducers.ADD_MESSAGES);
  }

  /**
   * A list with one item per key, the newest by its own time, in chronological order. The order of
   * writers does not matter and writing an item twice changes nothing.
   */
  public static <E, K extends Comparable<? super K>, C extends Comparable<? super C>>
      ListChannel<E> newestByKey(
          String name,
          Class<E> element,
          Function<? super E, ? extends K> key,
          Function<? super E, ? extends C> time) {
    ValueType<List<E>> type = ValueType.listOf(ValueType.of(element));
    return ListChannel.folding(name, type, new NewestByKey<E, K, C>(type, key, time));
  }

  /** A set that grows, in the order in which its elements were first seen. It starts empty. */
  public static <E> Channel<Set<E>> set(String name, Class<E> element) {
    return folding(name, ValueType.setOf(ValueType.of(element)), Set.of(), Channel.<E>union());
  }

  /** A map into which writes are put, key by key; maps inside are replaced. It starts empty. */
  public static <K, V> Channel<Map<K, V>> map(String name, Class<K> key, Class<V> value) {
    ValueType<Map<K, V>> type = ValueType.mapOf(ValueType.of(key), ValueType.of(value));
    return folding(name, type, Map.of(), merge(false));
  }

  /**
   * A map of anything into which writes are put, and maps inside that meet are merged in turn. It
   * starts empty.
   */
  public static Channel<Map<String, @Nullable Object>> deepMap(String name) {
    return Channel.<Map<String, @Nullable Object>>folding(
        name,
        ValueType.of(new TypeRef<>() {}),
        Map.<String, @Nullable Object>of(),
        Channel.<String, @Nullable Object>merge(true));
  }

  /** A number to which writes are added. It starts at zero; an overflow is an error. */
  public static <N extends Number> Channel<N> sum(String name, Class<N> type) {
    return reduced(name, type, zero(name, type), new Sum<>());
  }

  /** A text behind which writes are written. It starts empty. */
  public static Channel<String> text(String name) {
    return folding(name, ValueType.of(String.class), "", Reducer.declaring(Channel::join));
  }

  /** A channel with a reducer of your own. */
  public static <T> Channel<T> reduced(String name, Class<T> type, T start, Reducer<T> reducer) {
    return folding(name, ValueType.of(type), start, reducer);
  }

  /** A channel with a reducer of your own. */
  public static <T> Channel<T> reduced(String name, TypeRef<T> type, T start, Reducer<T> reducer) {
    return folding(name, ValueType.of(type), start, reducer);
  }

  private static <T> Channel<T> folding(
      String name, ValueType<T> type, T start, Reducer<T> reducer) {
    return new Channel<>(ChannelSpec.value(name, type).reducedBy(reducer).startingAt(start));
  }

  private static <K, V extends @Nullable Object> Reducer<Map<K, V>> merge(boolean deep) {
    return Reducer.declaring((current, update) ->
        update.isEmpty() ? Effect.nothing() : new Effect.Merge<>(update, deep));
  }

  private static Effect<String> join(String current, String update) {
    return update.isEmpty() ? Effect.nothing() : new Effect.Join(update);
  }

  static <E> Reducer<Set<E>> union() {
    return Reducer.declaring((current, update) ->
        current.containsAll(update) ? Effect.nothing() : new Effect.Union<>(update));
  }

  @SuppressWarnings("unchecked")
  private static <N extends Number> N zero(String name, Class<N> type) {
    Object zero = ChannelSpec.ZEROS.get(ValueType.of(type).raw());
    if (zero == null) {
      throw new InvalidSchemaException(
          new Problem(
              "SG-236",
              "Channel '" + name + "' is a sum of type " + type.getSimpleName()
                  + ", which has no zero.",
              "channel '" + name + "'",
              "Use Integer, Long, Double, Float, BigDecimal or BigInteger, or declare the channel with Channel.reduced(...)."));
    }
    return (N) zero;
  }

  /**
   * What the channel holds before it is first written. It is frozen once and shared by all runs.
   */
  public Channel<@NonNull T> startingAt(@NonNull T start) {
    return new Channel<>(spec.startingAt(start));
  }

  /** What the channel holds before it is first written, asked for anew for each run. */
  public Channel<@NonNull T> startingWith(Supplier<? extends @NonNull T> start) {
    return new Channel<>(spec.startingWith(start));
  }

  /**
   * Allows several writers in one step: the last one in plan order wins, whatever finished first.
   */
  public Channel<T> lastWins() {
    return new Channel<>(spec.lastWins());
  }

  /**
   * Refuses to replace a value that was written, unless by an equal one. A start value was not
   * written.
   */
  public Channel<T> writeOnce() {
    return writeOnce(Rewrite.REJECT);
  }

  /**
   * Keeps the first value that was written; {@code rewrite} says what becomes of a later, different
   * one.
   */
  public Channel<T> writeOnce(Rewrite rewrite) {
    return new Channel<>(spec.writeOnce(rewrite));
  }

  /**
   * Refuses values that do not pass {@code test}; {@code message} says what is expected of them.
   */
  public Channel<T> validated(String message, Predicate<? super @NonNull T> test) {
    return refusing(value -> test.test(value) ? null : message);
  }

  /**
   * Refuses values about which {@code complaint} has something to say. Ours never show a value;
   * yours may.
   */
  public Channel<T> refusing(Function<? super @NonNull T, @Nullable String> complaint) {
    return new Channel<>(spec.refusing(complaint));
  }

  /** Shows what is written in the next step only; then the channel is back at its start. */
  public Channel<T> ephemeral() {
    return new Channel<>(spec.living(Lifetime.NEXT_STEP));
  }

  /** Keeps the channel out of everything that is stored. */
  public Channel<T> runtimeOnly() {
    return new Channel<>(spec.living(Lifetime.RUNTIME));
  }

  /**
   * Makes the channel an argument of sends: only the task a send starts sees it, and no node writes
   * it.
   */
  public Channel<T> argument() {
    return new Channel<>(spec.living(Lifetime.ARGUMENT));
  }

  /**
   * Sets about how many bytes one write may take in storage, in place of
   * {@link ValueType#MAX_SIZE}. What many writes add up to is not limited.
   */
  public Channel<T> upTo(long bytes) {
    return new Channel<>(spec.upTo(bytes));
  }

  public final String name() {
    return spec.name();
  }

  public final ValueType<T> type() {
    return spec.type();
  }

  /** How writes are folded in; empty if the channel holds the last one. */
  public final Optional<Reducer<T>> reducer() {
    return Optional.ofNullable(spec.reducer());
  }

  /** Whether the channel holds something before it is first written. */
  public final boolean hasStart() {
    return spec.start() != null;
  }

  public final Lifetime lifetime() {
    return spec.lifetime();
  }

  /** Whether several tasks of one step may write the channel. */
  public final boolean takesSeveralWriters() {
    return !spec.singleWriter();
  }

  /**
   * Whether both channels live as long, and writes to them are folded by the same kind of reducer.
   * Of functions that a user brings along only where they were written can be compared, not what
   * they do.
   */
  public final boolean foldsLike(Channel<?> other) {
    return spec.severalWriters() == other.spec.severalWriters()
        && spec.lifetime() == other.spec.lifetime()
        && spec.rewrite() == other.spec.rewrite()
        && Objects.equals(kind(spec.reducer()), kind(other.spec.reducer()));
  }

  private static @Nullable Class<?> kind(@Nullable Reducer<?> reducer) {
    if (reducer == null) {
      return null;
    }
    return reducer instanceof DeclaringReducer<?> declaring
        ? declaring.writtenAt()
        : reducer.getClass();
  }

  final int guess() {
    return guess;
  }

  final void foundAt(int ordinal) {
    guess = ordinal;
  }

  /** Whether what it holds may have messages in it. */
  public final boolean holdsMessages() {
    return holdsMessages;
  }

  final ChannelSpec<T> spec() {
    return spec;
  }

  /**
   * {@code value} as this channel can hold it.
   *
   * @throws InvalidUpdateException if it cannot
   */
  final T admit(@Nullable Object value) {
    return admit(value, spec.maxSize());
  }

  final T admit(@Nullable Object value, long maxSize) {
    if (value == null && !hasStart() && spec.reducer() == null) {
      return spec.absent();
    }
    try {
      return spec.type().freeze(value, maxSize);
    } catch (InvalidValueException invalid) {
      throw InvalidUpdateException.of(name(), null, invalid);
    }
  }

  /** Two keys are the same if they name the same channel and read it as the same type. */
  @Override
  public final boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Channel<?> channel
            && name().equals(channel.name())
            && type().equals(channel.type()));
  }

  @Override
  public final int hashCode() {
    return name().hashCode();
  }

  @Override
  public final String toString() {
    return name() + ": " + type();
  }

  /** What becomes of a later, different value of a channel that is written once. */
  public enum Rewrite {
    /** The update is refused. */
    REJECT,
    /** The first value stays and the later one is dropped. */
    IGNORE
  }

  /** How long a value of a channel is kept. */
  public enum Lifetime {
    /** As long as its thread. */
    DURABLE,
    /** For one step after the one that wrote it. */
    NEXT_STEP,
    /** As long as its run; never stored. */
    RUNTIME,
    /** As long as the task of the send that brought it. */
    ARGUMENT;

    /** Whether a channel that lives so long is part of a stored state. */
    public boolean isStored() {
      return this == DURABLE || this == NEXT_STEP;
    }
  }
}
