package io.superstep.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import io.superstep.reactor.InMemoryCheckpointStore;
import io.superstep.state.Update;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** What a conversation keeps alive when it is over, and what it takes peers to hold one. */
final class KeptConversation {

  /** The peers are not asked for more: the next one needs four times the time and the memory. */
  static final List<Integer> PEER_STEPS = List.of(500, 1_000, 2_000);

  static final int KEPT_STEPS = 2_000;

  private static final int WARM_UP_STEPS = 200;
  private static final int WARM_UP_RUNS = 5;

  private KeptConversation() {}

  static long inStore() {
    Conversation conversation = conversation(KEPT_STEPS);
    return LiveHeap.keptBy(() -> {
      InMemoryCheckpointStore store = new InMemoryCheckpointStore();
      conversation.thread(store).run(Update.NOTHING).block();
      return store;
    });
  }

  /** The state of every step, as far as they do not share it. */
  static long ofBare() {
    Conversation conversation = conversation(KEPT_STEPS);
    return LiveHeap.keptBy(() -> conversation.states().collectList().block());
  }

  private static Conversation conversation(int steps) {
    Conversation conversation = new Conversation();
    conversation.steps = steps;
    conversation.build(Words.NEW);
    return conversation;
  }

  /** One run per length, each by a graph and a saver of its own; the last one is also weighed. */
  static Map<String, Figures> ofPeer(IntFunction<PeerGraph> maker) {
    for (int run = 0; run < WARM_UP_RUNS; run++) {
      maker.apply(WARM_UP_STEPS).run();
    }
    Map<String, Figures> figures = new LinkedHashMap<>();
    for (int steps : PEER_STEPS) {
      PeerGraph graph = maker.apply(steps);
      long before = LiveHeap.bytes();
      try {
        figures.put(String.valueOf(steps), timed(graph, steps));
        if (steps == KEPT_STEPS) {
          figures.put(FreshJvm.KEPT, Figures.ofHeap((double) (LiveHeap.bytes() - before)));
        }
      } finally {
        Reference.reachabilityFence(graph);
      }
    }
    return figures;
  }

  private static Figures timed(PeerGraph graph, int steps) {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpu = system.getProcessCpuTime();
    long wall = System.nanoTime();
    int said = ((List<?>) graph.run().get("said")).size();
    double microsOfWall = (System.nanoTime() - wall) / 1e3 / steps;
    double microsOfCpu = (system.getProcessCpuTime() - cpu) / 1e3 / steps;
    if (said != steps) {
      throw new IllegalStateException("A conversation of " + steps + " came to " + said + ".");
    }
    return Figures.of(microsOfCpu, microsOfWall, Double.NaN);
  }
}
