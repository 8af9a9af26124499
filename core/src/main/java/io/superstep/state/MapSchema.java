package io.superstep.state;

import io.superstep.error.DidYouMean;
import io.superstep.error.Problem;
import io.superstep.value.InvalidValueException;
import io.superstep.value.TypeRef;
import io.superstep.value.ValueType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A reader of schemas that are given as maps; reports all problems of a schema at once. */
final class MapSchema {

  private static final Set<String> OPTIONS = Set.of("type", "reducer", "default");

  private final List<Problem> problems = new ArrayList<>();

  private MapSchema() {}

  static StateSchema read(Map<String, ?> description) {
    MapSchema reader = new MapSchema();
    List<Channel<?>> channels = new ArrayList<>();
    description.forEach((name, options) ->
        reader.channel(name, options instanceof Map<?, ?> map ? map : Map.of(), channels));
    if (!reader.problems.isEmpty()) {
      throw new InvalidSchemaException(reader.problems);
    }
    return StateSchema.of(channels.toArray(new Channel<?>[0]));
  }

  @SuppressWarnings("NullAway") // a start value only narrows what a channel holds
  private void channel(String name, Map<?, ?> options, List<Channel<?>> channels) {
    for (Object option : options.keySet()) {
      if (!OPTIONS.contains(String.valueOf(option))) {
        problem(
            name,
            "Option '" + option + "' of channel '" + name + "' does not exist.",
            use(String.valueOf(option), OPTIONS));
      }
    }
    try {
      ChannelSpec<@Nullable Object> spec = ChannelSpec.value(name, type(name, options));
      Object given = options.get("reducer");
      if (given != null) {
        Reducer<@Nullable Object> reducer = reducer(name, given);
        spec = reducer == null ? spec : spec.reducedBy(reducer);
      }
      Object start = options.get("default");
      channels.add(new Channel<>(start == null ? spec : spec.startingAt(start)));
    } catch (InvalidSchemaException invalid) {
      problems.addAll(invalid.problems());
    }
  }

  @SuppressWarnings("unchecked")
  private ValueType<@Nullable Object> type(String name, Map<?, ?> options) {
    Object given = options.get("type");
    Object reducer = options.get("reducer");
    if (given == null && (reducer == Reducers.ADD_MESSAGES || "ADD_MESSAGES".equals(reducer))) {
      return (ValueType<@Nullable Object>) (ValueType<?>) MessageFold.MESSAGES;
    }
    try {
      if (given instanceof TypeRef<?> type) {
        return (ValueType<@Nullable Object>) ValueType.of(type.type());
      }
      if (given instanceof Type type) {
        return (ValueType<@Nullable Object>) ValueType.of(type);
      }
    } catch (InvalidValueException unusable) {
      problem(name, unusable.problem().what(), unusable.problem().fix());
    }
    if (given != null && !(given instanceof Type)) {
      problem(
          name,
          "The type of channel '" + name + "' is not a class.",
          "Use a class, such as Integer.class, or a TypeRef.");
    }
    return ValueType.ANY;
  }

  @SuppressWarnings("unchecked")
  private @Nullable Reducer<@Nullable Object> reducer(String name, Object given) {
    if (given instanceof Reducer<?> reducer) {
      return (Reducer<@Nullable Object>) reducer;
    }
    Reducer<?> named = given instanceof String text ? Reducers.named(text) : null;
    if (named == null) {
      problem(
          name,
          "The reducer of channel '" + name + "' does not exist.",
          use(String.valueOf(given), Reducers.names()));
    }
    return (Reducer<@Nullable Object>) named;
  }

  private static String use(String name, Set<String> known) {
    return DidYouMean.among(known, name)
        .map(meant -> "Did you mean '" + meant + "'?")
        .orElseGet(() -> "Use one of " + known.stream().sorted().toList() + ".");
  }

  private void problem(String channel, String what, String fix) {
    problems.add(new Problem("SG-237", what, "channel '" + channel + "'", fix));
  }
}
