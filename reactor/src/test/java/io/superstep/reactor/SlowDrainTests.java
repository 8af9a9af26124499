package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.reactor.RunnerEvent.SlowDrain;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.Loggers;

/** Runs that occupy a JVM thread for long are reported; nodes here spend virtual time only. */
class SlowDrainTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  private final List<RunnerEvent> events = new ArrayList<>();
  private final List<String> lines = new CopyOnWriteArrayList<>();

  @BeforeEach
  void recordLines() {
    Loggers.useCustomLoggers(name -> RecordingLogger.of(name, lines));
  }

  @AfterEach
  void resetLoggers() {
    Loggers.resetLoggerFactory();
  }

  private static GraphBuilder graph() {
    return Graph.builder("spending").channels(COUNT);
  }

  private GraphRunner.Builder builder(Graph graph) {
    return GraphRunner.builder(graph).timer(timer).observedBy(new Reporting(events::add));
  }

  private Update spend(long millis) {
    timer.advanceTimeBy(Duration.ofMillis(millis));
    return Update.of(COUNT, 1);
  }

  /** Steps that take {@code millis} each, on the JVM thread of the drain. */
  private Graph steps(int most, long millis) {
    return graph()
        .compute("tick", state -> spend(millis))
        .edge(START, "tick")
        .route("tick", to("tick", END), state -> state.get(COUNT) < most ? "tick" : END)
        .build();
  }

  private static SlowDrain slow(int firstStep, int lastStep, String node, long millis) {
    return new SlowDrain(
        "spending", null, "", firstStep, lastStep, node, Duration.ofMillis(millis));
  }

  private List<String> warnings() {
    return lines.stream()
        .filter(line -> line.contains("io.superstep.drain") && line.contains("'spending'"))
        .toList();
  }

  @Test
  @DisplayName("a node that occupies the drain for a second is reported, a faster one is not")
  void slowNode() {
    builder(steps(1, 999)).build().run(Update.NOTHING).block(PATIENCE);
    assertThat(events).isEmpty();

    builder(steps(1, 1_000)).build().run(Update.NOTHING).block(PATIENCE);

    assertThat(events).containsExactly(slow(1, 1, "tick", 1_000));
    assertThat(warnings())
        .containsExactly("WARN io.superstep.drain: A run of graph 'spending' has occupied the JVM"
            + " thread '" + Thread.currentThread().getName()
            + "' for PT1S without a break, in step 1; node 'tick' was started last. The"
            + " time includes synchronous nodes, reducers, routers and the subscriber. Declare"
            + " nodes that block with blocking(...).");
  }

  @Test
  @DisplayName("many fast steps without a break are one pass, whose number of steps is reported")
  void fastSteps() {
    builder(steps(5, 300)).build().run(Update.NOTHING).block(PATIENCE);

    assertThat(events).containsExactly(slow(1, 5, "tick", 1_500));
    assertThat(warnings()).singleElement().asString().contains("in 5 steps (1 to 5); node 'tick'");
  }

  @Test
  @DisplayName("the threshold is an option, and zero turns the measurement off")
  void threshold() {
    builder(steps(1, 50))
        .slowDrainThreshold(Duration.ofMillis(50))
        .build()
        .run(Update.NOTHING)
        .block(PATIENCE);
    assertThat(events).hasSize(1);

    builder(steps(1, 100_000))
        .slowDrainThreshold(Duration.ZERO)
        .build()
        .run(Update.NOTHING)
        .block(PATIENCE);
    builder(steps(1, 100_000))
        .slowDrainThreshold(Duration.ofSeconds(Long.MAX_VALUE))
        .build()
        .run(Update.NOTHING)
        .block(PATIENCE);
    assertThat(events).hasSize(1);
    assertThatThrownBy(() -> builder(steps(1, 1)).slowDrainThreshold(Duration.ofMillis(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("slowDrainThreshold");
  }

  @Test
  @DisplayName("time in which a run waits for its nodes does not count")
  void waiting() {
    Sinks.One<Update> gate = Sinks.one();
    Graph graph = graph()
        .compute("first", state -> Update.NOTHING)
        .node("wait", state -> gate.asMono())
        .compute("work", state -> spend(2_000))
        .sequence(START, "first", "wait", "work", END)
        .build();
    builder(graph).build().run(Update.NOTHING).subscribe();
    timer.advanceTimeBy(Duration.ofHours(1));
    assertThat(events).isEmpty();

    gate.tryEmitValue(Update.NOTHING);

    assertThat(events).containsExactly(slow(2, 3, "work", 2_000));
  }

  @Test
  @DisplayName("a slow router is reported with the node that was started last")
  void slowRouter() {
    Sinks.One<Update> gate = Sinks.one();
    Graph graph = graph()
        .node("wait", state -> gate.asMono())
        .edge(START, "wait")
        .route("wait", to(END), state -> {
          spend(2_000);
          return END;
        })
        .build();
    builder(graph).build().run(Update.NOTHING).subscribe();

    gate.tryEmitValue(Update.NOTHING);

    assertThat(events).containsExactly(slow(1, 1, "wait", 2_000));
  }

  @Test
  @DisplayName("the time of the subscriber counts, and events stay the same")
  void slowSubscriber() {
    List<String> calm = Graphs.kinds(
        builder(steps(2, 0)).build().stream(Update.NOTHING).collectList().block(PATIENCE));

    List<GraphEvent> received = builder(steps(2, 0)).build().stream(Update.NOTHING)
        .doOnNext(event -> {
          if (event instanceof GraphEvent.StepCommitted) {
            spend(800);
          }
        })
        .collectList()
        .block(PATIENCE);

    assertThat(Graphs.kinds(received)).isEqualTo(calm);
    assertThat(events).containsExactly(slow(1, 2, "tick", 1_600));
  }

  @Test
  @DisplayName("a pass without a step is reported with the step before it")
  void withoutAStep() {
    int count = builder(steps(2, 0)).build().stream(Update.NOTHING)
        .collectList()
        .block(PATIENCE)
        .size();

    BaseSubscriber<GraphEvent> subscriber = new BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(Subscription subscription) {
        subscription.request(count - 1);
      }

      @Override
      protected void hookOnNext(GraphEvent event) {
        spend(event instanceof GraphEvent.RunCompleted ? 2_000 : 0);
      }
    };
    builder(steps(2, 0)).build().stream(Update.NOTHING).subscribe(subscriber);
    subscriber.request(1);

    assertThat(events).containsExactly(slow(2, 2, "tick", 2_000));
  }

  @Test
  @DisplayName("a nested run is reported by its path, and once")
  void nested() {
    Graph outer = graph()
        .subgraph("inner", steps(1, 3_000))
        .compute("after", state -> spend(900))
        .sequence(START, "inner", "after", END)
        .build();

    builder(outer).build().run(Update.NOTHING).block(PATIENCE);

    assertThat(events)
        .containsExactly(
            new SlowDrain("spending", null, "inner/", 1, 1, "tick", Duration.ofSeconds(3)));
    assertThat(warnings())
        .singleElement()
        .asString()
        .contains("in step 1 of 'inner/'; node 'tick'");
  }

  @Test
  @DisplayName("a run around a nested one is reported for the time of its own")
  void around() {
    Graph outer = graph()
        .subgraph("inner", steps(1, 3_000))
        .compute("after", state -> spend(1_200))
        .sequence(START, "inner", "after", END)
        .build();

    builder(outer).build().run(Update.NOTHING).block(PATIENCE);

    assertThat(events).hasSize(2).last().isEqualTo(slow(1, 2, "after", 1_200));
  }

  @Test
  @DisplayName("a slow node before a slow subgraph is reported as well")
  void before() {
    Graph outer = graph()
        .compute("before", state -> spend(10_000))
        .subgraph("inner", steps(1, 1_100))
        .sequence(START, "before", "inner", END)
        .build();

    builder(outer).build().run(Update.NOTHING).block(PATIENCE);

    assertThat(events)
        .containsExactly(
            new SlowDrain("spending", null, "inner/", 1, 1, "tick", Duration.ofMillis(1_100)),
            slow(1, 2, "inner", 10_000));
  }

  @Test
  @DisplayName("a run of a thread is reported with it, also after the run was resumed")
  void onAThread() {
    Graph graph = graph()
        .compute("tick", state -> spend(0))
        .compute("tock", state -> spend(2_000))
        .interruptBefore("tock")
        .sequence(START, "tick", "tock", END)
        .build();
    GraphThread thread =
        builder(graph).checkpoints(new InMemoryCheckpointStore()).build().thread("t");
    thread.run(Update.NOTHING).block(PATIENCE);

    thread.resume().blockLast(PATIENCE);

    assertThat(events)
        .containsExactly(new SlowDrain("spending", "t", "", 2, 2, "tock", Duration.ofSeconds(2)));
    assertThat(warnings()).singleElement().asString().contains("thread 't' (graph 'spending')");
  }

  @Test
  @DisplayName("a node that is slow again is counted again, and logged once an hour")
  void again() {
    GraphRunner runner = builder(steps(1, 2_000)).build();

    for (int run = 0; run < 3; run++) {
      runner.run(Update.NOTHING).block(PATIENCE);
    }
    assertThat(events).hasSize(3);
    assertThat(warnings()).hasSize(1);

    timer.advanceTimeBy(Duration.ofHours(1));
    runner.run(Update.NOTHING).block(PATIENCE);
    assertThat(warnings()).hasSize(2);
  }

  @Test
  @DisplayName("a node that is declared as blocking occupies no drain")
  void blocking() {
    Graph graph = graph()
        .blocking("block", state -> spend(5_000))
        .sequence(START, "block", END)
        .build();

    Queue<Runnable> work = new ArrayDeque<>();
    List<RunResult> results = new ArrayList<>();
    builder(graph)
        .blockingScheduler(Schedulers.fromExecutor(work::add))
        .build()
        .run(Update.NOTHING)
        .subscribe(results::add);

    work.remove().run();

    assertThat(results).hasSize(1);
    assertThat(events).isEmpty();
  }
}
