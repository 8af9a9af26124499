package io.superstep.checkpoint.sqlite;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts what was accepted and is not done yet, and lets whoever closes wait for it. Nobody waits
 * to get in.
 */
final class Gate {

  private static final long CLOSED = 1L << 62;
  private static final int LOOK_MILLIS = 10;

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

  /**
   * Waits until all have left; it has to be closed.
   *
   * @param meanwhile called now and then: who waits here may be the one whom others wait for
   */
  void awaitEmpty(Runnable meanwhile) {
    boolean interrupted = false;
    boolean isEmpty = false;
    while (!isEmpty) {
      try {
        isEmpty = empty.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (InterruptedException later) {
        interrupted = true; // half of a close would lose what was accepted
      }
      if (!isEmpty) {
        meanwhile.run();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
