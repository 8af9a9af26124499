package io.superstep.checkpoint.sqlite;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what was accepted and is not done yet, and lets whoever closes wait for it. Nobody waits
 * to get in.
 */
final class Gate {

  private static final long CLOSED = 1L << 62;

  private final Path path;
  private final AtomicLong inside = new AtomicLong();
  private final CountDownLatch empty = new CountDownLatch(1);

  /** @param path of the file that is closed with it */
  Gate(Path path) {
    this.path = path;
  }

  /** @throws SqliteClosedException if it was closed */
  void enter() {
    if (inside.getAndIncrement() >= CLOSED) {
      leave();
      throw new SqliteClosedException(path);
    }
  }

  void leave() {
    if (inside.decrementAndGet() == CLOSED) {
      empty.countDown();
    }
  }

  boolean isClosed() {
    return inside.get() >= CLOSED;
  }

  /** Lets nobody in any more. */
  void close() {
    if (inside.updateAndGet(count -> count | CLOSED) == CLOSED) {
      empty.countDown();
    }
  }

  /** Waits until all have left; it has to be closed. */
  void awaitEmpty() {
    boolean interrupted = false;
    while (true) {
      try {
        empty.await();
        break;
      } catch (InterruptedException later) {
        interrupted = true; // half of a close would lose what was accepted
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
