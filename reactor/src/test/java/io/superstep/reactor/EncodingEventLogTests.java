package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.json.InvalidJsonException;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import io.superstep.testkit.EncodingEventLog;
import io.superstep.testkit.EventLogContract;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

class EncodingEventLogTests extends EventLogContract {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ListChannel<String> LOG = Channel.list("log", String.class);

  @Override
  protected EventLog log() {
    return new EncodingEventLog(new InMemoryEventLog());
  }

  private GraphThread thread(Graph graph) {
    return GraphRunner.builder(graph)
        .checkpoints(new InMemoryCheckpointStore())
        .events(log())
        .build()
        .thread("t");
  }

  @Test
  @DisplayName("X.19 who follows hears of graphs inside what whoever runs them hears")
  void graphsInside() {
    Graph inner = Graph.builder("inner")
        .channels(LOG)
        .compute("a", state -> Update.append(LOG, "a"))
        .compute("b", state -> Update.append(LOG, "b"))
        .sequence(START, "a", "b", END)
        .build();
    Graph graph = Graph.builder("outer")
        .channels(LOG)
        .subgraph("one", inner)
        .subgraph("two", inner)
        .compute("last", state -> Update.append(LOG, "last"))
        .edge(START, "one")
        .edge(START, "two")
        .join(Graph.all("one", "two"), "last")
        .edge("last", END)
        .build();
    GraphThread thread = thread(graph);

    List<GraphEvent> told = thread.stream(Update.append(LOG, "input"))
        .filter(event -> !(event instanceof GraphEvent.Provisional))
        .collectList()
        .block(PATIENCE);
    List<GraphEvent> heard =
        thread.attach(0, Chunks.NONE).take(told.size()).collectList().block(PATIENCE);

    assertThat(heard.stream().map(EncodingEventLogTests::withoutBudget).toList())
        .isEqualTo(told.stream().map(EncodingEventLogTests::withoutBudget).toList());
  }

  /** Only a run has a budget. */
  private static GraphEvent withoutBudget(GraphEvent event) {
    return event instanceof GraphEvent.RunCompleted end
        ? new GraphEvent.RunCompleted(
            end.moment(), end.sequence(), end.position().stored(), end.unfilled())
        : event;
  }

  @Test
  @DisplayName("X.19 a chunk that could not be kept fails the run that told it")
  void unstorableChunks() {
    Graph graph = Graph.builder("sample")
        .channels(LOG)
        .node("bad", state -> Flux.just(new Chunk(new Object()), Update.NOTHING))
        .sequence(START, "bad", END)
        .build();

    assertThatExceptionOfType(InvalidJsonException.class)
        .isThrownBy(() -> thread(graph).run(Update.NOTHING).block(PATIENCE))
        .withMessageContaining("SG-307");
  }
}
