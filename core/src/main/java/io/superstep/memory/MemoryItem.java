package io.superstep.memory;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is remembered: plain data at an address.
 *
 * @param value text, numbers, booleans, null, and lists and maps of them, by text; it is frozen
 * @param written when it was written
 * @param expires from when on it is forgotten; null if it never is
 * @param writer which checkpoint of which thread wrote it; null if it was written directly
 */
public record MemoryItem(
    Namespace namespace,
    String key,
    Map<String, @Nullable Object> value,
    Instant written,
    @Nullable Instant expires,
    @Nullable Writer writer) {

  /** @throws InvalidMemoryException if the value is not plain data, or the key cannot be one */
  public MemoryItem {
    value = PlainData.freeze(value, "item " + new Address(namespace, key));
  }

  /** The address and the times, without the value. */
  @Override
  public String toString() {
    return "MemoryItem[" + address() + ", written=" + written + ", expires=" + expires + ", writer="
        + writer + "]";
  }

  public Address address() {
    return new Address(namespace, key);
  }

  /** Whether it is still remembered at {@code now}. */
  public boolean isAliveAt(Instant now) {
    return expires == null || now.isBefore(expires);
  }
}
