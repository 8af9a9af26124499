package io.superstep.reactor;

/**
 * The highest fences of deleted threads, so that a stale writer of such a thread is still refused.
 *
 * <p>An entry has 16 bytes: a hash of the thread id, and the fence. A table is at least a quarter
 * full once it has grown, so that an entry takes at most 64 bytes of the heap. Two generations
 * bound the memory: when the younger one is full, the older one is discarded. At least the last
 * {@link #capacity} deleted threads are known at any time. If the hashes of two ids are equal,
 * which is about as likely as guessing a 64-bit number, the higher fence counts for both.
 * Thread-safe.
 */
final class DeletedFences {

  private static final int SMALLEST = 16;

  /** How many threads a generation holds. */
  private final int capacity;

  private Table young = new Table(SMALLEST);
  private Table old = new Table(SMALLEST);

  DeletedFences(int capacity) {
    this.capacity = capacity;
  }

  /** Remembers that {@code thread} was deleted after {@code fence} was seen. */
  synchronized void add(String thread, long fence) {
    long hash = hash(thread);
    young = young.with(hash, Math.max(fence, of(hash)));
    if (young.size >= capacity) {
      old = young;
      young = new Table(SMALLEST);
    }
  }

  /** The fence of a thread that was deleted; 0 if it was not, or was forgotten since. */
  synchronized long of(String thread) {
    return of(hash(thread));
  }

  private long of(long hash) {
    return Math.max(young.get(hash), old.get(hash));
  }

  synchronized int size() {
    return young.size + old.size;
  }

  /** FNV-1a over 64 bits, mixed at the end; never 0, which marks a free place. */
  private static long hash(String thread) {
    long hash = 0xcbf29ce484222325L;
    for (int at = 0; at < thread.length(); at++) {
      hash = (hash ^ thread.charAt(at)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash ^= hash >>> 33;
    return hash == 0 ? 1 : hash;
  }

  /** A hash table with open addressing, of which at most half is used. */
  private static final class Table {

    private final long[] hashes;
    private final long[] fences;
    private int size;

    Table(int length) {
      this.hashes = new long[length]; // a power of two
      this.fences = new long[length];
    }

    long get(long hash) {
      int at = place(hash);
      return hashes[at] == hash ? fences[at] : 0;
    }

    Table with(long hash, long fence) {
      Table table = size * 2 < hashes.length ? this : grown();
      table.put(hash, fence);
      return table;
    }

    private Table grown() {
      Table larger = new Table(hashes.length * 2);
      for (int at = 0; at < hashes.length; at++) {
        if (hashes[at] != 0) {
          larger.put(hashes[at], fences[at]);
        }
      }
      return larger;
    }

    private void put(long hash, long fence) {
      int at = place(hash);
      size += hashes[at] == 0 ? 1 : 0;
      hashes[at] = hash;
      fences[at] = fence;
    }

    private int place(long hash) {
      int at = (int) hash & (hashes.length - 1);
      while (hashes[at] != 0 && hashes[at] != hash) {
        at = (at + 1) & (hashes.length - 1);
      }
      return at;
    }
  }
}
