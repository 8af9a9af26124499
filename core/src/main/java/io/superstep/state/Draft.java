package io.superstep.state;

import io.superstep.state.Channel.Lifetime;
import io.superstep.state.Channel.Rewrite;
import io.superstep.state.Transition.HandedBack;
import io.superstep.value.InvalidValueException;
import io.superstep.value.ValueType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The next state in the making: takes contributions one by one and gives up at the first that does
 * not fit.
 */
final class Draft {

  private final State base;
  private final boolean step;
  private final StateSchema schema;
  private final Slots.Editor slots;
  private final Map<Integer, Touched> touched = new LinkedHashMap<>();
  private Set<HandedBack> handedBack = Set.of();

  /** @param step whether a step goes by, so that channels that live for one fade */
  Draft(State base, boolean step) {
    this.base = base;
    this.step = step;
    this.schema = base.schema();
    this.slots = base.slots().edit();
  }

  void fold(Contribution contribution) {
    for (Write write : contribution.update().writes()) {
      int ordinal = schema.ordinal(write, contribution.writer());
      Channel<?> channel = schema.channel(ordinal);
      if (isHandedBack(channel, ordinal, write)) {
        handedBack(channel, write, contribution);
      } else {
        fold(channel, ordinal, write, contribution);
      }
    }
  }

  private <T extends @Nullable Object> void fold(
      Channel<T> channel, int ordinal, Write write, Contribution by) {
    T value = StateSchema.admitted(channel, write, by.writer());
    requireWritable(channel, by);
    Touched touch = touched(channel, ordinal, by);
    requireSingleWriter(channel, touch, by);
    try {
      Effect<T> effect = effect(channel, ordinal, write, value, touch, by);
      if (!(effect instanceof Effect.Nothing)) {
        slots.set(ordinal, applied(channel, effect, ordinal, by));
        touch.add(effect, by.writer());
      }
    } catch (InvalidUpdateException refused) {
      throw refused;
    } catch (InvalidValueException invalid) {
      throw InvalidUpdateException.of(channel.name(), by.writer(), invalid);
    } catch (RuntimeException | StackOverflowError failure) {
      throw InvalidUpdateException.ofReducer(channel.name(), by.writer(), failure);
    }
  }

  /**
   * Whether a node returned the very list, set or map it was given: what it saw, not what it wants
   * to add. Nothing, where there is nothing, is handed back too.
   */
  private boolean isHandedBack(Channel<?> channel, int ordinal, Write write) {
    Object value = write.value();
    boolean nothing = value == null && channel.spec().reducer() != null;
    return (isContainer(value) || nothing)
        && value == base.slots().value(ordinal)
        && !write.overwrite();
  }

  private static boolean isContainer(@Nullable Object value) {
    return value instanceof Collection<?> || value instanceof Map<?, ?>;
  }

  private void handedBack(Channel<?> channel, Write write, Contribution by) {
    if (write.value() != null) {
      if (handedBack.isEmpty()) {
        handedBack = new LinkedHashSet<>();
      }
      handedBack.add(new HandedBack(channel.name(), by.writer()));
    }
  }

  private static void requireWritable(Channel<?> channel, Contribution by) {
    if (channel.lifetime() == Lifetime.ARGUMENT) {
      throw InvalidUpdateException.of(
          "SG-217",
          "An argument channel cannot be written.",
          channel.name(),
          by.writer(),
          "Hand it to a send.");
    }
  }

  private Touched touched(Channel<?> channel, int ordinal, Contribution by) {
    Touched touch = touched.get(ordinal);
    if (touch == null) {
      touch = new Touched(by);
      touched.put(ordinal, touch);
      if (step && channel.lifetime() == Lifetime.NEXT_STEP) {
        fade(ordinal, touch);
      }
    }
    return touch;
  }

  // two tasks of one node are two writers
  private static void requireSingleWriter(Channel<?> channel, Touched touch, Contribution by) {
    if (channel.spec().singleWriter() && touch.first != by) {
      String first = touch.first == null ? "" : touch.first.writer();
      throw InvalidUpdateException.of(
          "SG-212",
          "Two tasks wrote the channel in one step: '" + first + "' and '" + by.writer() + "'.",
          channel.name(),
          by.writer(),
          "Give the channel a reducer, or say lastWins() to take the last one in plan order.");
    }
  }

  private <T extends @Nullable Object> Effect<T> effect(
      Channel<T> channel, int ordinal, Write write, T value, Touched touch, Contribution by) {
    Rewrite rewrite = channel.spec().rewrite();
    if (rewrite != null) {
      return onlyOnce(channel, ordinal, value, rewrite, touch, by);
    }
    Reducer<T> reducer = channel.spec().reducer();
    if (reducer == null) {
      return Effect.replace(value);
    }
    if (write.overwrite()) {
      return Effect.replace(channel.spec().normal(value)).frozen(channel.type(), Long.MAX_VALUE);
    }
    T current = channel.type().handOut(slots.value(ordinal));
    Effect<T> effect = reducer
        .effect(current, channel.type().handOut(value))
        .frozen(channel.type(), channel.spec().maxSize());
    return keeps(effect, slots.value(ordinal)) ? Effect.nothing() : effect;
  }

  /** Whether a reducer decided for what was there; of containers only the very same one counts. */
  private static boolean keeps(Effect<?> effect, @Nullable Object current) {
    if (!(effect instanceof Effect.Replace<?> replace)) {
      return false;
    }
    Object value = replace.value();
    return isContainer(value) ? value == current : Objects.deepEquals(value, current);
  }

  private <T extends @Nullable Object> Effect<T> onlyOnce(
      Channel<T> channel, int ordinal, T value, Rewrite rewrite, Touched touch, Contribution by) {
    boolean written = base.slots().version(ordinal) > 0 || touch.hasEffect();
    if (!written && value != null) {
      return Effect.replace(value);
    }
    if (!written || rewrite == Rewrite.IGNORE || ValueType.same(slots.value(ordinal), value)) {
      return Effect.nothing();
    }
    throw InvalidUpdateException.of(
        "SG-213",
        "The channel is written once and holds another value already.",
        channel.name(),
        by.writer(),
        "Leave it alone, or declare it with writeOnce(IGNORE) to keep the first value silently.");
  }

  private <T extends @Nullable Object> T applied(
      Channel<T> channel, Effect<T> effect, int ordinal, Contribution by) {
    T value = effect.on(channel.spec().unchecked(slots.value(ordinal)), channel.type());
    if (value == null && channel.hasStart()) {
      throw InvalidUpdateException.of(
          "SG-202",
          "The reducer returned null, which a channel with a start value never holds.",
          channel.name(),
          by.writer(),
          "Return the current value to keep it.");
    }
    return value;
  }

  Transition finished() {
    for (int ordinal : step ? schema.ephemeral() : List.<Integer>of()) {
      if (!touched.containsKey(ordinal)) {
        Touched touch = new Touched(null);
        fade(ordinal, touch);
        touched.put(ordinal, touch);
      }
    }
    Map<String, Effect<?>> effects = new LinkedHashMap<>();
    for (Map.Entry<Integer, Touched> entry : touched.entrySet()) {
      Touched touch = entry.getValue();
      if (touch.hasEffect()) {
        Channel<?> channel = schema.channel(entry.getKey());
        requireFit(channel, entry.getKey(), touch);
        effects.put(channel.name(), touch.effect());
      }
    }
    State state = base.with(slots.done());
    schema.requireChecked(state);
    return new Transition(state, new Changes(effects), List.copyOf(handedBack));
  }

  /**
   * Takes a channel that lives for one step back to its start, before anything is written to it.
   */
  private void fade(int ordinal, Touched touch) {
    Object start = base.start(ordinal);
    if (!ValueType.same(start, slots.value(ordinal))) {
      slots.set(ordinal, start);
      touch.add(Effect.<@Nullable Object>replace(start), null);
    }
  }

  private <T extends @Nullable Object> void requireFit(
      Channel<T> channel, int ordinal, Touched touch) {
    T value = channel.type().handOut(slots.value(ordinal));
    String writer = touch.lastWriter;
    if (value == null || writer == null) {
      return;
    }
    String said;
    try {
      said = channel.spec().complaintAbout(value);
    } catch (RuntimeException | StackOverflowError failure) {
      throw InvalidUpdateException.ofCheck(channel.name(), writer, failure);
    }
    if (said != null) {
      throw InvalidUpdateException.of(
          "SG-214", said, channel.name(), writer, "Write a value that fits.");
    }
  }

  /** Whose contribution wrote a channel first, who wrote last, and what all writes did to it. */
  private static final class Touched {

    private final @Nullable Contribution first;
    private @Nullable String lastWriter;
    private @Nullable Effect<?> last;

    /** What came before {@code last}; most channels are written once in a step. */
    private List<Effect<?>> earlier = List.of();

    Touched(@Nullable Contribution first) {
      this.first = first;
    }

    /** Adds an effect: a replacement hides what came before it, and appends become one. */
    void add(Effect<?> effect, @Nullable String writer) {
      lastWriter = writer;
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
