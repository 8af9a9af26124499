package io.superstep.memory;

import java.time.Instant;
import org.reactivestreams.Publisher;

/**
 * Keeps what threads remember together.
 *
 * <p>An item stands at an address until it is written over, removed or expired. Whoever writes last
 * wins. An item that has expired by the clock of the store is never returned, whether or not it was
 * pruned.
 *
 * <p>What a step of a thread wants remembered comes as an {@link Outbox}, and is applied once
 * however often it comes. A store knows by one marker per thread: the writer of the outbox it
 * applied last. So the outboxes of a thread have to come in the order of their commits, and all
 * threads that write to a store have their checkpoints in one place, where no fence is ever used
 * again. A marker is kept as long as the store is, also when the thread has gone.
 *
 * <p>Publishers are cold and do nothing before they are subscribed to; each brings one element at
 * most unless it says otherwise. A reply may be lost, and then a call is repeated: every method
 * says what that does. What is refused leaves everything as it was. Nobody is called back on a
 * thread that the store needs for its own work.
 */
public interface MemoryStore {

  /** How large a value may be unless the store was told otherwise: about 1 MB. */
  long MAX_VALUE_SIZE = 1L << 20;

  /**
   * About how many bytes of storage a value may take. Whoever commits an outbox looks first: one
   * that is refused when its step is committed stands in the way of its thread.
   */
  default long maxValueSize() {
    return MAX_VALUE_SIZE;
  }

  /**
   * The item at an address; empty if there is none. Repeating it changes nothing.
   *
   * @throws InvalidMemoryException as a signal, if the key cannot be one
   */
  Publisher<MemoryItem> get(Namespace namespace, String key);

  /**
   * The items that were asked for, ordered by namespace and key, as many as are asked for. What is
   * written while they are delivered may be among them or not. Repeating it changes nothing.
   */
  Publisher<MemoryItem> search(MemoryQuery query);

  /**
   * Writes directly, on behalf of no thread. Repeating it writes again, over what others have
   * written meanwhile; if nobody has, and {@code now} is the same, it changes nothing.
   *
   * @param now the time of the item, from which its ttl is counted
   * @throws InvalidMemoryException as a signal, if the value is too large
   */
  Publisher<Void> write(MemoryWrite write, Instant now);

  /**
   * Writes all of {@code outbox} or nothing, and says whether it did. Whoever sees one of its
   * writes sees them all.
   *
   * <p>Repeating it when it has succeeded changes nothing, also when others have written to the
   * same addresses since: what is not {@linkplain Writer#isAfter after} the marker of its thread
   * was applied before. However late it comes for the first time, it is applied, with the times of
   * its commit; so it may be expired when it comes.
   *
   * @throws InvalidMemoryException as a signal, if it was not applied before and one of its values
   *     is too large; the marker stays where it was
   */
  Publisher<Boolean> apply(Outbox outbox);

  /**
   * Removes the items that have expired at {@code now}, and says how many. Repeating it removes no
   * more, but for what was written meanwhile. Markers stay.
   */
  Publisher<Long> prune(Instant now);
}
