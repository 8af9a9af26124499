package io.superstep.reactor;

import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.counting;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Provisional;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunFailed;
import io.superstep.event.GraphEvent.RunStarted;
import io.superstep.graph.Graph;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The event log of a run that releases its thread while it waits for demand. */
class RestingRunTests extends OnAThread {

  private static final Graph GRAPH = counting(3);

  private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  private final InMemoryEventLog log = InMemoryEventLog.builder().build();

  private GraphThread thread() {
    return GraphRunner.builder(GRAPH)
        .checkpoints(store)
        .events(log)
        .timer(timer)
        .build()
        .thread("t");
  }

  private ThreadStatus status() {
    timer.advanceTime(); // detached runs begin
    return Flux.from(store.threads(Set.of(ThreadStatus.values())))
        .map(ThreadSummary::status)
        .blockLast(PATIENCE);
  }

  private List<GraphEvent> logged() {
    return Flux.from(log.read("t", 0, Schemas.NONE)).collectList().block(PATIENCE);
  }

  private static List<GraphEvent> facts(List<GraphEvent> events) {
    return events.stream().filter(event -> !(event instanceof Provisional)).toList();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  @DisplayName(
      "E20 X.19 a run continues with its facts after another process has opened the thread")
  void openedMeanwhile(Durability mode) {
    RunOptions options = RunOptions.NONE.durability(mode);
    int all = events(thread().stream(Update.NOTHING, options)).size();
    for (int demand = 1; demand < all; demand++) {
      Flux.from(store.delete("t")).blockLast(PATIENCE);
      Flux.from(log.delete("t")).blockLast(PATIENCE);
      List<GraphEvent> delivered = new ArrayList<>();
      String where = mode + " with a demand of " + demand;

      StepVerifier.create(thread().stream(Update.NOTHING, options), demand)
          .recordWith(() -> delivered)
          .expectNextCount(demand)
          .then(() -> timer.advanceTimeBy(Hold.LEASE.dividedBy(3)))
          .then(() -> assertThat(status()).as(where).isIn(ThreadStatus.STOPPED, ThreadStatus.DONE))
          .then(() -> thread().queue(Update.of(COUNT, -3), "ada").block(PATIENCE))
          .then(timer::advanceTime)
          .thenRequest(Long.MAX_VALUE)
          .thenConsumeWhile(event -> true)
          .expectComplete()
          .verify(PATIENCE);
      timer.advanceTime();

      assertThat(delivered).as(where).hasSize(all);
      List<GraphEvent> facts = logged();
      assertThat(facts).as(where).startsWith(facts(delivered).toArray(GraphEvent[]::new));
      assertThat(facts.stream().map(GraphEvent::sequence))
          .as(where)
          .containsExactlyElementsOf(
              LongStream.rangeClosed(1, facts.size()).boxed().toList());
      assertThat(facts).as(where).filteredOn(RunStarted.class::isInstance).hasSize(2);
      assertThat(facts).as(where).filteredOn(RunCompleted.class::isInstance).hasSize(2);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("E20 X.19 the failure of a run is stored before it waits for demand")
  void failed(boolean isResumed) {
    Graph failing = Graphs.single("bad", state -> Mono.error(new IllegalStateException("broken")));
    GraphThread thread = GraphRunner.builder(failing)
        .checkpoints(store)
        .events(log)
        .timer(timer)
        .build()
        .thread("t");

    StepVerifier.create(thread.stream(Update.NOTHING), 4)
        .expectNextCount(4)
        .then(() -> timer.advanceTimeBy(Hold.LEASE.dividedBy(3)))
        .then(() -> assertThat(status()).isEqualTo(ThreadStatus.FAILED))
        .then(() -> assertThat(logged()).last().isInstanceOf(RunFailed.class))
        .then(() -> {
          if (isResumed) {
            thread.resume().onErrorComplete().blockLast(PATIENCE);
          }
        })
        .thenRequest(Long.MAX_VALUE)
        .thenConsumeWhile(event -> true)
        .expectError(NodeFailedException.class)
        .verify(PATIENCE);

    assertThat(logged()).filteredOn(RunFailed.class::isInstance).hasSize(isResumed ? 2 : 1);
    assertThat(logged().stream().map(GraphEvent::sequence))
        .containsExactlyElementsOf(
            LongStream.rangeClosed(1, logged().size()).boxed().toList());
  }
}
