package io.superstep.value;

import io.superstep.value.Freezing.Unfit;
import java.lang.invoke.MethodType;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a value has to be, with all its generics, and the one walk that checks a value and freezes
 * it.
 *
 * <p>Lists, sets and maps become {@link FrozenList}, {@link FrozenSet} and {@link FrozenMap}, all
 * the way down. Arrays of primitives are copied in and out. Other objects are taken as they are:
 * they are asked to be immutable. A value that is frozen under the same type already is passed on
 * without a look at its contents.
 *
 * <p>Immutable; two types are equal if they stand for the same Java type.
 *
 * @param <T> the Java type it stands for
 */
public abstract sealed class ValueType<T extends @Nullable Object> {

  /** How large a value may be unless its channel says otherwise: 16 MB. */
  public static final long MAX_SIZE = 16L << 20;

  /** Any value at all; containers are recognised by what they are. */
  public static final ValueType<@Nullable Object> ANY = new Any();

  private final Type javaType;
  private final Class<?> raw;

  private ValueType(Type javaType) {
    this.javaType = javaType;
    this.raw = (Class<?>)
        (javaType instanceof ParameterizedType generic ? generic.getRawType() : javaType);
  }

  @SuppressWarnings("unchecked")
  public static <T> ValueType<T> of(Class<T> type) {
    return (ValueType<T>) of((Type) type);
  }

  @SuppressWarnings("unchecked")
  public static <T> ValueType<T> of(TypeRef<T> type) {
    return (ValueType<T>) of(type.type());
  }

  /** The value type of {@code type}; one that can be mutated behind our back has none. */
  public static ValueType<?> of(Type type) {
    if (type instanceof Class<?> raw) {
      return ofClass(raw, List.of());
    }
    if (type instanceof ParameterizedType generic) {
      return ofClass((Class<?>) generic.getRawType(), List.of(generic.getActualTypeArguments()));
    }
    if (type instanceof WildcardType wildcard) {
      return of(wildcard.getUpperBounds()[0]);
    }
    if (type instanceof TypeVariable<?> variable) {
      // Without its own arguments, which may name the variable again.
      Type bound = variable.getBounds()[0];
      return of(bound instanceof ParameterizedType generic ? generic.getRawType() : bound);
    }
    throw unusable(
        type.getTypeName(), "Use a List: the elements of an array can be replaced at any time.");
  }

  @SuppressWarnings("unchecked")
  public static <E extends @Nullable Object> ValueType<List<E>> listOf(ValueType<E> element) {
    return (ValueType<List<E>>) (ValueType<?>) new ListType(element);
  }

  @SuppressWarnings("unchecked")
  public static <E extends @Nullable Object> ValueType<Set<E>> setOf(ValueType<E> element) {
    return (ValueType<Set<E>>) (ValueType<?>) new SetType(element);
  }

  @SuppressWarnings("unchecked")
  public static <K, V extends @Nullable Object> ValueType<Map<K, V>> mapOf(
      ValueType<K> key, ValueType<V> value) {
    return (ValueType<Map<K, V>>) (ValueType<?>) new MapType(key, value);
  }

  private static ValueType<?> ofClass(Class<?> raw, List<Type> arguments) {
    if (raw == Object.class) {
      return ANY;
    }
    if (raw == List.class || raw == Collection.class || raw == Iterable.class) {
      return new ListType(argument(arguments, 0));
    }
    if (raw == Set.class) {
      return new SetType(argument(arguments, 0));
    }
    if (raw == Map.class) {
      return new MapType(argument(arguments, 0), argument(arguments, 1));
    }
    if (Collection.class.isAssignableFrom(raw) || Map.class.isAssignableFrom(raw)) {
      throw unusable(raw.getSimpleName(), "Declare the type as List, Set or Map.");
    }
    if (raw.isArray() && !raw.getComponentType().isPrimitive()) {
      throw unusable(
          raw.getSimpleName(), "Use a List: the elements of an array can be replaced at any time.");
    }
    Class<?> boxed = raw.isPrimitive() ? MethodType.methodType(raw).wrap().returnType() : raw;
    return raw.isArray() ? new PrimitiveArray(raw) : new Plain(boxed, arguments);
  }

  private static ValueType<?> argument(List<Type> arguments, int index) {
    return arguments.isEmpty() ? ANY : of(arguments.get(index));
  }

  private static InvalidValueException unusable(String type, String fix) {
    return new Unfit("SG-206", "of type " + type + " cannot be made immutable", fix).asError();
  }

  /** The Java type, as reflection and Jackson know it. */
  public final Type javaType() {
    return javaType;
  }

  /** The raw class of the values, boxed where it is a primitive. */
  public final Class<?> raw() {
    return raw;
  }

  /** Whether a value may be, or as a list, a set or a map may have in it, a {@code type}. */
  public boolean mayHold(Class<?> type) {
    return !Modifier.isFinal(raw.getModifiers()) || type.isAssignableFrom(raw);
  }

  /** Whether the values are lists, sets or maps. */
  public final boolean isContainer() {
    return raw() == List.class || raw() == Set.class || raw() == Map.class;
  }

  /** {@code value} checked and frozen, if it is no larger than {@link #MAX_SIZE}. */
  public final T freeze(@Nullable Object value) {
    return freeze(value, MAX_SIZE);
  }

  /**
   * {@code value} checked and frozen.
   *
   * @param maxSize about how many bytes the value may take in storage
   * @throws InvalidValueException if the value is of another type, null, cyclic, too deep or too
   *     large, or holds a number outside of {@link NumberBounds}
   */
  @SuppressWarnings({"unchecked", "NullAway"}) // the walk itself is the check
  public final T freeze(@Nullable Object value, long maxSize) {
    if (value != null && isFrozen(value) && Freezing.depth(value) <= Freezing.MAX_DEPTH) {
      return (T) value;
    }
    try {
      return (T) frozen(value, new Freezing(maxSize));
    } catch (Unfit unfit) {
      throw unfit.asError();
    } catch (ConcurrentModificationException changing) {
      throw new Unfit(
              "SG-206",
              "was modified by another thread while it was copied",
              "Pass a copy, or do not modify a collection after passing it.")
          .asError();
    }
  }

  /**
   * {@code value} frozen, as a container to which all that this type allows can be added; this
   * matters where the type says less than the container knows.
   */
  public T growable(@Nullable Object value, long maxSize) {
    return freeze(value, maxSize);
  }

  /** Whether two frozen values are equal, arrays by their contents, at any depth. */
  public static boolean same(@Nullable Object one, @Nullable Object other) {
    if (one == other) {
      return true;
    }
    if (one instanceof FrozenList<?> list && other instanceof FrozenList<?> others) {
      return list.size() == others.size() && list.startsWith(others);
    }
    if (one instanceof List<?> list && other instanceof List<?> others) {
      Iterator<?> left = list.iterator();
      Iterator<?> right = others.iterator();
      boolean same = list.size() == others.size();
      while (same && left.hasNext()) {
        same = same(left.next(), right.next());
      }
      return same;
    }
    if (one instanceof Map<?, ?> map && other instanceof Map<?, ?> others) {
      return map.keySet().equals(others.keySet())
          && map.entrySet().stream()
              .allMatch(entry -> same(entry.getValue(), others.get(entry.getKey())));
    }
    return Objects.deepEquals(one, other);
  }

  /**
   * Returns {@code number} if its digits and its scale are within {@link NumberBounds}.
   *
   * @throws InvalidValueException if they are not
   */
  public static <N extends Number> N bounded(N number) {
    try {
      Freezing.requireBounds(number);
      return number;
    } catch (Unfit unfit) {
      throw unfit.asError();
    }
  }

  /** What leaves a frozen place: an array as a copy, everything else as it is. */
  public static <T extends @Nullable Object> T handedOut(T value) {
    return Freezing.handOut(value);
  }

  /** What leaves a frozen place of this type: arrays as copies, everything else as it is. */
  public final T handOut(@Nullable Object value) {
    return Freezing.handOut(value);
  }

  @Nullable
  Object frozen(@Nullable Object value, Freezing walk) {
    if (value == null) {
      throw new Unfit(
          "SG-202",
          "is null where " + this + " is required",
          "Leave out the value, or pass one that is not null.");
    }
    return frozenPresent(value, walk);
  }

  abstract Object frozenPresent(Object value, Freezing walk);

  /**
   * Whether {@code value} can be passed on as it is: a container that was frozen under this very
   * type, or a single thing of this type and no weight.
   */
  boolean isFrozen(Object value) {
    return false;
  }

  /** What the elements of a container have to be. */
  ValueType<?> element() {
    throw new UnsupportedOperationException(this + " has no elements");
  }

  final Unfit mismatch(Object value) {
    return new Unfit(
        "SG-201",
        "of type " + value.getClass().getSimpleName() + " is not of the required type " + this,
        "Pass a value of type " + this + ", or declare the channel with the type of the value.");
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return this == other || (other instanceof ValueType<?> type && javaType.equals(type.javaType));
  }

  @Override
  public final int hashCode() {
    return javaType.hashCode();
  }

  @Override
  public final String toString() {
    return simpleName(javaType);
  }

  private static String simpleName(Type type) {
    if (type instanceof ParameterizedType generic) {
      return Arrays.stream(generic.getActualTypeArguments())
          .map(ValueType::simpleName)
          .collect(Collectors.joining(", ", simpleName(generic.getRawType()) + "<", ">"));
    }
    return type instanceof Class<?> raw ? raw.getSimpleName() : type.getTypeName();
  }

  /**
   * A type with arguments, as {@link TypeRef} captures it and as it is put together here: equal
   * either way.
   */
  private record Generic(Class<?> raw, List<Type> arguments) implements ParameterizedType {

    static Type of(Class<?> raw, List<Type> arguments) {
      return arguments.isEmpty() ? raw : new Generic(raw, List.copyOf(arguments));
    }

    @Override
    public Type[] getActualTypeArguments() {
      return arguments.toArray(new Type[0]);
    }

    @Override
    public Type getRawType() {
      return raw;
    }

    @Override
    public @Nullable Type getOwnerType() {
      return raw.getDeclaringClass();
    }
  }

  /** A value without parts that we know of. */
  private static final class Plain extends ValueType<Object> {

    private final boolean isText;

    /** Whether a look at the class of a value says it all: a number, an enum, most records. */
    private final boolean isSimple;

    Plain(Class<?> raw, List<Type> arguments) {
      super(Generic.of(raw, arguments));
      this.isText = CharSequence.class.isAssignableFrom(raw);
      this.isSimple = Modifier.isFinal(raw.getModifiers()) && !isText;
    }

    @Override
    boolean isFrozen(Object value) {
      Class<?> type = value.getClass();
      return isSimple ? type == raw() : !isText && Weightless.has(type) && raw().isInstance(value);
    }

    @Override
    Object frozenPresent(Object value, Freezing walk) {
      if (isFrozen(value)) {
        return value;
      }
      if (!raw().isInstance(value)) {
        throw mismatch(value);
      }
      if (value instanceof Collection<?>
          || value instanceof Map<?, ?>
          || value.getClass().isArray()) {
        throw new Unfit(
            "SG-206",
            "of type " + value.getClass().getSimpleName() + " cannot be made immutable where "
                + this + " is declared",
            "Declare the type as Object, or as the List, Set, Map or primitive array that the value is.");
      }
      walk.countLeaf(value);
      return value;
    }
  }

  private static final class PrimitiveArray extends ValueType<Object> {

    PrimitiveArray(Class<?> raw) {
      super(raw);
    }

    @Override
    Object frozenPresent(Object value, Freezing walk) {
      if (!raw().isInstance(value)) {
        throw mismatch(value);
      }
      walk.countLeaf(value);
      return Freezing.copy(value);
    }
  }

  private static final class Any extends ValueType<@Nullable Object> {

    Any() {
      super(Object.class);
    }

    @Override
    public @Nullable Object growable(@Nullable Object value, long maxSize) {
      Object frozen = freeze(value, maxSize);
      if (frozen instanceof FrozenList<?> list) {
        return list.as(ListType.OF_ANY);
      }
      if (frozen instanceof FrozenMap<?, ?> map) {
        return map.as(MapType.OF_ANY.keys, MapType.OF_ANY.values);
      }
      return frozen instanceof FrozenSet<?> set ? set.as(SetType.OF_ANY) : frozen;
    }

    @Override
    @Nullable
    Object frozen(@Nullable Object value, Freezing walk) {
      return value == null ? null : frozenPresent(value, walk);
    }

    @Override
    Object frozenPresent(Object value, Freezing walk) {
      if (value instanceof FrozenList<?>
          || value instanceof FrozenSet<?>
          || value instanceof FrozenMap<?, ?>) {
        return walk.pass(value);
      }
      if (value instanceof Map<?, ?>) {
        return MapType.OF_ANY.frozenPresent(value, walk);
      }
      if (value instanceof Set<?>) {
        return SetType.OF_ANY.frozenPresent(value, walk);
      }
      if (value instanceof Collection<?>) {
        return ListType.OF_ANY.frozenPresent(value, walk);
      }
      walk.countLeaf(value);
      if (value instanceof Object[]) {
        throw new Unfit("SG-206", "is an array of objects, which is mutable", "Use a List.");
      }
      return value.getClass().isArray() ? Freezing.copy(value) : value;
    }
  }

  private static final class ListType extends ValueType<Object> {

    static final ListType OF_ANY = new ListType(ANY);

    private final ValueType<?> element;

    ListType(ValueType<?> element) {
      super(new Generic(List.class, List.of(element.javaType())));
      this.element = element;
    }

    @Override
    ValueType<?> element() {
      return element;
    }

    @Override
    Object frozenPresent(Object value, Freezing walk) {
      if (isFrozen(value)) {
        return walk.pass(value);
      }
      if (!(value instanceof Collection<?> elements) || value instanceof Set<?>) {
        throw mismatch(value);
      }
      return FrozenList.ofFrozen(this, elements(value, elements, element, walk));
    }

    @Override
    boolean isFrozen(Object value) {
      return value instanceof FrozenList<?> list && list.type().equals(this);
    }

    @Override
    public boolean mayHold(Class<?> type) {
      return element.mayHold(type);
    }

    static @Nullable Object[] elements(
        Object owner, Collection<?> values, ValueType<?> type, Freezing walk) {
      walk.enter(owner, values.size());
      @Nullable Object[] given = values.toArray();
      @Nullable Object[] elements = new @Nullable Object[given.length];
      int position = 0;
      try {
        for (; position < given.length; position++) {
          elements[position] = type.frozen(given[position], walk);
        }
      } catch (Unfit unfit) {
        throw unfit.at("[" + position + "]");
      }
      walk.leave();
      return elements;
    }
  }

  private static final class SetType extends ValueType<Object> {

    static final SetType OF_ANY = new SetType(ANY);

    private final ValueType<?> element;

    SetType(ValueType<?> element) {
      super(new Generic(Set.class, List.of(element.javaType())));
      this.element = element;
    }

    @Override
    ValueType<?> element() {
      return element;
    }

    @Override
    Object frozenPresent(Object value, Freezing walk) {
      if (isFrozen(value)) {
        return walk.pass(value);
      }
      if (!(value instanceof Set<?> elements)) {
        throw mismatch(value);
      }
      Set<@Nullable Object> different = new LinkedHashSet<>();
      for (@Nullable Object frozen : ListType.elements(value, elements, element, walk)) {
        different.add(hashable(frozen));
      }
      return FrozenSet.ofFrozen(this, different.toArray());
    }

    @Override
    boolean isFrozen(Object value) {
      return value instanceof FrozenSet<?> set && set.type().equals(this);
    }

    @Override
    public boolean mayHold(Class<?> type) {
      return element.mayHold(type);
    }

    /** An array is found again only by itself, so it can be looked up by nobody. */
    static <K extends @Nullable Object> K hashable(K key) {
      if (key != null && key.getClass().isArray()) {
        throw new Unfit(
            "SG-206",
            "is an array used as a set element or a map key, which cannot be found by its contents",
            "Use a List.");
      }
      return key;
    }
  }

  private static final class MapType extends ValueType<Object> {

    static final MapType OF_ANY = new MapType(ANY, ANY);

    private final ValueType<?> keys;
    private final ValueType<?> values;

    MapType(ValueType<?> key, ValueType<?> value) {
      super(new Generic(Map.class, List.of(key.javaType(), value.javaType())));
      this.keys = new SetType(key);
      this.values = new ListType(value);
    }

    @Override
    ValueType<?> element() {
      return values.element();
    }

    @Override
    Object frozenPresent(Object value, Freezing walk) {
      if (isFrozen(value)) {
        return walk.pass(value);
      }
      if (!(value instanceof Map<?, ?> given)) {
        throw mismatch(value);
      }
      walk.enter(given, given.size());
      Map.Entry<?, ?>[] entries = given.entrySet().toArray(new Map.Entry<?, ?>[0]);
      Map<Object, @Nullable Object> frozen = new LinkedHashMap<>();
      for (Map.Entry<?, ?> entry : entries) {
        try {
          Object key = keys.element().frozenPresent(present(entry.getKey()), walk);
          frozen.put(SetType.hashable(key), values.element().frozen(entry.getValue(), walk));
        } catch (Unfit unfit) {
          throw unfit.at("." + name(entry.getKey()));
        }
      }
      walk.leave();
      return FrozenMap.ofFrozen(
          keys, values, frozen.keySet().toArray(), frozen.values().toArray());
    }

    @Override
    boolean isFrozen(Object value) {
      return value instanceof FrozenMap<?, ?> map && map.isOf(keys, values);
    }

    @Override
    public boolean mayHold(Class<?> type) {
      return keys.mayHold(type) || values.mayHold(type);
    }

    /** A key as a step of a path; one that is more than a name may be private, or endless. */
    private static String name(@Nullable Object key) {
      return key instanceof String || key instanceof Number || key instanceof Enum<?>
          ? key.toString()
          : key == null ? "null" : "{" + key.getClass().getSimpleName() + "}";
    }

    private static Object present(@Nullable Object key) {
      if (key == null) {
        throw new Unfit("SG-202", "has a null key", "Use keys that are not null.");
      }
      return key;
    }
  }
}
