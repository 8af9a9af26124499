package io.superstep.reactor;

import static io.superstep.reactor.Graphs.LOG;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.SavedThread;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.state.Update;
import io.superstep.testkit.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Flux;

/**
 * What tests of threads have in common: a store, nodes that count their calls, and some that fail.
 */
abstract class OnAThread {

  static final Duration PATIENCE = Duration.ofSeconds(10);

  final MovingClock clock = new MovingClock(Instant.EPOCH);
  final CheckpointStore store =
      around(InMemoryCheckpointStore.builder().clock(clock).build());
  final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
  final AtomicBoolean broken = new AtomicBoolean(true);

  /** The store of these tests, which others may put something around. */
  CheckpointStore around(InMemoryCheckpointStore memory) {
    return memory;
  }

  GraphThread thread(Graph graph) {
    return GraphRunner.builder(graph).checkpoints(store).build().thread("t");
  }

  Update called(String node) {
    calls.computeIfAbsent(node, any -> new AtomicInteger()).incrementAndGet();
    return Update.append(LOG, node);
  }

  Map<String, Integer> calls() {
    Map<String, Integer> counts = new ConcurrentHashMap<>();
    calls.forEach((node, count) -> counts.put(node, count.get()));
    return counts;
  }

  Update failing(String node) {
    Update update = called(node);
    if (broken.get()) {
      throw new IllegalStateException("broken");
    }
    return update;
  }

  static List<String> log(SavedThread saved) {
    return saved.position().state().get(LOG);
  }

  static List<GraphEvent> events(Flux<GraphEvent> events) {
    return events.collectList().block(PATIENCE);
  }
}
