package io.superstep.state;

import io.superstep.value.InvalidValueException;
import io.superstep.value.ValueType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An immutable snapshot of all channels.
 *
 * <p>Nothing that can be reached from a state can be changed: lists, sets and maps are frozen,
 * arrays are handed out as copies, other objects are asked to be immutable. A fold gives a new
 * state that shares with the old one all that did not change; what it costs depends on what it
 * changes, not on how much there is.
 */
public final class State {

  private final StateSchema schema;
  private final Slots slots;

  /**
   * Stored channels that the schema does not know, as their codec left them; they travel along
   * untouched.
   */
  private final Map<String, Object> strangers;

  /**
   * What the channels that live for one step go back to, in the order of
   * {@link StateSchema#ephemeral}.
   */
  private final List<@Nullable Object> starts;

  State(
      StateSchema schema,
      Slots slots,
      Map<String, Object> strangers,
      List<@Nullable Object> starts) {
    this.schema = schema;
    this.slots = slots;
    this.strangers = strangers;
    this.starts = starts;
  }

  State with(Slots others) {
    return new State(schema, others, strangers, starts);
  }

  @Nullable
  Object start(int ordinal) {
    return starts.get(schema.ephemeral().indexOf(ordinal));
  }

  /** What {@code channel} holds; null only if the channel has no start value. */
  public <T extends @Nullable Object> T get(Channel<T> channel) {
    return channel.type().handOut(slots.value(schema.ordinal(channel)));
  }

  /** What the channel called {@code name} holds. */
  public @Nullable Object get(String name) {
    return get(schema.channel(name));
  }

  /** How many folds have changed {@code channel}; 0 as long as it holds its start value. */
  public int version(Channel<?> channel) {
    return slots.version(schema.ordinal(channel));
  }

  /** The state as a record whose components are called like channels and have their types. */
  public <R extends Record> R view(Class<R> type) {
    return RecordShape.of(type).view(type, this);
  }

  /** All channels but arguments by name, in the order of the schema, with what they hold. */
  public Map<String, @Nullable Object> asMap() {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (Channel<?> channel : schema.channels()) {
      if (channel.lifetime() != Channel.Lifetime.ARGUMENT) {
        values.put(channel.name(), get(channel));
      }
    }
    return Collections.unmodifiableMap(values);
  }

  public StateSchema schema() {
    return schema;
  }

  /**
   * Folds the contributions of one step into this state, through the reducers: all of them or, if
   * one does not fit, none. They are in plan order; an overwrite precedes what other contributions
   * write to its channel.
   *
   * @throws InvalidUpdateException if a write, or the state it would lead to, is not allowed
   */
  public Transition fold(List<Contribution> contributions) {
    Draft draft = new Draft(this, true);
    List<Contribution> inOrder = FoldOrder.of(schema, contributions);
    for (int index = 0; index < inOrder.size(); index++) {
      draft.fold(inOrder.get(index));
    }
    return draft.finished();
  }

  /** Folds one contribution into this state, as {@link #fold(List)} does several. */
  public Transition fold(Contribution contribution) {
    Draft draft = new Draft(this, true);
    draft.fold(contribution);
    return draft.finished();
  }

  /**
   * Folds {@code change} into this state between two steps: as {@link #fold(Contribution)} does,
   * but channels that live for one step keep what they hold.
   *
   * @throws InvalidUpdateException if a write, or the state it would lead to, is not allowed
   */
  public Transition amend(Contribution change) {
    Draft draft = new Draft(this, false);
    draft.fold(change);
    return draft.finished();
  }

  /**
   * The state after {@code changes}, which another fold of the same schema reported. What happened
   * to channels that the schema does not know is kept with them.
   *
   * @throws InvalidUpdateException if they do not fit this state
   */
  public State apply(Changes changes) {
    Slots.Editor editor = slots.edit();
    Map<String, Object> others = new LinkedHashMap<>(0);
    changes.effects().forEach((name, effect) -> {
      if (effect instanceof Effect.Foreign<?> foreign && !schema.has(name)) {
        others.put(name, foreign.after(strangers.get(name)));
      } else {
        int ordinal = schema.ordinal(name);
        editor.set(ordinal, applied(schema.channel(ordinal), effect, slots.value(ordinal)));
      }
    });
    return others.isEmpty() ? with(editor.done()) : with(editor.done(), others);
  }

  private State with(Slots others, Map<String, Object> changed) {
    Map<String, Object> kept = new LinkedHashMap<>(strangers);
    kept.putAll(changed);
    return new State(schema, others, Collections.unmodifiableMap(kept), starts);
  }

  /**
   * Makes {@code changes} to this state between two steps, as {@link #amend(Contribution)} does:
   * what they lead to is checked.
   *
   * @param writer who makes them
   * @throws InvalidUpdateException if the state they would lead to is not allowed
   */
  public Transition amend(Changes changes, String writer) {
    State next = apply(changes);
    for (String name : changes.effects().keySet()) {
      int ordinal = schema.ordinal(name);
      StateSchema.requireFit(
          schema.channel(ordinal),
          next.slots.value(ordinal),
          writer,
          "Choose a side for the channel with Winner.OURS or Winner.THEIRS, or write a valid value with thread.update(...) before the merge.");
    }
    schema.requireChecked(next);
    return new Transition(next, changes, List.of());
  }

  @SuppressWarnings("unchecked") // if an effect is not one of this channel, it fails and is told so
  private static <T extends @Nullable Object> T applied(
      Channel<T> channel, Effect<?> effect, @Nullable Object current) {
    try {
      T value = ((Effect<T>) effect)
          .frozen(channel.type(), Long.MAX_VALUE)
          .on(channel.spec().unchecked(current), channel.type());
      if (value == null && channel.hasStart()) {
        throw new ClassCastException("null is not a value of " + channel);
      }
      return value;
    } catch (InvalidValueException invalid) {
      throw InvalidUpdateException.of(channel.name(), null, invalid);
    } catch (IndexOutOfBoundsException | ClassCastException | ArithmeticException misfit) {
      throw InvalidUpdateException.ofChange(channel.name(), misfit);
    }
  }

  /**
   * This state as the task of a send sees it: with {@code arguments} laid over it. They go no
   * further than that.
   */
  public State withArguments(Update arguments) {
    Slots.Editor editor = slots.edit();
    for (Write write : arguments.writes()) {
      Channel<?> channel = schema.argument(write, null);
      editor.set(schema.ordinal(channel), StateSchema.admitted(channel, write, null));
    }
    return with(editor.done());
  }

  /**
   * This state without what lives only as long as a run or a task: what a store may keep. Who goes
   * on from it has {@link StateSchema#adopt} fill in what is missing.
   */
  public State stored() {
    Slots kept = schema.stripped(slots);
    return kept == slots ? this : with(kept);
  }

  /** What {@code other}, of the same schema, holds that this state does not, by channel. */
  public Map<String, Difference> diff(State other) {
    Map<String, Difference> differences = new LinkedHashMap<>();
    for (Channel<?> channel : schema.channels()) {
      Object before = get(channel);
      Object after = other.get(channel);
      if (!ValueType.same(before, after)) {
        differences.put(channel.name(), new Difference(before, after));
      }
    }
    return Collections.unmodifiableMap(differences);
  }

  /** What a channel holds in one state, and in another. */
  public record Difference(
      @Nullable Object before, @Nullable Object after) {

    /** That there is a difference; never what it is. */
    @Override
    public String toString() {
      return "Difference";
    }
  }

  /** Stored channels that the schema does not know. */
  public Map<String, Object> strangers() {
    return strangers;
  }

  Slots slots() {
    return slots;
  }

  /** Two states are equal if they have the same channels and these hold the same values. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof State state
        && schema.channels().equals(state.schema.channels())
        && strangers.equals(state.strangers)
        && slots.sameValues(state.slots);
  }

  @Override
  public int hashCode() {
    return Objects.hash(schema.channels(), strangers);
  }

  /** The channels with their versions; never what they hold. */
  @Override
  public String toString() {
    List<String> channels = new ArrayList<>();
    schema.channels().forEach(channel -> channels.add(channel.name() + "@" + version(channel)));
    return "State" + channels;
  }
}
