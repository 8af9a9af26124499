package io.superstep.memory;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one committed step of a thread wants remembered. It travels with the commit and is applied
 * to memory afterwards, and again by whoever does not know whether that was done.
 *
 * @param writer the checkpoint that the step has become
 * @param time when the step was committed: all times of its items are counted from it, so that they
 *     are the same however late it is applied
 * @param writes in their order; of two for the same address the later one holds
 */
public record Outbox(Writer writer, Instant time, List<MemoryWrite> writes) {

  public Outbox {
    writes = List.copyOf(writes);
  }

  public String thread() {
    return writer.thread();
  }

  /**
   * What stands at each address once it is applied, null where nothing does; in the order of the
   * last writes.
   */
  public Map<Address, @Nullable MemoryItem> items() {
    Map<Address, @Nullable MemoryItem> items = new LinkedHashMap<>();
    for (MemoryWrite write : writes) {
      Address address = write.address();
      items.remove(address);
      items.put(address, write.item(time, writer));
    }
    return Collections.unmodifiableMap(items);
  }

  /**
   * Refuses all of it if one value takes more than about {@code most} bytes in storage.
   *
   * @throws InvalidMemoryException if one does
   */
  public void requireSize(long most) {
    writes.forEach(write -> write.requireSize(most));
  }
}
