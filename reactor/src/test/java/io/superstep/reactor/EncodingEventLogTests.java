package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.event.RecordedFailure;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.json.ByteStage;
import io.superstep.json.EventCodec;
import io.superstep.json.InvalidJsonException;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import io.superstep.testkit.EncodingEventLog;
import io.superstep.testkit.EventLogContract;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

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

    assertThat(heard).isEqualTo(told);
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

  @Test
  @DisplayName("X.19 who follows hears of an error what was recorded of it")
  void recordedErrors() {
    Graph graph = Graph.builder("sample")
        .channels(LOG)
        .node("bad", state -> Mono.error(new IllegalStateException("bad")))
        .sequence(START, "bad", END)
        .build();
    GraphThread thread = thread(graph);
    thread.run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    GraphEvent.TaskFailed heard =
        thread.attach(0, Chunks.NONE).ofType(GraphEvent.TaskFailed.class).blockFirst(PATIENCE);

    assertThat(heard.error()).isInstanceOf(RecordedFailure.class);
  }

  @Test
  @DisplayName("X.19 a key frame is written where a run opens the log, and no other in a short one")
  void keyFrames() {
    Written written = new Written();
    Graph graph = Graph.builder("sample")
        .channels(LOG)
        .compute("a", state -> Update.append(LOG, "a"))
        .compute("b", state -> Update.append(LOG, "b"))
        .sequence(START, "a", "b", END)
        .build();
    GraphThread thread = GraphRunner.builder(graph)
        .checkpoints(new InMemoryCheckpointStore())
        .events(new EncodingEventLog(
            new InMemoryEventLog(), EventCodec.builder().stage(written).build()))
        .build()
        .thread("t");

    thread.run(Update.NOTHING).block(PATIENCE);
    thread.run(Update.NOTHING).block(PATIENCE);

    List<String> keyFrames =
        written.texts.stream().filter(text -> text.contains("\"key\":true")).toList();
    assertThat(written.texts).hasSizeGreaterThan(10);
    assertThat(keyFrames).hasSize(2);
  }

  /** Remembers what was written, and changes nothing. */
  private static final class Written implements ByteStage {

    private final List<String> texts = new CopyOnWriteArrayList<>();

    @Override
    public byte[] apply(byte[] bytes) {
      texts.add(new String(bytes, StandardCharsets.UTF_8));
      return bytes;
    }

    @Override
    public byte[] undo(byte[] stored) {
      return stored;
    }
  }
}
