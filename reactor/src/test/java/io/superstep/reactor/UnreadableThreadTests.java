package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.LeaseLost;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.checkpoint.UnknownThreadException;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import io.superstep.graph.Graph;
import io.superstep.question.Question;
import io.superstep.state.Update;
import io.superstep.testkit.MovingClock;
import io.superstep.testkit.StoreAround;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * Unreadable threads do not keep others from being recovered and having their deadlines applied.
 */
class UnreadableThreadTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final MovingClock clock = new MovingClock(Instant.EPOCH);
  private final InMemoryCheckpointStore memory =
      InMemoryCheckpointStore.builder().clock(clock).build();

  /** Lists every thread whose number is even as unreadable. */
  private final CheckpointStore damaged = new StoreAround(memory) {
    @Override
    public Publisher<ThreadSummary> threads(Set<ThreadStatus> statuses) {
      return Flux.from(memory.threads(EnumSet.allOf(ThreadStatus.class)))
          .map(found -> Integer.parseInt(found.thread()) % 2 == 0
              ? ThreadSummary.unreadable(found.thread(), new UnknownThreadException(found.thread()))
              : found)
          .filter(found -> statuses.contains(found.status()));
    }
  };

  private GraphRunner runner(CheckpointStore store, Graph graph) {
    return GraphRunner.builder(graph).checkpoints(store).clock(clock).build();
  }

  @Test
  @DisplayName("Promise 11: of 22 threads, 11 of them unreadable, 11 are recovered")
  void recovered() {
    Graph waiting = Graphs.single("node", state -> Mono.never());
    for (int number = 0; number < 22; number++) {
      QueuedInput input =
          new QueuedInput("input-" + number, Update.NOTHING, "ada", clock.instant());
      memory.enqueue(String.valueOf(number), input, waiting.schemas()).block(PATIENCE);
    }

    GraphRunner runner = runner(damaged, waiting);
    List<Recovery> recovered = runner.recover().collectList().block(PATIENCE);

    assertThat(recovered).hasSize(22).filteredOn(Recovery::isTakenOver).hasSize(11);
    assertThat(recovered)
        .filteredOn(each -> each.refusal() instanceof UnknownThreadException)
        .hasSize(11);
    runner.close(Duration.ZERO).blockLast(PATIENCE);
  }

  @Test
  @DisplayName("Promise 11: the deadlines of the readable threads are applied")
  void deadlines() {
    Graph asking = graph()
        .node(
            "node",
            (state, context) -> Mono.from(
                    context.ask("q", Question.yesNo("Publish?").within(Duration.ofHours(1), false)))
                .map(yes -> Update.append(LOG, "answered")))
        .sequence(START, "node", END)
        .build();
    for (int number = 0; number < 22; number++) {
      runner(memory, asking).thread(String.valueOf(number)).run(Update.NOTHING).block(PATIENCE);
    }
    clock.pass(Duration.ofHours(2));

    List<Settlement> settled = runner(damaged, asking).settleDue().collectList().block(PATIENCE);

    assertThat(settled).filteredOn(Settlement::isApplied).hasSize(11);
    assertThat(settled)
        .filteredOn(each -> each.error() instanceof UnknownThreadException)
        .hasSize(11);
  }

  @Test
  @DisplayName("a renewal that finds the lease lost ends the run, whatever the error of the store")
  void leaseLost() {
    VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    CheckpointStore losing = new StoreAround(memory) {
      @Override
      public Publisher<Lease> renew(Lease lease, Duration time) {
        return Mono.error(new Lost());
      }
    };
    GraphRunner runner = GraphRunner.builder(Graphs.single("node", state -> Mono.never()))
        .checkpoints(losing)
        .timer(timer)
        .build();

    StepVerifier.create(runner.thread("t").run(Update.NOTHING))
        .then(() -> timer.advanceTimeBy(Hold.LEASE.dividedBy(3).plusSeconds(1)))
        .expectError(Lost.class)
        .verify(PATIENCE);
  }

  private static final class Lost extends SuperstepException implements LeaseLost {

    private static final long serialVersionUID = 1L;

    Lost() {
      super(new Problem("SG-457", "The store has lost the lease.", "a test", "None."), null);
    }
  }
}
