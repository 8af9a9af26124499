package io.superstep.memory;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which items of memory to look at, in the order of their addresses.
 *
 * @param namespace only those that are in it or below it
 * @param keyPrefix only those whose keys start with this
 * @param fields only those whose values have each of these fields, and equal values in them. A
 *     field that is missing equals nothing, not even null; numbers are equal if they are written as
 *     the same number, whatever their types.
 * @param limit how many at most
 * @param after only those behind this address, whether or not something stands there; null for all
 */
public record MemoryQuery(
    Namespace namespace,
    String keyPrefix,
    Map<String, @Nullable Object> fields,
    int limit,
    @Nullable Address after) {

  /** Everything. */
  public static final MemoryQuery ALL =
      new MemoryQuery(Namespace.ROOT, "", Map.of(), Integer.MAX_VALUE, null);

  /**
   * @throws InvalidMemoryException if a field is not plain data, or no key can start with the
   *     prefix
   */
  public MemoryQuery {
    Names.requireText("start of a key", keyPrefix, Address.MAX_KEY_LENGTH, "a query of memory");
    fields = PlainData.freeze(fields, "a query of memory");
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, and was " + limit + ".");
    }
  }

  /** The range, and how many fields it compares, without their values. */
  @Override
  public String toString() {
    return "MemoryQuery[namespace=" + namespace + ", fields=" + fields.size() + ", limit=" + limit
        + ", after=" + after + "]";
  }

  /** All that is in {@code namespace} or below it. */
  public static MemoryQuery below(Namespace namespace) {
    return new MemoryQuery(namespace, "", Map.of(), Integer.MAX_VALUE, null);
  }

  public MemoryQuery keyPrefix(String prefix) {
    return new MemoryQuery(namespace, prefix, fields, limit, after);
  }

  /** Only those whose field {@code name} equals {@code value}, beside what was asked for before. */
  public MemoryQuery where(String name, @Nullable Object value) {
    Map<String, @Nullable Object> more = new LinkedHashMap<>(fields);
    more.put(name, value);
    return new MemoryQuery(namespace, keyPrefix, more, limit, after);
  }

  public MemoryQuery limit(int most) {
    return new MemoryQuery(namespace, keyPrefix, fields, most, after);
  }

  /** Only those behind {@code address}: with that of the last one seen, the next page. */
  public MemoryQuery after(Address address) {
    return new MemoryQuery(namespace, keyPrefix, fields, limit, address);
  }

  /** Whether {@code item} is one of them, however many there are. */
  public boolean accepts(MemoryItem item) {
    return item.namespace().startsWith(namespace)
        && item.key().startsWith(keyPrefix)
        && (after == null || item.address().compareTo(after) > 0)
        && fields.entrySet().stream()
            .allMatch(field -> item.value().containsKey(field.getKey())
                && PlainData.same(field.getValue(), item.value().get(field.getKey())));
  }
}
