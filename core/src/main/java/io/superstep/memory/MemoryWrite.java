package io.superstep.memory;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is to be remembered, or forgotten, at one address. */
public sealed interface MemoryWrite {

  /**
   * Remembers {@code value} for ever, in place of what was there.
   *
   * @throws InvalidMemoryException if the value is not plain data, or the key cannot be one
   */
  @SuppressWarnings("unchecked") // nobody puts anything into it: it is frozen at the door
  static Put put(Namespace namespace, String key, Map<String, ? extends @Nullable Object> value) {
    return new Put(namespace, key, (Map<String, @Nullable Object>) value, null);
  }

  /**
   * Forgets what is there, if something is.
   *
   * @throws InvalidMemoryException if the key cannot be one
   */
  static Remove remove(Namespace namespace, String key) {
    return new Remove(namespace, key);
  }

  Namespace namespace();

  String key();

  default Address address() {
    return new Address(namespace(), key());
  }

  /** What stands at the address once this was written at {@code time}; null if nothing does. */
  @Nullable
  MemoryItem item(Instant time, @Nullable Writer writer);

  /**
   * Refuses a value that takes more than about {@code most} bytes in storage. A store asks this
   * before it writes anything.
   *
   * @throws InvalidMemoryException if it does
   */
  void requireSize(long most);

  /**
   * Remembers a value.
   *
   * @param value text, numbers, booleans, null, and lists and maps of them, by text; it is frozen
   * @param ttl how long it is remembered from when it is written on; null for ever
   */
  record Put(
      Namespace namespace,
      String key,
      Map<String, @Nullable Object> value,
      @Nullable Duration ttl) implements MemoryWrite {

    /** @throws InvalidMemoryException if the value is not plain data, or the key cannot be one */
    public Put {
      value = PlainData.freeze(value, "item " + new Address(namespace, key));
      if (ttl != null && (ttl.isZero() || ttl.isNegative())) {
        throw new IllegalArgumentException("ttl must be positive, and was " + ttl + ".");
      }
    }

    /** The address, without the value. */
    @Override
    public String toString() {
      return "Put[" + address() + ", ttl=" + ttl + "]";
    }

    /** The same, remembered for {@code time} from when it is written on. */
    public Put lasting(Duration time) {
      return new Put(namespace, key, value, time);
    }

    @Override
    public MemoryItem item(Instant time, @Nullable Writer writer) {
      return new MemoryItem(namespace, key, value, time, expires(time), writer);
    }

    private @Nullable Instant expires(Instant time) {
      try {
        return ttl == null ? null : time.plus(ttl);
      } catch (DateTimeException | ArithmeticException beyondTheEndOfTime) {
        return null;
      }
    }

    @Override
    public void requireSize(long most) {
      long size = PlainData.size(value);
      if (size > most) {
        throw InvalidMemoryException.tooLarge(size, most, "item " + address());
      }
    }
  }

  /** Forgets a value. */
  record Remove(Namespace namespace, String key) implements MemoryWrite {

    /** @throws InvalidMemoryException if the key cannot be one */
    public Remove {
      Address.requireKey(namespace, key);
    }

    @Override
    public @Nullable MemoryItem item(Instant time, @Nullable Writer writer) {
      return null;
    }

    @Override
    public void requireSize(long most) {
      // what is removed takes no room
    }
  }
}
