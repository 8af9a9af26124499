package io.superstep.state;

import io.superstep.state.Channel.Lifetime;
import io.superstep.state.Channel.Rewrite;
import io.superstep.state.Transition.HandedBack;
import io.superstep.value.InvalidValueException;
import io.superstep.value.ValueType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
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

  /** How many are found faster by looking through them than by an index. */
  private static final int FEW = 8;

  private final State base;
  private final boolean step;
  private final StateSchema schema;
  private final Slots.Editor slots;

  /** All that was touched, the last one first. */
  private @Nullable Touched touched;

  private int touches;

  /** By ordinal, once looking through all that was touched would take longer. */
  private @Nullable Map<Integer, Touched> byOrdinal;

  private Set<HandedBack> handedBack = Set.of();

  /** @param step whether a step goes by, so that channels that live for one fade */
  Draft(State base, boolean step) {
    this.base = base;
    this.step = step;
    this.schema = base.schema();
    this.slots = base.slots().edit();
  }

  void fold(Contribution contribution) {
    List<Write> writes = contribution.update().writes();
    for (int index = 0; index < writes.size(); index++) {
      Write write = writes.get(index);
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
    } catch (Throwable failure) {
      throw InvalidUpdateException.ofReducer(channel.name(), by.writer(), failure);
    }
  }

  /**
   * Whether a node returned the very list, set or map it was given: what it saw, not what it wants
   * to add. Nothing, where there is nothing, is handed back too.
   */
  private boolean isHandedBack(Channel<?> channel, int ordinal, Write write) {
    Object value = write.value();
    return value == base.slots().value(ordinal)
        && !write.overwrite()
        && (value == null ? channel.spec().reducer() != null : isContainer(value));
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
          "Channel '" + channel.name() + "' is an argument channel, which updates cannot write.",
          channel.name(),
          by.writer(),
          "Pass the value with Send.to(node, channel, value), or write another channel.");
    }
  }

  private Touched touched(Channel<?> channel, int ordinal, Contribution by) {
    Touched touch = find(ordinal);
    if (touch == null) {
      touch = add(new Touched(ordinal, by));
      if (step && channel.lifetime() == Lifetime.NEXT_STEP) {
        fade(touch);
      }
    }
    return touch;
  }

  private @Nullable Touched find(int ordinal) {
    if (byOrdinal != null) {
      return byOrdinal.get(ordinal);
    }
    Touched touch = touched;
    while (touch != null && touch.ordinal != ordinal) {
      touch = touch.before;
    }
    return touch;
  }

  private Touched add(Touched touch) {
    touch.before = touched;
    touched = touch;
    if (byOrdinal != null) {
      byOrdinal.put(touch.ordinal, touch);
    } else if (++touches > FEW) {
      byOrdinal = new HashMap<>();
      for (Touched each = touched; each != null; each = each.before) {
        byOrdinal.put(each.ordinal, each);
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
          "Two tasks wrote channel '" + channel.name() + "', which has no reducer, in one step: '"
              + first + "' and '" + by.writer() + "'.",
          channel.name(),
          by.writer(),
          "Give the channel a reducer, or declare it lastWins() to keep the last write in plan order.");
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
        "Channel '" + channel.name() + "' is declared writeOnce() and already has another value.",
        channel.name(),
        by.writer(),
        "Remove the second write, or declare the channel with writeOnce(Rewrite.IGNORE) to keep the first value.");
  }

  private <T extends @Nullable Object> T applied(
      Channel<T> channel, Effect<T> effect, int ordinal, Contribution by) {
    T value = effect.on(channel.spec().unchecked(slots.value(ordinal)), channel.type());
    if (value == null && channel.hasStart()) {
      throw InvalidUpdateException.of(
          "SG-202",
          "The reducer of channel '" + channel.name()
              + "' returned null, but the channel has a start value.",
          channel.name(),
          by.writer(),
          "Return the current value from the reducer to keep it.");
    }
    return value;
  }

  Transition finished() {
    if (step) {
      fadeUntouched();
    }
    Changes changes = changes();
    State state = base.with(slots.done());
    schema.requireChecked(state);
    List<HandedBack> back = handedBack.isEmpty() ? List.of() : List.copyOf(handedBack);
    return new Transition(state, changes, back);
  }

  private void fadeUntouched() {
    List<Integer> ephemeral = schema.ephemeral();
    for (int index = 0; index < ephemeral.size(); index++) {
      if (find(ephemeral.get(index)) == null) {
        fade(add(new Touched(ephemeral.get(index), null)));
      }
    }
  }

  private Changes changes() {
    Touched last = touched;
    if (last != null && last.before == null && last.hasEffect()) { // as in most steps
      return new Changes(checkedName(last), last.effect());
    }
    Deque<Touched> inOrder = new ArrayDeque<>();
    for (Touched touch = last; touch != null; touch = touch.before) {
      inOrder.push(touch);
    }
    Map<String, Effect<?>> effects = new LinkedHashMap<>();
    for (Touched touch : inOrder) {
      if (touch.hasEffect()) {
        effects.put(checkedName(touch), touch.effect());
      }
    }
    return new Changes(effects);
  }

  /** The name of a channel whose new value has been checked. */
  private String checkedName(Touched touch) {
    Channel<?> channel = schema.channel(touch.ordinal);
    requireFit(channel, touch);
    return channel.name();
  }

  /**
   * Takes a channel that lives for one step back to its start, before anything is written to it.
   */
  private void fade(Touched touch) {
    Object start = base.start(touch.ordinal);
    if (!ValueType.same(start, slots.value(touch.ordinal))) {
      slots.set(touch.ordinal, start);
      touch.add(Effect.<@Nullable Object>replace(start), null);
    }
  }

  private void requireFit(Channel<?> channel, Touched touch) {
    String writer = touch.lastWriter;
    if (writer != null) {
      StateSchema.requireFit(
          channel,
          slots.value(touch.ordinal),
          writer,
          "Write a value that passes the check of the channel.");
    }
  }

  /** Whose contribution wrote a channel first, who wrote last, and what all writes did to it. */
  private static final class Touched {

    private final int ordinal;
    private final @Nullable Contribution first;
    private @Nullable Touched before;
    private @Nullable String lastWriter;
    private @Nullable Effect<?> last;

    /** What came before {@code last}; most channels are written once in a step. */
    private List<Effect<?>> earlier = List.of();

    Touched(int ordinal, @Nullable Contribution first) {
      this.ordinal = ordinal;
      this.first = first;
    }

    /** Adds an effect: a replacement hides what came before it, and amounts add up. */
    void add(Effect<?> effect, @Nullable String writer) {
      lastWriter = writer;
      Effect<?> sum = effect instanceof Effect.Add<?> add ? sum(last, add) : null;
      if (sum != null) {
        last = sum;
      } else if (last == null || effect instanceof Effect.Replace) {
        earlier = List.of();
        last = effect;
      } else {
        if (earlier.isEmpty()) {
          earlier = new ArrayList<>();
        }
        earlier.add(last);
        last = effect;
      }
    }

    @SuppressWarnings("unchecked") // all effects are of one channel
    private static @Nullable Effect<?> sum(@Nullable Effect<?> last, Effect.Add<?> next) {
      return last instanceof Effect.Add<?> add
          ? ((Effect.Add<Number>) add).and((Effect.Add<Number>) next)
          : null;
    }

    boolean hasEffect() {
      return last != null;
    }

    /** What all writes did, as one; appends that follow each other become one first. */
    @SuppressWarnings("unchecked") // all effects are of one channel
    Effect<?> effect() {
      Effect<?> newest = Objects.requireNonNull(last);
      if (earlier.isEmpty()) {
        return newest;
      }
      earlier.add(newest);
      List<Effect<Object>> all = new ArrayList<>();
      List<Effect.Append<Object>> run = new ArrayList<>();
      for (Effect<?> effect : earlier) {
        if (effect instanceof Effect.Append<?> append) {
          run.add((Effect.Append<Object>) append);
        } else {
          endRun(run, all);
          all.add((Effect<Object>) effect);
        }
      }
      endRun(run, all);
      return all.size() == 1 ? all.get(0) : new Effect.Sequence<>(all);
    }

    @SuppressWarnings("unchecked") // all effects are of one channel
    private static void endRun(List<Effect.Append<Object>> run, List<Effect<Object>> all) {
      if (!run.isEmpty()) {
        Effect<?> joined = run.size() == 1 ? run.get(0) : Effect.Append.all(run);
        all.add((Effect<Object>) joined);
        run.clear();
      }
    }
  }
}
