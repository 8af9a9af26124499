package io.superstep.memory;

import java.util.Comparator;

/**
 * Where an item of memory stands: its namespace, and its key there. Addresses are ordered by
 * namespace, then by key.
 *
 * @param key any text of 1 to {@value #MAX_KEY_LENGTH} characters
 */
public record Address(Namespace namespace, String key) implements Comparable<Address> {

  /** How many characters a key may have. */
  public static final int MAX_KEY_LENGTH = 512;

  /** Keys in their order: by code points, which is by the bytes of UTF-8. */
  public static final Comparator<String> KEY_ORDER = Names::compare;

  /** @throws InvalidMemoryException if the key is empty or too long */
  public Address {
    requireKey(namespace, key);
  }

  static void requireKey(Namespace namespace, String key) {
    Names.require("key", key, MAX_KEY_LENGTH, "a key in namespace '" + namespace + "'");
  }

  @Override
  public int compareTo(Address other) {
    int byNamespace = namespace.compareTo(other.namespace);
    return byNamespace == 0 ? KEY_ORDER.compare(key, other.key) : byNamespace;
  }

  @Override
  public String toString() {
    return "'" + key + "' in namespace '" + namespace + "'";
  }
}
