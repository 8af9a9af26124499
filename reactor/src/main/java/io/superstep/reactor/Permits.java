package io.superstep.reactor;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many tasks of a run, nested runs included, may run at once. The task that a nested run is
 * takes no permit: it would hold it while the tasks inside wait for one.
 */
final class Permits {

  private static final Object WAKE = new Object();

  /** Enough that nobody ever has to wait, and nobody has to count; all runs may share it. */
  private static final Permits UNLIMITED = new Permits(Integer.MAX_VALUE);

  private final AtomicInteger free;
  private final AtomicInteger waking = new AtomicInteger();
  private final Set<SuperstepLoop> waiting = ConcurrentHashMap.newKeySet();

  private Permits(int most) {
    this.free = new AtomicInteger(most);
  }

  static Permits of(int most) {
    return most == Integer.MAX_VALUE ? UNLIMITED : new Permits(most);
  }

  /** Takes a permit, or lets {@code loop} know when there may be one. */
  boolean take(SuperstepLoop loop) {
    if (this == UNLIMITED || tryTake()) {
      return true;
    }
    waiting.add(loop);
    if (tryTake()) { // one came back before anybody could know that this loop waits
      waiting.remove(loop);
      return true;
    }
    return false;
  }

  private boolean tryTake() {
    int now = free.get();
    while (now > 0) {
      if (free.compareAndSet(now, now - 1)) {
        return true;
      }
      now = free.get();
    }
    return false;
  }

  /** Gives a permit back; all who wait are told, lest the one who is told be gone. */
  void giveBack() {
    if (this == UNLIMITED) {
      return;
    }
    free.incrementAndGet();
    if (waking.getAndIncrement() != 0) {
      return; // whoever is at it goes round once more: waking each other, loops would recurse
    }
    int missed = 1;
    do {
      wakeAll();
      missed = waking.addAndGet(-missed);
    } while (missed != 0);
  }

  private void wakeAll() {
    for (SuperstepLoop loop : List.copyOf(waiting)) {
      waiting.remove(loop);
      loop.signal(WAKE);
    }
  }
}
