package io.superstep.json;

import io.superstep.state.Changes;
import io.superstep.state.Channel;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.State;
import io.superstep.value.ValueType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The way from one state to another of the same schema.
 *
 * @param effects what was done to channels whose values differ
 * @param versions those that do not follow from that
 */
record StateStep(Changes effects, Map<String, Integer> versions) {

  /** The shortest way; null if there is none. */
  static @Nullable StateStep between(State from, State to) {
    if (from.schema() != to.schema() || !from.strangers().equals(to.strangers())) {
      return null;
    }
    Changes effects = Changes.between(from, to);
    Map<String, Integer> versions = new LinkedHashMap<>();
    for (Channel<?> channel : from.schema().channels()) {
      if (channel.lifetime().isStored()) {
        boolean isChanged = effects.effects().containsKey(channel.name());
        int version = from.version(channel) + (isChanged ? 1 : 0);
        if (to.version(channel) != version) {
          versions.put(channel.name(), to.version(channel));
        }
      }
    }
    return new StateStep(effects, versions);
  }

  boolean isEmpty() {
    return effects.isEmpty() && versions.isEmpty();
  }

  /**
   * Whether {@code changes} lead from one state to another.
   *
   * @param inLine whether they are known to, if they lead from a state with these versions
   */
  static boolean follows(State from, Changes changes, State to, boolean inLine) {
    Set<String> changed = changes.effects().keySet();
    if (from.schema() != to.schema()
        || !from.strangers().equals(to.strangers())
        || !changed.stream().allMatch(from.schema()::has)) {
      return false;
    }
    for (Channel<?> channel : from.schema().channels()) {
      if (channel.lifetime().isStored()) {
        boolean isChanged = changed.contains(channel.name());
        if (to.version(channel) != from.version(channel) + (isChanged ? 1 : 0)
            || (!isChanged && !ValueType.same(from.get(channel), to.get(channel)))) {
          return false;
        }
      }
    }
    return inLine || leadsTo(to, from, changes);
  }

  private static boolean leadsTo(State to, State from, Changes changes) {
    State made;
    try {
      made = from.apply(changes);
    } catch (InvalidUpdateException misfit) {
      return false; // they were made to another state
    }
    return changes.effects().keySet().stream()
        .allMatch(name -> ValueType.same(made.get(name), to.get(name)));
  }

  State from(State state) {
    State made = state.apply(effects);
    if (versions.isEmpty()) {
      return made;
    }
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    Map<String, Integer> counts = new LinkedHashMap<>();
    for (Channel<?> channel : made.schema().channels()) {
      if (channel.lifetime().isStored()) {
        values.put(channel.name(), made.get(channel));
        counts.put(channel.name(), versions.getOrDefault(channel.name(), made.version(channel)));
      }
    }
    return made.schema().restoreStored(values, counts, made.strangers());
  }
}
