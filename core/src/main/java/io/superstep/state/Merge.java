package io.superstep.state;

import io.superstep.value.ValueType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one line of changes brings to another, both having begun at one state.
 *
 * <p>What only one line has changed is taken as it is. What both have changed is decided by what
 * they did to the channel, as the effects tell:
 *
 * <ul>
 *   <li>appended items and texts: ours, then theirs;
 *   <li>elements of a set: all of them;
 *   <li>entries of a map: all of them, unless both have put something else under one key;
 *   <li>messages: by id, unless both have done something else with the same one;
 *   <li>items by key: the newest of each, as ever;
 *   <li>sums: what either has added, unless one has overwritten it;
 *   <li>all else: a conflict, unless both hold the same and the channel has no reducer of its own.
 * </ul>
 *
 * <p>Only channels that live as long as their thread are looked at: what lives for a step belongs
 * to the step that is due.
 *
 * @param changes what leads from our state to what both come to, but for channels in conflict
 * @param conflicts channels that both have changed, in ways that contradict each other, in the
 *     order of the schema
 */
public record Merge(Changes changes, List<String> conflicts) {

  public Merge {
    conflicts = List.copyOf(conflicts);
  }

  /** Whose value a channel in conflict gets. */
  public enum Winner {
    /** That of the line into which the other one is merged. */
    OURS,
    /** That of the line that is merged. */
    THEIRS
  }

  /**
   * Where a line of changes has led to.
   *
   * @param changes all of them, oldest first
   */
  public record Line(State state, List<Changes> changes) {

    public Line {
      changes = List.copyOf(changes);
    }

    /** All that was done to a channel. */
    private List<Effect<?>> effectsOn(Channel<?> channel) {
      List<Effect<?>> effects = new ArrayList<>();
      for (Changes each : changes) {
        Effect<?> effect = each.effects().get(channel.name());
        if (effect instanceof Effect.Sequence<?> sequence) {
          effects.addAll(sequence.effects());
        } else if (effect != null) {
          effects.add(effect);
        }
      }
      return effects;
    }
  }

  /**
   * Merges {@code theirs} into {@code ours}.
   *
   * @param base where both began
   * @param decided who wins if a channel is in conflict, by its name
   * @throws InvalidUpdateException if there is no channel of a name in {@code decided}, or numbers
   *     become too large
   */
  public static Merge of(State base, Line ours, Line theirs, Map<String, Winner> decided) {
    decided.keySet().forEach(base.schema()::ordinal);
    Map<String, Effect<?>> effects = new LinkedHashMap<>();
    List<String> conflicts = new ArrayList<>();
    for (Channel<?> channel : base.schema().channels()) {
      if (channel.lifetime() == Channel.Lifetime.DURABLE) {
        Effect<?> effect = effect(channel, base, ours, theirs, decided.get(channel.name()));
        if (effect == null) {
          conflicts.add(channel.name());
        } else if (!(effect instanceof Effect.Nothing)) {
          effects.put(channel.name(), effect);
        }
      }
    }
    return new Merge(new Changes(effects), conflicts);
  }

  private static <T extends @Nullable Object> @Nullable Effect<T> effect(
      Channel<T> channel, State base, Line ours, Line theirs, @Nullable Winner winner) {
    List<Effect<?>> ourEffects = ours.effectsOn(channel);
    List<Effect<?>> theirEffects = theirs.effectsOn(channel);
    if (theirEffects.isEmpty()) {
      return Effect.nothing();
    }
    T our = ours.state().get(channel);
    T their = theirs.state().get(channel);
    Effect<T> effect = ourEffects.isEmpty()
        ? taken(channel, base.get(channel), our, their, theirEffects)
        : merged(channel, base.get(channel), our, their, ourEffects, theirEffects);
    if (effect == null && winner != null) {
      effect = winner == Winner.OURS ? Effect.nothing() : Effect.replace(their);
    }
    return effect == null ? null : effect.frozen(channel.type(), Long.MAX_VALUE);
  }

  /** We have not changed it. */
  private static <T extends @Nullable Object> Effect<T> taken(
      Channel<T> channel, T base, T ours, T theirs, List<Effect<?>> effects) {
    Effect<T> grown = grown(base, ours, theirs, effects, kinds(effects));
    return grown != null && leads(grown, channel, ours, theirs) ? grown : Effect.replace(theirs);
  }

  /** Whether {@code effect} makes {@code theirs} of {@code ours}. */
  private static <T extends @Nullable Object> boolean leads(
      Effect<T> effect, Channel<T> channel, T ours, T theirs) {
    try {
      Effect<T> frozen = effect.frozen(channel.type(), Long.MAX_VALUE);
      return ValueType.same(frozen.on(ours, channel.type()), theirs);
    } catch (ArithmeticException tooLarge) {
      return false;
    }
  }

  /** Both have changed it. */
  private static <T extends @Nullable Object> @Nullable Effect<T> merged(
      Channel<T> channel,
      T base,
      T ours,
      T theirs,
      List<Effect<?>> ourEffects,
      List<Effect<?>> theirEffects) {
    Reducer<T> reducer = channel.spec().reducer();
    if (reducer == null && ValueType.same(ours, theirs)) {
      return Effect.nothing();
    }
    try {
      if (reducer instanceof Merging<T> merging) {
        return merging.merged(base, ours, theirs);
      }
      Set<Class<?>> kinds = kinds(ourEffects);
      kinds.addAll(kinds(theirEffects));
      Effect<T> grown = grown(base, ours, theirs, theirEffects, kinds);
      if (grown != null && kinds.contains(Effect.Add.class)) {
        grown.on(ours, channel.type()); // says if it becomes too large
      }
      return grown;
    } catch (Throwable failure) {
      throw InvalidUpdateException.ofReducer(channel.name(), null, failure);
    }
  }

  private static Set<Class<?>> kinds(List<Effect<?>> effects) {
    Set<Class<?>> kinds = new HashSet<>();
    effects.forEach(effect -> kinds.add(effect.getClass()));
    return kinds;
  }

  /**
   * What has to be added to ours, if nothing was ever done but adding; null if there was, or it
   * clashes.
   *
   * @param effects what they did
   * @param kinds of all that was done
   */
  @SuppressWarnings("unchecked") // effects are only ever those of the channel's type
  private static <T extends @Nullable Object> @Nullable Effect<T> grown(
      T base, T ours, T theirs, List<Effect<?>> effects, Set<Class<?>> kinds) {
    Effect<?> grown = null;
    if (kinds.equals(Set.of(Effect.Append.class))) {
      grown = appended(base == null ? List.of() : (List<?>) base, (List<?>) theirs, effects);
    } else if (kinds.equals(Set.of(Effect.Join.class))) {
      grown = joined(base == null ? "" : (String) base, (String) theirs, effects);
    } else if (kinds.equals(Set.of(Effect.Add.class))) {
      grown = Effect.Add.all((List<Effect.Add<Number>>) (List<?>) effects);
    } else if (kinds.equals(Set.of(Effect.Union.class))) {
      grown = union((Set<?>) ours, (Set<?>) theirs);
    } else if (kinds.equals(Set.of(Effect.Merge.class))) {
      boolean deep = effects.stream().allMatch(each -> ((Effect.Merge<?, ?>) each).deep());
      grown = put(map(base), map(ours), map(theirs), deep);
    }
    return (Effect<T>) grown;
  }

  /**
   * The items that are theirs alone. A branch that has merged another one may hold the base in
   * pieces; then all that was appended on its way is, if it adds up.
   */
  private static @Nullable Effect<?> appended(
      List<?> base, List<?> theirs, List<Effect<?>> effects) {
    int size = base.size();
    if (size <= theirs.size() && base.equals(theirs.subList(0, size))) {
      return Effect.append(theirs.subList(size, theirs.size()));
    }
    List<Object> added = new ArrayList<>();
    effects.forEach(effect -> added.addAll(((Effect.Append<?>) effect).items()));
    return size + added.size() == theirs.size() ? Effect.append(added) : null;
  }

  /** The text that is theirs alone, as {@link #appended} finds items. */
  private static @Nullable Effect<?> joined(String base, String theirs, List<Effect<?>> effects) {
    if (theirs.startsWith(base)) {
      return new Effect.Join(theirs.substring(base.length()));
    }
    StringBuilder added = new StringBuilder();
    effects.forEach(effect -> added.append(((Effect.Join) effect).text()));
    return base.length() + added.length() == theirs.length()
        ? new Effect.Join(added.toString())
        : null;
  }

  private static Effect<?> union(@Nullable Set<?> ours, Set<?> theirs) {
    Set<Object> more = new LinkedHashSet<>(theirs);
    more.removeIf(element -> ours != null && ours.contains(element));
    return more.isEmpty() ? Effect.nothing() : new Effect.Union<>(more);
  }

  @SuppressWarnings("unchecked") // whatever it maps
  private static Map<Object, @Nullable Object> map(@Nullable Object value) {
    return value == null ? Map.of() : (Map<Object, @Nullable Object>) value;
  }

  private static @Nullable Effect<?> put(
      Map<Object, @Nullable Object> base,
      Map<Object, @Nullable Object> ours,
      Map<Object, @Nullable Object> theirs,
      boolean deep) {
    Map<Object, @Nullable Object> entries = entries(base, ours, theirs, deep);
    if (entries == null) {
      return null;
    }
    return entries.isEmpty() ? Effect.nothing() : new Effect.Merge<>(entries, deep);
  }

  /**
   * The entries that have to be put into ours; null if both have put something else somewhere, or
   * they have dropped something that putting cannot drop.
   */
  private static @Nullable Map<Object, @Nullable Object> entries(
      Map<Object, @Nullable Object> base,
      Map<Object, @Nullable Object> ours,
      Map<Object, @Nullable Object> theirs,
      boolean deep) {
    if (base.keySet().stream().anyMatch(key -> ours.containsKey(key) && !theirs.containsKey(key))) {
      return null;
    }
    Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
    for (Map.Entry<Object, @Nullable Object> entry : theirs.entrySet()) {
      Object key = entry.getKey();
      Object their = entry.getValue();
      if (sameAt(key, theirs, base) || sameAt(key, theirs, ours)) {
        continue;
      }
      Object our = ours.get(key);
      if (deep && our instanceof Map<?, ?> && their instanceof Map<?, ?>) {
        Object before = base.get(key);
        Map<Object, @Nullable Object> inside =
            entries(map(before instanceof Map<?, ?> ? before : null), map(our), map(their), true);
        if (inside == null) {
          return null;
        }
        entries.put(key, inside);
      } else if (sameAt(key, ours, base)) {
        entries.put(key, their);
      } else {
        return null;
      }
    }
    return entries;
  }

  private static boolean sameAt(Object key, Map<Object, ?> one, Map<Object, ?> other) {
    return one.containsKey(key) == other.containsKey(key)
        && ValueType.same(one.get(key), other.get(key));
  }
}
