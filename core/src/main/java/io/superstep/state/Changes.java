package io.superstep.state;

import io.superstep.value.FrozenList;
import io.superstep.value.ValueType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one fold did to the state: the effect on each channel it changed, in the order in which they
 * were first written.
 *
 * <p>This is what has to be stored of a step, but for the channels that are never stored:
 * {@link State#apply} leads from the state before to the state after without running any code of
 * the user.
 */
public final class Changes {

  /** The only channel that was changed; most steps change one, and need no map. */
  private final @Nullable String only;

  private final @Nullable Effect<?> effectOnOnly;

  /** By channel, the effect on it, if there is not just one. */
  private final Map<String, Effect<?>> several;

  /** @param effects by channel, in the order in which they were first written */
  public Changes(Map<String, Effect<?>> effects) {
    boolean isOne = effects.size() == 1;
    this.only = isOne ? effects.keySet().iterator().next() : null;
    this.effectOnOnly = isOne ? Objects.requireNonNull(effects.get(only)) : null;
    this.several = isOne || effects.isEmpty()
        ? Map.of()
        : Collections.unmodifiableMap(new LinkedHashMap<>(effects));
  }

  /** What happened to the only channel that was changed. */
  Changes(String channel, Effect<?> effect) {
    this.only = channel;
    this.effectOnOnly = effect;
    this.several = Map.of();
  }

  /** By channel, the effect on it. */
  public Map<String, Effect<?>> effects() {
    return only == null || effectOnOnly == null ? several : Map.of(only, effectOnOnly);
  }

  public boolean isEmpty() {
    return only == null && several.isEmpty();
  }

  /**
   * What leads from the start of its schema to {@code state}: every channel that was ever changed
   * is set to what it holds. What lives only as long as a run or a task is left out.
   */
  public static Changes whole(State state) {
    Map<String, Effect<?>> effects = new LinkedHashMap<>();
    for (Channel<?> channel : state.schema().channels()) {
      if (channel.lifetime().isStored() && state.version(channel) > 0) {
        effects.put(channel.name(), Effect.<@Nullable Object>replace(state.get(channel)));
      }
    }
    return new Changes(effects);
  }

  /**
   * The smallest delta that leads from one state to another: a list that has grown is appended to,
   * and any other channel that differs is set. Channels that are never stored are left out.
   *
   * @throws IllegalArgumentException if the states have different schemas
   */
  public static Changes between(State from, State to) {
    if (from.schema() != to.schema()) {
      throw new IllegalArgumentException("The states have different schemas.");
    }
    Map<String, Effect<?>> effects = new LinkedHashMap<>();
    for (Channel<?> channel : from.schema().channels()) {
      Object before = from.get(channel);
      Object after = to.get(channel);
      if (channel.lifetime().isStored() && !ValueType.same(before, after)) {
        effects.put(channel.name(), effect(before, after));
      }
    }
    return new Changes(effects);
  }

  /** What sets {@code channels} to their values in {@code state}; of the stored ones only. */
  public static Changes of(State state, Collection<String> channels) {
    Map<String, Effect<?>> effects = new LinkedHashMap<>();
    for (Channel<?> channel : state.schema().channels()) {
      if (channel.lifetime().isStored() && channels.contains(channel.name())) {
        effects.put(channel.name(), Effect.<@Nullable Object>replace(state.get(channel)));
      }
    }
    return new Changes(effects);
  }

  private static Effect<?> effect(@Nullable Object before, @Nullable Object after) {
    return before instanceof FrozenList<?> shorter
            && after instanceof FrozenList<?> longer
            && longer.startsWith(shorter)
        ? Effect.append(longer.subList(shorter.size(), longer.size()))
        : Effect.<@Nullable Object>replace(after);
  }

  /** What of these a store keeps: not what lives only as long as a run. */
  public Changes stored(StateSchema schema) {
    if (!schema.hasRuntimeChannels()) {
      return this;
    }
    Map<String, Effect<?>> kept = new LinkedHashMap<>(effects());
    kept.keySet()
        .removeIf(name -> schema.has(name) && !schema.channel(name).lifetime().isStored());
    return new Changes(kept);
  }

  /** What of {@code type} was written to the channels, alone or as an element of a list. */
  public <T> List<T> brought(Class<T> type) {
    List<T> brought = new ArrayList<>();
    effects().values().forEach(effect -> add(effect, type, brought));
    return brought;
  }

  private static <T> void add(Effect<?> effect, Class<T> type, List<T> brought) {
    if (effect instanceof Effect.Append<?> append) {
      append.items().forEach(item -> add(item, type, brought));
    } else if (effect instanceof Effect.Edit<?> edit) {
      edit.replaced().values().forEach(item -> add(item, type, brought));
      edit.inserted().values().forEach(item -> add(item, type, brought));
    } else if (effect instanceof Effect.Replace<?> replace) {
      Iterable<?> items = replace.value() instanceof List<?> list
          ? list
          : Collections.singletonList(replace.value());
      items.forEach(item -> add(item, type, brought));
    } else if (effect instanceof Effect.Sequence<?> sequence) {
      sequence.effects().forEach(each -> add(each, type, brought));
    }
  }

  private static <T> void add(@Nullable Object item, Class<T> type, List<T> brought) {
    if (type.isInstance(item)) {
      brought.add(type.cast(item));
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Changes changes && effects().equals(changes.effects());
  }

  @Override
  public int hashCode() {
    return effects().hashCode();
  }

  /** The channels and the kinds of effects; never what was written. */
  @Override
  public String toString() {
    return "Changes" + effects();
  }
}
