package io.superstep.state;

import io.superstep.error.Problem;
import io.superstep.message.Message;
import io.superstep.value.InvalidValueException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reducers that have a name of their own: for channels without a declared type, for schemas
 * given as maps, and for calling by hand. Typed channels bring theirs along, see the factories of
 * {@link Channel}.
 */
@SuppressWarnings("NullAway") // in the reducers without types anything may be null
public final class Reducers {

  /** Concatenates lists, adds numbers, joins texts; two values that are not alike are an error. */
  public static final Reducer<@Nullable Object> ADD =
      Reducer.<@Nullable Object>declaring(Reducers::add);

  /**
   * Makes a list of each side that is not one, null being the empty list, and concatenates the two.
   */
  public static final Reducer<@Nullable Object> APPEND =
      Reducer.<@Nullable Object>declaring(Reducers::append);

  /** Puts the entries of the new map into the old one; maps inside are replaced. */
  public static final Reducer<@Nullable Object> MERGE =
      Reducer.<@Nullable Object>declaring((current, update) -> merge(current, update, false));

  /**
   * Puts the entries of the new map into the old one, and does the same with maps inside that meet.
   */
  public static final Reducer<@Nullable Object> MERGE_DEEP =
      Reducer.<@Nullable Object>declaring((current, update) -> merge(current, update, true));

  /** Keeps the new value. */
  public static final Reducer<@Nullable Object> REPLACE = (current, update) -> update;

  /** Replaces messages by id in place and appends the others, see {@link Channel#messages}. */
  public static final Reducer<List<Message>> ADD_MESSAGES = MessageFold.INSTANCE;

  private static final Map<String, Reducer<?>> BY_NAME = Map.of(
      "ADD", ADD,
      "APPEND", APPEND,
      "MERGE", MERGE,
      "MERGE_DEEP", MERGE_DEEP,
      "REPLACE", REPLACE,
      "ADD_MESSAGES", ADD_MESSAGES);

  private Reducers() {}

  /** {@code existing} with {@code added}: known ids replaced in place, all others appended. */
  public static List<Message> addMessages(List<Message> existing, List<Message> added) {
    return ADD_MESSAGES.reduce(existing, added);
  }

  static @Nullable Reducer<?> named(String name) {
    return BY_NAME.get(name);
  }

  static Set<String> names() {
    return BY_NAME.keySet();
  }

  private static Effect<@Nullable Object> add(@Nullable Object current, @Nullable Object update) {
    if (current == null) {
      return Effect.replace(update);
    }
    if (current instanceof List<?> && update instanceof List<?> items) {
      return untyped(Effect.append(items));
    }
    if (current instanceof String && update instanceof String text) {
      return text.isEmpty() ? Effect.nothing() : untyped(new Effect.Join(text));
    }
    if (current instanceof Number left
        && update instanceof Number right
        && left.getClass() == right.getClass()) {
      return untyped(Effect.add(left, right));
    }
    throw clash("ADD", "two lists, two texts or two numbers of one type", current, update);
  }

  private static Effect<@Nullable Object> append(
      @Nullable Object current, @Nullable Object update) {
    List<?> items = asList(update);
    if (current instanceof List<?>) {
      return untyped(Effect.append(items));
    }
    List<@Nullable Object> all = new ArrayList<>(asList(current));
    all.addAll(items);
    return Effect.replace(all);
  }

  private static List<?> asList(@Nullable Object value) {
    if (value == null) {
      return List.of();
    }
    return value instanceof List<?> list ? list : List.of(value);
  }

  private static Effect<@Nullable Object> merge(
      @Nullable Object current, @Nullable Object update, boolean deep) {
    if ((current == null || current instanceof Map<?, ?>) && update instanceof Map<?, ?> entries) {
      return current == null ? Effect.replace(update) : untyped(new Effect.Merge<>(entries, deep));
    }
    throw clash("MERGE", "two maps", current, update);
  }

  @SuppressWarnings("unchecked") // the sides were looked at just before
  private static Effect<@Nullable Object> untyped(Effect<?> effect) {
    return (Effect<@Nullable Object>) effect;
  }

  /**
   * The sum of two numbers of one type, which is exact but for floating point; an overflow is an
   * error, not another number.
   */
  @SuppressWarnings("unchecked")
  static <N extends Number> N sum(N left, N right) {
    Number sum;
    if (left instanceof Integer number) {
      sum = Math.addExact(number, (Integer) right);
    } else if (left instanceof Long number) {
      sum = Math.addExact(number, (Long) right);
    } else if (left instanceof Double number) {
      sum = number + (Double) right;
    } else if (left instanceof Float number) {
      sum = number + (Float) right;
    } else if (left instanceof BigDecimal decimal) {
      sum = decimal.add((BigDecimal) right);
    } else if (left instanceof BigInteger integer) {
      sum = integer.add((BigInteger) right);
    } else {
      throw clash(
          "ADD",
          "numbers of type Integer, Long, Double, Float, BigDecimal or BigInteger",
          left,
          right);
    }
    return (N) sum;
  }

  private static InvalidValueException clash(
      String reducer, String needed, @Nullable Object current, @Nullable Object update) {
    return new InvalidValueException(new Problem(
        "SG-207",
        "The reducer " + reducer + " cannot combine " + typeOf(current) + " with " + typeOf(update)
            + ".",
        "the reducer " + reducer,
        "Write " + needed + ", or replace the current value with Update.overwrite(...)."));
  }

  private static String typeOf(@Nullable Object value) {
    if (value == null) {
      return "null";
    }
    return value instanceof List<?>
        ? "List"
        : value instanceof Map<?, ?> ? "Map" : value.getClass().getSimpleName();
  }
}
