package io.superstep.checkpoint.redis;

import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Provisional;
import io.superstep.json.Footing;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the next events of threads can build on; of those that were written to last. */
final class Footings {

  private static final int MOST = 1_000;

  private record Left(long fence, Footing footing) {}

  /** Guarded by itself. */
  private final Map<String, Left> byThread = new LinkedHashMap<>(16, 0.75f, true);

  /** What {@code events} can build on, which somebody with {@code fence} is about to append. */
  Footing before(String thread, long fence, List<GraphEvent> events) {
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

  void keep(String thread, long fence, Footing footing) {
    synchronized (byThread) {
      byThread.put(thread, new Left(fence, footing));
      if (byThread.size() > MOST) {
        byThread.remove(byThread.keySet().iterator().next());
      }
    }
  }

  void forget(String thread) {
    synchronized (byThread) {
      byThread.remove(thread);
    }
  }
}
