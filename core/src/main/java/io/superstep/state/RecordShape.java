package io.superstep.state;

import io.superstep.error.Problem;
import io.superstep.message.Message;
import io.superstep.value.InvalidValueException;
import io.superstep.value.TypeRef;
import io.superstep.value.ValueType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A record type seen as a schema, and the states seen as that record. */
final class RecordShape {

  private static final ClassValue<RecordShape> SHAPES = new ClassValue<>() {
    @Override
    protected RecordShape computeValue(Class<?> type) {
      return new RecordShape(type);
    }
  };

  private static final Map<Class<?>, Object> STARTS = Map.of(
      int.class,
      0,
      long.class,
      0L,
      double.class,
      0.0,
      float.class,
      0.0f,
      short.class,
      (short) 0,
      byte.class,
      (byte) 0,
      boolean.class,
      false,
      char.class,
      '\0');

  private final Class<?> type;
  private final RecordComponent[] components;

  private RecordShape(Class<?> type) {
    this.type = type;
    this.components = type.getRecordComponents();
  }

  static RecordShape of(Class<? extends Record> type) {
    return SHAPES.get(type);
  }

  @SuppressWarnings("NullAway") // whether a component may be absent is known at run time only
  StateSchema schema() {
    List<Problem> problems = new ArrayList<>();
    List<Channel<?>> channels = new ArrayList<>();
    for (RecordComponent component : components) {
      try {
        channels.add(new Channel<>(spec(component)));
      } catch (InvalidSchemaException invalid) {
        problems.addAll(invalid.problems());
      } catch (InvalidValueException unusable) {
        problems.add(
            problem(component, unusable.problem().what(), unusable.problem().fix()));
      }
    }
    if (!problems.isEmpty()) {
      throw new InvalidSchemaException(problems);
    }
    return StateSchema.of(channels.toArray(new Channel<?>[0]));
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // a start value only narrows what a channel holds
  private ChannelSpec<@Nullable Object> spec(RecordComponent component) {
    ValueType<@Nullable Object> valueType =
        (ValueType<@Nullable Object>) ValueType.of(component.getGenericType());
    ChannelSpec<@Nullable Object> plain = ChannelSpec.value(component.getName(), valueType);
    Reduced reduced = component.getAnnotation(Reduced.class);
    ChannelSpec<@Nullable Object> spec =
        reduced == null ? plain : folded(component, plain, reduced.value());
    Object start = start(component, valueType);
    return start == null ? spec : spec.startingAt(start);
  }

  /**
   * Primitives start at zero, and so do folded numbers, texts and collections; everything else
   * starts absent.
   */
  private static @Nullable Object start(RecordComponent component, ValueType<?> valueType) {
    Object zero = STARTS.get(component.getType());
    Reduced reduced = component.getAnnotation(Reduced.class);
    if (zero != null || reduced == null) {
      return zero;
    }
    return switch (reduced.value()) {
      case LAST_WINS, WRITE_ONCE -> null;
      case MESSAGES -> List.of();
      case UNION -> Set.of();
      case MERGE, MERGE_DEEP -> Map.of();
      case ADD ->
        valueType.raw() == List.class
            ? List.of()
            : valueType.raw() == String.class ? "" : ChannelSpec.ZEROS.get(valueType.raw());
    };
  }

  @SuppressWarnings("unchecked")
  private ChannelSpec<@Nullable Object> folded(
      RecordComponent component, ChannelSpec<@Nullable Object> spec, Reduced.By by) {
    Class<?> raw = spec.type().raw();
    boolean fits = switch (by) {
      case LAST_WINS, WRITE_ONCE -> true;
      case ADD -> raw == List.class || raw == String.class || ChannelSpec.ZEROS.containsKey(raw);
      case MESSAGES -> spec.type().equals(ValueType.of(new TypeRef<List<Message>>() {}));
      case UNION -> raw == Set.class;
      case MERGE, MERGE_DEEP -> raw == Map.class;
    };
    if (!fits) {
      throw new InvalidSchemaException(problem(
          component,
          "@Reduced(" + by + ") cannot be applied to type " + spec.type() + ".",
          "Use another value of @Reduced, or another type of the component."));
    }
    return switch (by) {
      case LAST_WINS -> spec.lastWins();
      case WRITE_ONCE -> spec.writeOnce(Channel.Rewrite.REJECT);
      case ADD -> spec.reducedBy(Reducers.ADD);
      case MERGE -> spec.reducedBy(Reducers.MERGE);
      case MERGE_DEEP -> spec.reducedBy(Reducers.MERGE_DEEP);
      case MESSAGES ->
        spec.reducedBy((Reducer<@Nullable Object>) (Reducer<?>) Reducers.ADD_MESSAGES);
      case UNION ->
        spec.reducedBy((Reducer<@Nullable Object>) (Reducer<?>) Channel.<Object>union());
    };
  }

  <R extends Record> R view(Class<R> as, State state) {
    @Nullable Object[] values = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      values[i] = value(state, components[i]);
    }
    try {
      Constructor<?> canonical = type.getDeclaredConstructor(
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
      canonical.setAccessible(true);
      return as.cast(canonical.newInstance(values));
    } catch (InvocationTargetException refused) {
      throw new InvalidViewException(
          type,
          "The constructor of record " + type.getSimpleName() + " failed; see the cause.",
          refused.getCause());
    } catch (ReflectiveOperationException unreachable) {
      throw new InvalidViewException(
          type,
          "The constructor of record " + type.getSimpleName() + " is not accessible.",
          unreachable);
    }
  }

  private @Nullable Object value(State state, RecordComponent component) {
    Channel<?> channel;
    try {
      channel = state.schema().channel(component.getName());
    } catch (InvalidUpdateException unknown) {
      String hint = unknown.problems().get(0).fix();
      throw new InvalidViewException(
          type, "Channel '" + component.getName() + "' does not exist. " + hint, null);
    }
    if (!channel.type().equals(ValueType.of(component.getGenericType()))) {
      throw new InvalidViewException(
          type,
          "Component '" + component.getName() + "' does not have the type of its channel, "
              + channel.type() + ".",
          null);
    }
    Object value = state.get(channel);
    if (value == null && component.getType().isPrimitive()) {
      throw new InvalidViewException(
          type,
          "Component '" + component.getName()
              + "' has a primitive type, but its channel has no value.",
          null);
    }
    return value;
  }

  private Problem problem(RecordComponent component, String what, String fix) {
    return new Problem("SG-238", what, type.getSimpleName() + "." + component.getName(), fix);
  }
}
