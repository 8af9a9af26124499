package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunStarted;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.StepStarted;
import io.superstep.event.GraphEvent.TaskCompleted;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.event.GraphEvent.TaskUpdated;
import io.superstep.graph.Graph;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class SuperstepLoopTests {

  private static final Channel<Integer> COUNT =
      Channel.value("count", Integer.class).startingAt(0);

  private static Graph counting(int most) {
    return Graph.builder("counting")
        .channels(COUNT)
        .node("tick", state -> Mono.just(Update.of(COUNT, state.get(COUNT) + 1)))
        .edge(START, "tick")
        .route("tick", to("tick", END), state -> state.get(COUNT) < most ? "tick" : END)
        .build();
  }

  @Test
  @DisplayName("E19 a run tells all that happens, in order and numbered without a gap")
  void aRunTellsAllThatHappens() {
    StepVerifier.create(GraphRunner.of(counting(1)).stream(Update.NOTHING))
        .expectNextMatches(RunStarted.class::isInstance)
        .expectNextMatches(StepStarted.class::isInstance)
        .expectNextMatches(TaskStarted.class::isInstance)
        .expectNextMatches(TaskUpdated.class::isInstance)
        .expectNextMatches(TaskCompleted.class::isInstance)
        .expectNextMatches(StepCommitted.class::isInstance)
        .assertNext(last -> {
          assertThat(last).isInstanceOf(RunCompleted.class);
          assertThat(((RunCompleted) last).state().get(COUNT)).isEqualTo(1);
          assertThat(last.sequence()).isEqualTo(6);
        })
        .expectComplete()
        .verify(Duration.ofSeconds(5));
  }

  @Test
  @DisplayName("E20 zero demand: no work starts; four events: as far as those need")
  void demandIsRespected() {
    AtomicInteger calls = new AtomicInteger();
    Graph graph = Graph.builder("endless")
        .channels(COUNT)
        .node("tick", state -> {
          calls.incrementAndGet();
          return Mono.just(Update.of(COUNT, state.get(COUNT) + 1));
        })
        .edge(START, "tick")
        .edge("tick", "tick")
        .build();

    StepVerifier.create(GraphRunner.of(graph).stream(Update.NOTHING), 0)
        .then(() -> assertThat(calls).hasValue(0))
        .thenRequest(4)
        .expectNextCount(4)
        .then(() -> assertThat(calls).hasValue(1))
        .thenRequest(2)
        .expectNextCount(2)
        .then(() -> assertThat(calls).hasValue(1))
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> assertThat(calls).hasValue(2))
        .thenCancel()
        .verify(Duration.ofSeconds(5));
  }
}
