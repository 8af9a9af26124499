package io.superstep.state;

import io.superstep.value.InvalidValueException;
import io.superstep.value.ValueType;
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

  static Write named(String channel, @Nullable Object value, boolean overwrite) {
    try {
      return new Write(channel, ValueType.ANY.freeze(value), overwrite, null);
    } catch (InvalidValueException invalid) {
      throw InvalidUpdateException.of(channel, null, invalid);
    }
  }

  Write with(@Nullable Object other) {
    return key == null
        ? named(channel, other, overwrite)
        : new Write(channel, key.admit(other), overwrite, key);
  }
}
