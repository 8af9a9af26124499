package io.superstep.reactor.micrometer;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.micrometer.RecordingHandler.often;
import static io.superstep.reactor.micrometer.RecordingHandler.parent;
import static io.superstep.reactor.micrometer.RecordingHandler.seldom;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.checkpoint.UnknownThreadException;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.NodePolicy;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.InMemoryCheckpointStore;
import io.superstep.reactor.Recovery;
import io.superstep.reactor.RunOptions;
import io.superstep.reactor.Settlement;
import io.superstep.reactor.Stage;
import io.superstep.reactor.Stop;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.NodeOutput;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import io.superstep.testkit.StoreAround;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

class MicrometerObserverTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ListChannel<String> LOG = Channel.list("log", String.class);

  private final ObservationRegistry registry = ObservationRegistry.create();
  private final RecordingHandler observations = new RecordingHandler();

  @BeforeEach
  void record() {
    registry.observationConfig().observationHandler(observations);
  }

  @AfterEach
  void everythingStoppedOnce() {
    assertThat(observations.stopped())
        .containsExactlyInAnyOrderElementsOf(observations.started())
        .doesNotHaveDuplicates();
    assertThat(registry.getCurrentObservation()).as("left open on this thread").isNull();
  }

  private GraphRunner observed(Graph graph) {
    return GraphRunner.builder(graph)
        .observedBy(new MicrometerObserver(registry))
        .slowDrainThreshold(Duration.ZERO) // a busy machine adds no observation
        .build();
  }

  private static GraphBuilder graph(String name) {
    return Graph.builder(name).channels(LOG);
  }

  private static Graph single(String name) {
    return graph("single")
        .compute(name, state -> Update.NOTHING)
        .sequence(START, name, END)
        .build();
  }

  /** The attempt in which it is called, as the registry knows it on this JVM thread. */
  private String current() {
    Observation now = registry.getCurrentObservation();
    return now == null ? "none" : now.getContextView().getContextualName();
  }

  @Test
  @DisplayName("E23 each run, step, task and attempt is an observation with few names")
  void eachStageIsAnObservation() {
    observed(single("a")).run(Update.NOTHING).block(PATIENCE);

    assertThat(observations.started())
        .extracting(Observation.Context::getName)
        .containsExactly("superstep.run", "superstep.step", "superstep.task", "superstep.attempt");
    assertThat(observations.stopped())
        .extracting(Observation.Context::getName)
        .containsExactly("superstep.attempt", "superstep.task", "superstep.step", "superstep.run");
    assertThat(often(observations.one("run single")))
        .isEqualTo(Map.of("graph", "single", "outcome", "completed"));
    assertThat(seldom(observations.one("run single"))).isEmpty();
    assertThat(often(observations.one("step single")))
        .isEqualTo(Map.of("graph", "single", "outcome", "completed"));
    assertThat(seldom(observations.one("step single"))).isEqualTo(Map.of("step", "1"));
    assertThat(often(observations.one("task a")))
        .isEqualTo(Map.of("graph", "single", "node", "a", "outcome", "completed"));
    assertThat(seldom(observations.one("task a")))
        .isEqualTo(Map.of("step", "1", "task", "run-1/1/0/a"));
    assertThat(often(observations.one("attempt a")))
        .isEqualTo(Map.of("graph", "single", "node", "a", "outcome", "completed"));
    assertThat(seldom(observations.one("attempt a")))
        .isEqualTo(Map.of("step", "1", "task", "run-1/1/0/a", "attempt", "1"));
  }

  @Test
  @DisplayName("a stalled task is an event of its observation, which a meter handler counts")
  void stalled() {
    VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    List<String> events = new ArrayList<>();
    registry.observationConfig().observationHandler(new ObservationHandler<Observation.Context>() {
      @Override
      public void onEvent(Observation.Event event, Observation.Context context) {
        events.add(context.getContextualName() + ": " + event.getContextualName());
      }

      @Override
      public boolean supportsContext(Observation.Context context) {
        return true;
      }
    });
    Graph silent = graph("silent")
        .node("a", state -> Mono.never())
        .sequence(START, "a", END)
        .build();
    Disposable run = GraphRunner.builder(silent)
        .observedBy(new MicrometerObserver(registry))
        .timer(timer)
        .stallThreshold(Duration.ofMinutes(1))
        .build()
        .run(Update.NOTHING)
        .subscribe();

    timer.advanceTimeBy(Duration.ofSeconds(119));
    run.dispose();

    assertThat(events).containsExactly("task a: superstep.task.stalled");
  }

  @Test
  @DisplayName("an unreadable thread that is listed twice is one observation")
  void unreadable() {
    CheckpointStore damaged = new StoreAround(new InMemoryCheckpointStore()) {
      @Override
      public Publisher<ThreadSummary> threads(Set<ThreadStatus> statuses) {
        return Flux.just(ThreadSummary.unreadable("t", new UnknownThreadException("t")));
      }
    };
    GraphRunner runner = GraphRunner.builder(single("a"))
        .checkpoints(damaged)
        .observedBy(new MicrometerObserver(registry))
        .build();

    assertThat(runner.recover().collectList().block(PATIENCE))
        .extracting(Recovery::thread, Recovery::isTakenOver)
        .containsExactly(tuple("t", false));
    assertThat(runner.settleDue().collectList().block(PATIENCE))
        .extracting(Settlement::thread, each -> each.error() != null)
        .containsExactly(tuple("t", true));

    assertThat(observations.stopped())
        .extracting(Observation.Context::getName)
        .containsOnlyOnce("superstep.thread.unreadable");
  }

  @Test
  @DisplayName("each operation of a store is an observation, a child of the subscriber's")
  void storeOperations() {
    CheckpointStore failing = new StoreAround(new InMemoryCheckpointStore()) {
      @Override
      public Publisher<Void> commit(Lease lease, Commit commit, Schemas schemas) {
        return Mono.<Void>error(new IllegalStateException("no network")).hide();
      }
    };
    Observation current = Observation.start("current", registry).contextualName("current");
    Mono<?> run = GraphRunner.builder(single("a"))
        .checkpoints(failing)
        .observedBy(new MicrometerObserver(registry))
        .build()
        .thread("t")
        .run(Update.NOTHING)
        .contextWrite(context -> context.put(ObservationThreadLocalAccessor.KEY, current));

    StepVerifier.create(run).expectErrorMessage("no network").verify(PATIENCE);
    current.stop();

    assertThat(observations.stopped())
        .filteredOn(context -> context.getName().equals("superstep.store"))
        .extracting(
            context -> often(context).get("operation") + " " + often(context).get("outcome"))
        .containsExactly(
            "acquire completed", "load completed", "commit failed", "release completed");
    Observation.Context commit = observations.one("checkpoints commit");
    assertThat(often(commit))
        .isEqualTo(Map.of("store", "checkpoints", "operation", "commit", "outcome", "failed"));
    assertThat(seldom(commit)).isEqualTo(Map.of("thread", "t"));
    assertThat(parent(commit)).isEqualTo("current");
    assertThat(commit.getError()).hasMessage("no network");
  }

  @Test
  @DisplayName("E23 an observation is the child of the one around it, a nested run of its attempt")
  void observationsAreNested() {
    Graph outer = graph("outer")
        .subgraph("inner", single("deep"))
        .sequence(START, "inner", END)
        .build();

    observed(outer).run(Update.NOTHING).block(PATIENCE);

    assertThat(parent(observations.one("run outer"))).isEqualTo("none");
    assertThat(parent(observations.one("step outer"))).isEqualTo("run outer");
    assertThat(parent(observations.one("task inner"))).isEqualTo("step outer");
    assertThat(parent(observations.one("attempt inner"))).isEqualTo("task inner");
    assertThat(parent(observations.one("run single"))).isEqualTo("attempt inner");
    assertThat(parent(observations.one("attempt deep"))).isEqualTo("task deep");
    assertThat(seldom(observations.one("attempt deep"))).containsEntry("path", "inner/");
  }

  @Test
  @DisplayName("E23 a run is the child of the observation that is current, or of the context's")
  void aRunHasTheParentOfItsSubscriber() {
    Observation current = Observation.start("current", registry).contextualName("current");
    Observation given = Observation.start("given", registry).contextualName("given");
    Mono<?> run = observed(single("a")).run(Update.NOTHING);

    current.scoped(() -> run.block(PATIENCE));
    current.scoped(
        () -> run.contextWrite(context -> context.put(ObservationThreadLocalAccessor.KEY, given))
            .block(PATIENCE));
    current.stop();
    given.stop();

    assertThat(observations.started())
        .filteredOn(context -> context.getName().equals("superstep.run"))
        .extracting(RecordingHandler::parent)
        .containsExactly("current", "given");
  }

  @Test
  @DisplayName("E23 a failure is on each observation that it ended")
  void failuresAreRecorded() {
    Graph graph = graph("failing")
        .node("bad", state -> Mono.error(new IllegalStateException("boom")))
        .policy("bad", NodePolicy.retry(2))
        .sequence(START, "bad", END)
        .build();

    StepVerifier.create(observed(graph).run(Update.NOTHING))
        .expectError(NodeFailedException.class)
        .verify(PATIENCE);

    assertThat(observations.started())
        .allMatch(context -> "failed".equals(often(context).get("outcome")))
        .filteredOn(context -> context.getName().equals("superstep.attempt"))
        .hasSize(2)
        .allMatch(context -> context.getError() instanceof IllegalStateException)
        .extracting(context -> seldom(context).get("attempt"))
        .containsExactly("1", "2");
    assertThat(observations.one("task bad").getError()).isInstanceOf(IllegalStateException.class);
    assertThat(observations.one("run failing").getError()).isInstanceOf(NodeFailedException.class);
  }

  @Test
  @DisplayName("E23 the outcome says how a run ended that did not fail")
  void theOutcomeSaysHowItEnded() {
    Stop stop = new Stop();
    stop.request();
    Graph pausing = graph("pausing")
        .compute("a", state -> Update.NOTHING)
        .interruptBefore("a")
        .sequence(START, "a", END)
        .build();
    Graph waiting = graph("waiting")
        .node("a", state -> Mono.never())
        .sequence(START, "a", END)
        .build();

    observed(pausing).run(Update.NOTHING).block(PATIENCE);
    observed(single("a")).run(Update.NOTHING, RunOptions.NONE.stoppedBy(stop)).block(PATIENCE);
    observed(waiting).run(Update.NOTHING).subscribe().dispose();

    assertThat(often(observations.one("run pausing"))).containsEntry("outcome", "interrupted");
    assertThat(often(observations.one("run single"))).containsEntry("outcome", "stopped");
    assertThat(often(observations.one("run waiting"))).containsEntry("outcome", "cancelled");
    assertThat(often(observations.one("attempt a"))).containsEntry("outcome", "cancelled");
  }

  @Test
  @DisplayName("E23 cancelled at any event, a run leaves no observation open")
  void cancelledAtAnyEventNothingStaysOpen() {
    Graph inner = graph("inner")
        .node("deep", state -> Flux.<NodeOutput>just(new Chunk("a"), Update.append(LOG, "b")))
        .sequence(START, "deep", END)
        .build();
    Graph graph = graph("outer")
        .node("a", state -> Flux.<NodeOutput>just(new Chunk("a"), Update.append(LOG, "b")))
        .subgraph("inner", inner)
        .edge(START, "a")
        .edge(START, "inner")
        .edge("a", END)
        .edge("inner", END)
        .build();
    int events =
        observed(graph).stream(Update.NOTHING).collectList().block(PATIENCE).size();

    for (int at = 0; at <= events; at++) {
      StepVerifier.create(observed(graph).stream(Update.NOTHING), at)
          .expectNextCount(at)
          .thenCancel()
          .verify(PATIENCE);
      everythingStoppedOnce();
    }
  }

  /** A node of each kind, which says in which observation it finds itself. */
  private Graph looking() {
    return graph("looking")
        .node("action", state -> {
          String now = current();
          return inContext().map(given -> Update.append(LOG, now + ", " + given));
        })
        .compute("compute", state -> Update.append(LOG, current()))
        .blocking("blocking", state -> Update.append(LOG, current()))
        .node("bad", state -> Mono.error(new IllegalStateException()))
        .handler("bad", (state, failed) -> {
          String now = current();
          return inContext().map(given -> Update.append(LOG, now + ", " + given));
        })
        .sequence(START, "action", "compute", "blocking", "bad", END)
        .build();
  }

  private static Mono<String> inContext() {
    return Mono.deferContextual(context -> {
      Observation given = context.get(ObservationThreadLocalAccessor.KEY);
      return Mono.just(String.valueOf(given.getContextView().getContextualName()));
    });
  }

  @Test
  @DisplayName("E23 a node finds its attempt in the context and as the current observation")
  void aNodeFindsItsAttempt() {
    List<String> log =
        observed(looking()).run(Update.NOTHING).block(PATIENCE).state().get(LOG);

    assertThat(log)
        .containsExactly(
            "attempt action, attempt action",
            "attempt compute",
            "attempt blocking",
            "task bad, task bad");
  }

  @Test
  @DisplayName("E23 where Reactor carries thread locals along, the attempt survives a hop")
  void theAttemptSurvivesAHop() {
    Hooks.enableAutomaticContextPropagation();
    try {
      Graph graph = graph("hopping")
          .node(
              "hop",
              state -> Mono.delay(Duration.ofMillis(1)).map(any -> Update.append(LOG, current())))
          .node(
              "again",
              state -> Mono.delay(Duration.ofMillis(1)).map(any -> Update.append(LOG, current())))
          .policy("again", NodePolicy.retry(2).timeout(PATIENCE))
          .subgraph("looking", looking())
          .sequence(START, "hop", "again", "looking", END)
          .build();

      List<String> log =
          observed(graph).run(Update.NOTHING).block(PATIENCE).state().get(LOG);

      assertThat(log)
          .containsExactly(
              "attempt hop",
              "attempt again",
              "attempt action, attempt action",
              "attempt compute",
              "attempt blocking",
              "task bad, task bad");
    } finally {
      Hooks.disableAutomaticContextPropagation();
    }
  }

  @Test
  @DisplayName("E23 what is switched off leaves no gap between those around and inside it")
  void whatIsSwitchedOffLeavesNoGap() {
    registry
        .observationConfig()
        .observationPredicate((name, context) -> !(context instanceof StageContext seen
            && (seen.stage() instanceof Stage.Step || seen.stage() instanceof Stage.Attempt)));

    List<String> log =
        observed(looking()).run(Update.NOTHING).block(PATIENCE).state().get(LOG);

    assertThat(observations.started())
        .extracting(Observation.Context::getName)
        .containsOnly("superstep.run", "superstep.task");
    assertThat(parent(observations.one("task compute"))).isEqualTo("run looking");
    assertThat(log).contains("task action, task action", "task compute");
  }

  @Test
  @DisplayName("E23 a run that is switched off hands on its parent, also when that is not current")
  void aRunThatIsSwitchedOffHandsOnItsParent() {
    registry
        .observationConfig()
        .observationPredicate((name, context) -> !name.equals("superstep.run"));
    Observation current = Observation.start("current", registry).contextualName("current");
    Sinks.One<Update> later = Sinks.one();
    Graph graph = graph("waiting")
        .node("wait", state -> later.asMono())
        .compute("after", state -> Update.NOTHING)
        .sequence(START, "wait", "after", END)
        .build();

    current.scoped(() -> {
      observed(graph).run(Update.NOTHING).subscribe();
    });
    later.tryEmitValue(Update.NOTHING).orThrow();
    current.stop();

    assertThat(observations.started())
        .filteredOn(context -> context.getName().equals("superstep.step"))
        .extracting(RecordingHandler::parent)
        .containsExactly("current", "current");
  }

  @Test
  @DisplayName("E23 a registry that is switched off costs nobody an observation")
  void aRegistryCanBeSwitchedOff() {
    Graph graph = single("a");

    GraphRunner.builder(graph)
        .observedBy(new MicrometerObserver(ObservationRegistry.NOOP))
        .build()
        .run(Update.NOTHING)
        .block(PATIENCE);

    assertThat(observations.started()).isEmpty();
  }

  @Test
  @DisplayName("E23 only the graph, the node and the outcome split a meter")
  void metersAreSplitByFewValues() {
    for (int run = 0; run < 3; run++) {
      observed(single("a")).run(Update.NOTHING).block(PATIENCE);
    }

    assertThat(observations.started())
        .flatExtracting(context -> often(context).keySet())
        .isSubsetOf(Set.of("graph", "node", "outcome"));
    assertThat(Set.copyOf(observations.started().stream()
            .map(context -> context.getName() + often(context))
            .toList()))
        .hasSize(4);
  }

  @Test
  void theKeyIsMicrometers() {
    assertThat(MicrometerObserver.KEY).isEqualTo(ObservationThreadLocalAccessor.KEY);
  }
}
