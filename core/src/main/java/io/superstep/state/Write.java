package io.superstep.state;

import io.superstep.value.InvalidValueException;
import io.superstep.value.ValueType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One value on its way to one channel.
 *
 * @param overwrite whether it replaces what is there, past the reducer
 * @param key the typed key under which the value was checked, if there was one
 */
public record Write(
    String channel,
    @Nullable Object value,
    boolean overwrite,
    @Nullable Channel<?> key) {

  /**
   * By name the limit of the channel is not known yet; this one only keeps the walk from never
   * ending.
   */
  private static final long MAX_SIZE = 64L << 20;

  static Write named(String channel, @Nullable Object value, boolean overwrite) {
    try {
      return new Write(channel, ValueType.ANY.freeze(value, MAX_SIZE), overwrite, null);
    } catch (InvalidValueException invalid) {
      throw InvalidUpdateException.of(channel, null, invalid);
    }
  }

  Write with(@Nullable Object other) {
    return key == null
        ? named(channel, other, overwrite)
        : new Write(channel, key.admit(other), overwrite, key);
  }

  /** What is written; an array as a copy. */
  @Override
  public @Nullable Object value() {
    return ValueType.handedOut(value);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Write write
        && channel.equals(write.channel)
        && overwrite == write.overwrite
        && Objects.equals(key, write.key)
        && ValueType.same(value, write.value);
  }

  @Override
  public int hashCode() {
    return Objects.hash(channel, overwrite);
  }

  /** Which channel is written; never what is written. */
  @Override
  public String toString() {
    return (overwrite ? "overwrite " : "write ") + channel;
  }
}
