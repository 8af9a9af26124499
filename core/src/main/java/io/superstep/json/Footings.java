package io.superstep.json;

import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Provisional;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the next events of threads can build on; of those that were written to last. Safe for use by
 * many threads.
 */
public final class Footings {

  private static final int MOST = 1_000;

  private record Left(long fence, Footing footing) {}

  /** Guarded by itself. */
  private final Map<String, Left> byThread = new LinkedHashMap<>(16, 0.75f, true);

  /** What {@code events} can build on, which somebody with {@code fence} is about to append. */
  public Footing before(String thread, long fence, List<GraphEvent> events) {
    Left left;
    synchronized (byThread) {
      left = byThread.get(thread);
    }
    for (GraphEvent event : events) {
      if (!(event instanceof Provisional)) {
        return left != null
                && left.fence() == fence
                && left.footing().last() == event.sequence() - 1
            ? left.footing()
            : Footing.NONE;
      }
    }
    return left != null && left.fence() == fence ? left.footing() : Footing.NONE;
  }

  /** Remembers what was left by events that were appended. */
  public void keep(String thread, long fence, Footing footing) {
    synchronized (byThread) {
      byThread.put(thread, new Left(fence, footing));
      if (byThread.size() > MOST) {
        byThread.remove(byThread.keySet().iterator().next());
      }
    }
  }

  /** Lets the next fact of {@code thread} be a key frame. */
  public void forget(String thread) {
    synchronized (byThread) {
      byThread.remove(thread);
    }
  }
}
