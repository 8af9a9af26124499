package io.superstep.checkpoint.redis;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.graph.Graph;
import io.superstep.graph.Send;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.Resume;
import io.superstep.reactor.RunResult;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import io.superstep.testkit.HostileCodeContract;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;

/** Graphs with hostile or blocking nodes over Redis. */
class RedisHostileCodeTests extends HostileCodeContract {

  private static final Channel<Integer> COUNT = Channel.sum("count", Integer.class);
  private static final Namespace NAMES = Namespace.of("names");

  private RedisSpace space;

  @BeforeEach
  void open() {
    space = RedisSpace.builder(RedisServers.standalone())
        .prefix(RedisServers.newPrefix())
        .build();
  }

  @AfterEach
  void close() {
    space.close();
  }

  @Override
  protected CheckpointStore store() {
    return RedisCheckpointStore.of(space);
  }

  private GraphThread thread(Graph graph, String thread) {
    return GraphRunner.builder(graph)
        .checkpoints(store())
        .events(RedisEventLog.of(space))
        .build()
        .thread(thread);
  }

  @Override
  protected Publisher<?> run(Graph graph, String thread) {
    return thread(graph, thread).stream(Update.NOTHING);
  }

  @Override
  protected Publisher<?> resume(Graph graph, String thread, String answer) {
    return thread(graph, thread).resume(Resume.answer("q", answer));
  }

  @Override
  protected Publisher<?> observed(Graph graph, String thread, Error error) {
    return GraphRunner.builder(graph)
        .checkpoints(store())
        .events(RedisEventLog.of(space))
        .observedBy(stage -> {
          throw error;
        })
        .build()
        .thread(thread)
        .stream(Update.NOTHING);
  }

  @Test
  @DisplayName("Promise 11: 60 blocking nodes that wait for a result of Redis complete")
  void blockingNodes() {
    RedisMemory memory = RedisMemory.of(space);
    memory.write(MemoryWrite.put(NAMES, "ada", Map.of()), Instant.EPOCH).block();
    Graph graph = Graph.builder("blocking")
        .channels(COUNT)
        .compute("plan", state -> Update.NOTHING)
        .blocking(
            "work",
            state -> Update.of(COUNT, memory.get(NAMES, "ada").blockOptional().isPresent() ? 1 : 0))
        .edge(START, "plan")
        .fanOut("plan", to("work"), state -> Collections.nCopies(60, Send.to("work")))
        .edge("work", END)
        .build();

    RunResult result = thread(graph, "blocking").run(Update.NOTHING).block(Duration.ofSeconds(30));

    assertThat(result.state().get(COUNT)).isEqualTo(60);
  }
}
