package io.superstep.reactor;

import io.superstep.memory.Address;
import io.superstep.memory.MemoryItem;
import io.superstep.memory.MemoryQuery;
import io.superstep.memory.Namespace;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Items of memory in their order, and in that of their use. Not thread-safe.
 *
 * <p>A cache such as Caffeine's is of no help here: it would rather turn away an item that has just
 * been written than one that was often read, and what a step remembers has to be there for the
 * next.
 */
final class SortedItems {

  private final long most;

  /** From the one that was neither written nor looked up for longest. */
  private final Map<Address, MemoryItem> byUse = new LinkedHashMap<>(16, 0.75f, true);

  /** No namespace is without items. */
  private final NavigableMap<Namespace, NavigableMap<String, MemoryItem>> byNamespace =
      new TreeMap<>();

  /** @param most how many are kept; of more than that, those go that were not used for longest */
  SortedItems(long most) {
    this.most = most;
  }

  @Nullable
  MemoryItem get(Address address, Instant now) {
    MemoryItem item = byUse.get(address);
    return item != null && item.isAliveAt(now) ? item : null;
  }

  /** Makes {@code item} what stands at {@code address}; null for nothing. */
  void set(Address address, @Nullable MemoryItem item) {
    if (item == null) {
      remove(address);
      return;
    }
    byUse.put(address, item);
    byNamespace
        .computeIfAbsent(address.namespace(), namespace -> new TreeMap<>(Address.KEY_ORDER))
        .put(address.key(), item);
    if (byUse.size() > most) {
      remove(byUse.keySet().iterator().next());
    }
  }

  private void remove(Address address) {
    if (byUse.remove(address) != null) {
      byNamespace.computeIfPresent(address.namespace(), (namespace, items) -> {
        items.remove(address.key());
        return items.isEmpty() ? null : items;
      });
    }
  }

  /** What {@code query} asks for, without a look at other namespaces or at other keys. */
  List<MemoryItem> find(MemoryQuery query, Instant now) {
    Address after = query.after();
    Namespace first = query.namespace();
    if (after != null && after.namespace().compareTo(first) > 0) {
      first = after.namespace();
    }
    return byNamespace.tailMap(first, true).entrySet().stream()
        .takeWhile(entry -> entry.getKey().startsWith(query.namespace()))
        .flatMap(entry ->
            entry.getValue().tailMap(firstKey(query, entry.getKey()), true).values().stream()
                .takeWhile(item -> item.key().startsWith(query.keyPrefix())))
        .filter(item -> item.isAliveAt(now) && query.accepts(item))
        .limit(query.limit())
        .toList();
  }

  private static String firstKey(MemoryQuery query, Namespace namespace) {
    Address after = query.after();
    if (after == null || !after.namespace().equals(namespace)) {
      return query.keyPrefix();
    }
    boolean isBehind = Address.KEY_ORDER.compare(after.key(), query.keyPrefix()) > 0;
    return isBehind ? after.key() : query.keyPrefix();
  }

  /** Removes what has expired, and says how many that were. */
  long prune(Instant now) {
    List<Address> expired = byUse.values().stream()
        .filter(item -> !item.isAliveAt(now))
        .map(MemoryItem::address)
        .toList();
    expired.forEach(this::remove);
    return expired.size();
  }
}
