package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import io.superstep.checkpoint.Checkpoint.Credit;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.memory.MemoryWrite;
import io.superstep.state.Update;
import io.superstep.step.StepResult.Committed;
import io.superstep.step.Superstep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The lookups of the recorded history of tasks in the first step after a resume. */
class TaskHistoryTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** A journal in which the first attempt of every task has failed. */
  private static final class FailedOnce implements Journal {

    private final List<String> lookups = new ArrayList<>();
    private final List<TaskNote> intents = new ArrayList<>();

    @Override
    public long fence() {
      return 1;
    }

    @Override
    public Memory memoryOf(Task task) {
      lookups.add(task.node());
      return new Memory(
          null, List.of(), 1, false, List.of(), List.of(), List.of(), List.of(), false, false);
    }

    @Override
    public Mono<Void> record(List<TaskNote> notes) {
      return Mono.empty();
    }

    @Override
    public Mono<Void> intend(List<TaskNote> intended) {
      intents.addAll(intended);
      return Mono.empty();
    }

    @Override
    public boolean isDoubtfulInside(Task task) {
      return false;
    }

    @Override
    public void settle(Task task) {}

    @Override
    public void requireMemorable(String node, List<MemoryWrite> memories) {}

    @Override
    public Mono<Void> commit(
        Instant time, Committed committed, List<Credit> credits, List<MemoryWrite> memories) {
      return Mono.empty();
    }

    @Override
    public @Nullable Commit turn() {
      return null;
    }

    @Override
    public List<TaskNote.Asked> openQuestions() {
      return List.of();
    }

    @Override
    public Journal inside(NestedRun nested, Task task, int attempt) {
      throw new AssertionError("no graph is nested");
    }
  }

  @Test
  @DisplayName("E15 the history of a task is looked up once per step")
  void lookups() {
    Graph graph = Graph.builder("sample")
        .node("plain", state -> Mono.just(Update.NOTHING))
        .policy("plain", NodePolicy.retry(5))
        .node("effect", state -> Mono.just(Update.NOTHING))
        .policy("effect", NodePolicy.retry(5).actingOutside())
        .edge(START, "plain")
        .edge(START, "effect")
        .edge("plain", END)
        .edge("effect", END)
        .build();
    FailedOnce journal = new FailedOnce();
    Run run = new Run(
        graph,
        "",
        Opening.begun(() -> Superstep.open(graph, "t", graph.schema().start(), Update.NOTHING)),
        new Environment(
            true,
            null,
            () -> Instant.EPOCH,
            null,
            RunOptions.NONE,
            new Stop(),
            new KnownAnswers(graph, Ticker.disabledTicker()),
            Permits.of(1),
            Schedulers::boundedElastic,
            new StallDetector(Duration.ZERO, Schedulers::parallel),
            false,
            null),
        null,
        journal);

    List<TaskStarted> started =
        new RunFlux(run).ofType(TaskStarted.class).collectList().block(PATIENCE);

    assertThat(journal.lookups).containsExactly("plain", "effect");
    assertThat(started).extracting(event -> event.execution().attempt()).containsExactly(3, 3);
    assertThat(journal.intents).extracting(TaskNote::attempt).containsExactly(3);
  }
}
