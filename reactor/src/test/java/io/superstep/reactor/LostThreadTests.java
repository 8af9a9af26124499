package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import io.superstep.testkit.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A run whose thread was taken over ends with one type of error. */
class LostThreadTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final MovingClock clock = new MovingClock(Instant.EPOCH);
  private final InMemoryCheckpointStore store =
      InMemoryCheckpointStore.builder().clock(clock).build();
  private final InMemoryEventLog log = new InMemoryEventLog();

  private GraphRunner runner(Graph graph, boolean isLogged) {
    GraphRunner.Builder builder = GraphRunner.builder(graph)
        .checkpoints(store)
        .clock(clock)
        .timer(VirtualTimeScheduler.create()); // no lease is renewed
    return isLogged ? builder.events(log).build() : builder.build();
  }

  @ParameterizedTest(name = "with an event log: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("E21 a run that lost its thread ends with a CheckpointConflictException")
  void lost(boolean isLogged) {
    Sinks.Many<NodeOutput> outputs = Sinks.many().unicast().onBackpressureBuffer();
    Graph slow = graph()
        .node("node", state -> outputs.asFlux())
        .sequence(START, "node", END)
        .build();
    Graph quick = graph()
        .node("node", state -> Flux.just(Update.append(LOG, "quick")))
        .sequence(START, "node", END)
        .build();
    List<Throwable> errors = new ArrayList<>();
    runner(slow, isLogged).thread("t").stream(Update.NOTHING).subscribe(any -> {}, errors::add);

    clock.pass(Hold.LEASE.plusSeconds(1));
    RunResult.of(runner(quick, isLogged).thread("t").resume()).block(PATIENCE);
    outputs.tryEmitNext(new Chunk("late"));
    outputs.tryEmitNext(Update.append(LOG, "late"));
    outputs.tryEmitComplete();

    assertThat(errors).singleElement().isInstanceOf(CheckpointConflictException.class);
    assertThat(((CheckpointConflictException) errors.get(0)).code()).isEqualTo("SG-401");
  }
}
