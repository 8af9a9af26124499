package io.superstep.state;

import io.superstep.error.Problem;
import io.superstep.state.Channel.Lifetime;
import io.superstep.state.Channel.Rewrite;
import io.superstep.value.InvalidValueException;
import io.superstep.value.ValueType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.NonNull;
import org.jspecify.annotations.Nullable;

/**
 * All that was said about a channel. Each option is given once; options that contradict are refused
 * at once.
 */
record ChannelSpec<T extends @Nullable Object>(
    String name,
    ValueType<T> type,
    @Nullable Supplier<? extends T> start,
    @Nullable Reducer<T> reducer,
    boolean severalWriters,
    @Nullable Rewrite rewrite,
    @Nullable Function<? super @NonNull T, @Nullable String> complaint,
    Lifetime lifetime,
    long maxSize) {

  static final Map<Class<?>, Object> ZEROS = Map.of(
      Integer.class,
      0,
      Long.class,
      0L,
      Double.class,
      0.0,
      Float.class,
      0.0f,
      BigDecimal.class,
      BigDecimal.ZERO,
      BigInteger.class,
      BigInteger.ZERO);

  private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_.-]*");

  @SuppressWarnings(
      "unchecked") // a type of values that are there serves those that may be absent too
  static <T extends @Nullable Object> ChannelSpec<T> value(
      String name, ValueType<? extends T> type) {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidSchemaException(new Problem(
          "SG-231",
          "The channel name '" + name + "' is invalid.",
          "Channel." + "…(\"" + name + "\", …)",
          "Start with a letter or '_', then use letters, digits, '_', '-' and '.'."));
    }
    return new ChannelSpec<>(
        name,
        (ValueType<T>) type,
        null,
        null,
        false,
        null,
        null,
        Lifetime.DURABLE,
        ValueType.MAX_SIZE);
  }

  ChannelSpec<@NonNull T> startingAt(@NonNull T value) {
    T frozen = started(value);
    return startingWith(() -> frozen);
  }

  /** {@code value} as something to start with. */
  private T started(@Nullable T value) {
    if (value == null) {
      throw badStart(
          "It is null.", "Pass a value that is not null, or leave out the start value.", null);
    }
    try {
      return type.freeze(normal(type.freeze(value, maxSize)), maxSize);
    } catch (InvalidValueException invalid) {
      throw badStart(invalid.problem().what(), invalid.problem().fix(), invalid);
    }
  }

  private InvalidSchemaException badStart(String why, String fix, @Nullable Throwable cause) {
    return new InvalidSchemaException(
        new Problem(
            "SG-233",
            "The start value of channel '" + name + "' is invalid: " + why,
            "channel '" + name + "'",
            fix),
        cause);
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // from here on no value is null
  ChannelSpec<@NonNull T> startingWith(Supplier<? extends @NonNull T> supplier) {
    return (ChannelSpec<@NonNull T>) new ChannelSpec<T>(
        name, type, supplier, reducer, severalWriters, rewrite, complaint, lifetime, maxSize);
  }

  ChannelSpec<T> reducedBy(Reducer<T> with) {
    return new ChannelSpec<>(
        name, type, start, with, severalWriters, rewrite, complaint, lifetime, maxSize);
  }

  ChannelSpec<T> lastWins() {
    requireUnset("lastWins()", !severalWriters && rewrite == null && reducer == null);
    return new ChannelSpec<>(
        name, type, start, reducer, true, rewrite, complaint, lifetime, maxSize);
  }

  ChannelSpec<T> writeOnce(Rewrite policy) {
    requireUnset(
        "writeOnce()",
        !severalWriters && rewrite == null && reducer == null && lifetime != Lifetime.NEXT_STEP);
    return new ChannelSpec<>(
        name, type, start, reducer, severalWriters, policy, complaint, lifetime, maxSize);
  }

  ChannelSpec<T> refusing(Function<? super @NonNull T, @Nullable String> what) {
    requireUnset("validated(...)", complaint == null);
    return new ChannelSpec<>(
        name, type, start, reducer, severalWriters, rewrite, what, lifetime, maxSize);
  }

  ChannelSpec<T> living(Lifetime chosen) {
    boolean fadesThoughWrittenOnce = chosen == Lifetime.NEXT_STEP && rewrite != null;
    requireUnset("lifetime " + chosen, lifetime == Lifetime.DURABLE && !fadesThoughWrittenOnce);
    return new ChannelSpec<>(
        name, type, start, reducer, severalWriters, rewrite, complaint, chosen, maxSize);
  }

  ChannelSpec<T> upTo(long bytes) {
    requireUnset("upTo(bytes)", maxSize == ValueType.MAX_SIZE && bytes > 0);
    return new ChannelSpec<>(
        name, type, start, reducer, severalWriters, rewrite, complaint, lifetime, bytes);
  }

  /** Whether two writers in one step are a mistake. */
  boolean singleWriter() {
    return reducer == null && !severalWriters && rewrite == null;
  }

  /**
   * What the check of the channel has to say about {@code value}; null if it has nothing to say.
   */
  @Nullable
  String complaintAbout(@NonNull T value) {
    String said = complaint == null ? null : complaint.apply(value);
    return said != null && said.isBlank()
        ? "The value does not pass the check of the channel."
        : said;
  }

  /** A value that comes past the reducer, as the reducer would have left it. */
  T normal(T value) {
    return reducer instanceof NormalForm<T> form && value != null ? form.normal(value) : value;
  }

  /** A value that was admitted before. */
  @SuppressWarnings({"unchecked", "NullAway"})
  T unchecked(@Nullable Object admitted) {
    return (T) admitted;
  }

  /** What the channel holds at the beginning of a run. */
  T initial() {
    if (start == null) {
      return absent();
    }
    T frozen;
    String said;
    try {
      frozen = started(start.get());
      said = complaintAbout(type.handOut(frozen));
    } catch (InvalidSchemaException refused) {
      throw refused;
    } catch (Throwable failure) {
      String why = "The supplier or the check failed with " + failure.getClass().getSimpleName()
          + "; see the cause.";
      throw badStart(why, "Return a valid value from the supplier, in each run.", failure);
    }
    if (said != null) {
      throw badStart(said, "Use a start value that passes the check of the channel.", null);
    }
    return frozen;
  }

  /** Null, which T allows wherever this is asked for: without a start value. */
  T absent() {
    return unchecked(null);
  }

  private void requireUnset(String option, boolean unset) {
    if (!unset) {
      throw new InvalidSchemaException(
          new Problem(
              "SG-232",
              "Option " + option + " is set twice, is not valid, or contradicts another option.",
              "channel '" + name + "'",
              "Set each option once. A channel has a reducer, lastWins() or writeOnce(), one lifetime, and a limit above 0."));
    }
  }
}
