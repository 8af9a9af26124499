package io.superstep.state;

import io.superstep.state.Channel.Lifetime;
import io.superstep.state.Channel.Rewrite;
import io.superstep.value.InvalidValueException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The next state in the making: takes contributions one by one and gives up at the first that does
 * not fit.
 */
final class Draft {

  private final State base;
  private final StateSchema schema;
  private final Slots.Editor slots;
  private final Map<Integer, Touched> touched = new LinkedHashMap<>();
  private List<String> handedBack = List.of();

  Draft(State base) {
    this.base = base;
    this.schema = base.schema();
    this.slots = base.slots().edit();
  }

  void fold(Contribution contribution) {
    for (Write write : contribution.update().writes()) {
      int ordinal = schema.ordinal(write, contribution.writer());
      fold(schema.channel(ordinal), ordinal, write, contribution.writer());
    }
  }

  private <T extends @Nullable Object> void fold(
      Channel<T> channel, int ordinal, Write write, String writer) {
    T value = StateSchema.admitted(channel, write, writer);
    if (channel.lifetime() == Lifetime.ARGUMENT) {
      throw InvalidUpdateException.of(
          "SG-217",
          "An argument channel cannot be written.",
          channel.name(),
          writer,
          "Hand it to a send.");
    }
    if (isHandedBack(channel, ordinal, write)) {
      handedBack = Stream.concat(handedBack.stream(), Stream.of(channel.name())).toList();
      return;
    }
    Touched touch = touched.get(ordinal);
    if (touch == null) {
      touch = new Touched(writer);
      touched.put(ordinal, touch);
    }
    requireSingleWriter(channel, touch, writer);
    Effect<T> effect = effect(channel, ordinal, write, value, touch, writer);
    if (!(effect instanceof Effect.Nothing)) {
      slots.set(ordinal, applied(channel, effect, ordinal, writer));
      touch.add(effect);
    }
  }

  /**
   * Whether a node returned the very list, set or map it was given: what it saw, not what it wants
   * to add.
   */
  private boolean isHandedBack(Channel<?> channel, int ordinal, Write write) {
    return (write.value() instanceof Collection<?> || write.value() instanceof Map<?, ?>)
        && write.value() == base.slots().value(ordinal)
        && !write.overwrite()
        && channel.spec().reducer() != null;
  }

  private static void requireSingleWriter(Channel<?> channel, Touched touch, String writer) {
    if (channel.spec().singleWriter() && !touch.writer.equals(writer)) {
      throw InvalidUpdateException.of(
          "SG-212",
          "Two nodes wrote the channel in one step: '" + touch.writer + "' and '" + writer + "'.",
          channel.name(),
          writer,
          "Give the channel a reducer, or say lastWins() to take the last one in plan order.");
    }
  }

  private <T extends @Nullable Object> Effect<T> effect(
      Channel<T> channel, int ordinal, Write write, T value, Touched touch, String writer) {
    Rewrite rewrite = channel.spec().rewrite();
    if (rewrite != null) {
      return onlyOnce(channel, ordinal, value, rewrite, touch, writer);
    }
    Reducer<T> reducer = channel.spec().reducer();
    if (write.overwrite() || reducer == null) {
      return Effect.replace(value);
    }
    try {
      T current = channel.type().handOut(slots.value(ordinal));
      return reducer
          .effect(current, channel.type().handOut(value))
          .frozen(channel.type(), channel.spec().maxSize());
    } catch (InvalidValueException invalid) {
      throw InvalidUpdateException.of(channel.name(), writer, invalid);
    } catch (RuntimeException failure) {
      throw InvalidUpdateException.ofReducer(channel.name(), writer, failure);
    }
  }

  private <T extends @Nullable Object> Effect<T> onlyOnce(
      Channel<T> channel, int ordinal, T value, Rewrite rewrite, Touched touch, String writer) {
    boolean written = base.slots().version(ordinal) > 0 || touch.hasEffect();
    if (!written && value != null) {
      return Effect.replace(value);
    }
    if (!written || rewrite == Rewrite.IGNORE || Objects.deepEquals(slots.value(ordinal), value)) {
      return Effect.nothing();
    }
    throw InvalidUpdateException.of(
        "SG-213",
        "The channel is written once and holds another value already.",
        channel.name(),
        writer,
        "Leave it alone, or declare it with writeOnce(IGNORE) to keep the first value silently.");
  }

  private <T extends @Nullable Object> T applied(
      Channel<T> channel, Effect<T> effect, int ordinal, String writer) {
    try {
      T value = effect.on(Draft.<T>current(slots, ordinal), channel.type());
      if (value == null && channel.hasStart()) {
        throw InvalidUpdateException.of(
            "SG-202",
            "The reducer returned null, which a channel with a start value never holds.",
            channel.name(),
            writer,
            "Return the current value to keep it.");
      }
      return value;
    } catch (InvalidValueException invalid) {
      throw InvalidUpdateException.of(channel.name(), writer, invalid);
    } catch (IndexOutOfBoundsException | ClassCastException failure) {
      throw InvalidUpdateException.ofReducer(channel.name(), writer, failure);
    }
  }

  @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"
  }) // a slot holds what its channel admits
  private static <T extends @Nullable Object> T current(Slots.Editor slots, int ordinal) {
    return (T) slots.value(ordinal);
  }

  Transition finished() {
    schema.ephemeral().forEach(this::fade);
    Map<String, Effect<?>> effects = new LinkedHashMap<>();
    for (Map.Entry<Integer, Touched> entry : touched.entrySet()) {
      Touched touch = entry.getValue();
      if (touch.hasEffect()) {
        Channel<?> channel = schema.channel(entry.getKey());
        requireFit(channel, entry.getKey(), touch.writer);
        effects.put(channel.name(), touch.effect());
      }
    }
    State state = new State(schema, slots.done(), base.strangers());
    schema.requireChecked(state);
    return new Transition(state, new Changes(effects), handedBack);
  }

  /** Takes a channel that lives for one step back to its start, unless it was written again. */
  private void fade(int ordinal) {
    if (!touched.containsKey(ordinal)) {
      Object start = schema.channel(ordinal).spec().initial();
      if (!Objects.deepEquals(start, slots.value(ordinal))) {
        slots.set(ordinal, start);
        touched.computeIfAbsent(ordinal, fresh -> new Touched("")).add(Effect.replace(start));
      }
    }
  }

  private <T extends @Nullable Object> void requireFit(
      Channel<T> channel, int ordinal, String writer) {
    T value = current(slots, ordinal);
    var complaint = channel.spec().complaint();
    if (value == null || complaint == null) {
      return;
    }
    String said;
    try {
      said = complaint.apply(value);
    } catch (RuntimeException failure) {
      throw InvalidUpdateException.ofCheck(channel.name(), writer, failure);
    }
    if (said != null) {
      throw InvalidUpdateException.of(
          "SG-214", said, channel.name(), writer, "Write a value that fits.");
    }
  }

  /** Who wrote a channel first, and what all writes did to it. */
  private static final class Touched {

    private final String writer;
    private @Nullable Effect<?> last;

    /** What came before {@code last}; most channels are written once in a step. */
    private List<Effect<?>> earlier = List.of();

    Touched(String writer) {
      this.writer = writer;
    }

    /** Adds an effect: a replacement hides what came before it, and appends become one. */
    void add(Effect<?> effect) {
      if (last == null || effect instanceof Effect.Replace) {
        earlier = List.of();
        last = effect;
      } else if (effect instanceof Effect.Append<?> more
          && last instanceof Effect.Append<?> appended) {
        last = appended.and(more);
      } else {
        if (earlier.isEmpty()) {
          earlier = new ArrayList<>();
        }
        earlier.add(last);
        last = effect;
      }
    }

    boolean hasEffect() {
      return last != null;
    }

    @SuppressWarnings("unchecked") // all effects are of one channel
    Effect<?> effect() {
      Effect<?> newest = Objects.requireNonNull(last);
      if (earlier.isEmpty()) {
        return newest;
      }
      earlier.add(newest);
      return new Effect.Sequence<>((List<Effect<Object>>) (List<?>) earlier);
    }
  }
}
