package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.counting;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.TaskNote;
import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Provisional;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunFailed;
import io.superstep.event.GraphEvent.StateSnapshot;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.event.GraphEvent.TaskCompleted;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.event.GraphEvent.TaskUpdated;
import io.superstep.event.GraphEvent.ThreadUpdated;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.state.NodeOutput;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.testkit.MovingClock;
import io.superstep.testkit.StoreAround;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

class EventTimesTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Instant T0 = Instant.parse("2026-01-02T03:04:05Z");

  private final MovingClock clock = new MovingClock(T0);
  private final InMemoryCheckpointStore store = new InMemoryCheckpointStore();
  private final InMemoryEventLog log = new InMemoryEventLog();
  private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();

  /** A node that emits two chunks and an update, a minute before each, and a node behind it. */
  private Graph slow() {
    return graph()
        .node(
            "slow",
            state -> Flux.<NodeOutput>just(new Chunk("a"), new Chunk("b"), Update.append(LOG, "ab"))
                .doOnNext(any -> clock.pass(MINUTE)))
        .compute("next", state -> Update.of(COUNT, 1))
        .sequence(START, "slow", "next", END)
        .build();
  }

  private GraphThread thread(Graph graph) {
    return GraphRunner.builder(graph)
        .checkpoints(store)
        .events(log)
        .clock(clock)
        .timer(timer)
        .build()
        .thread("t");
  }

  private List<GraphEvent> logged() {
    return Flux.from(log.read("t", 0, Schemas.NONE)).collectList().block(PATIENCE);
  }

  private static List<GraphEvent> events(Flux<GraphEvent> events) {
    return events.collectList().block(PATIENCE);
  }

  private static <T extends GraphEvent> T only(Class<T> kind, int step, List<GraphEvent> events) {
    List<T> found = events.stream()
        .filter(event -> kind.isInstance(event) && event.step() == step)
        .map(kind::cast)
        .toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static List<GraphEvent> facts(List<GraphEvent> events) {
    return events.stream().filter(event -> !(event instanceof Provisional)).toList();
  }

  private static Instant minute(int count) {
    return T0.plus(MINUTE.multipliedBy(count));
  }

  @Test
  @DisplayName("E19 a chunk has the time at which it was emitted, all else that of its step")
  void chunksHaveTheirOwnTime() {
    List<GraphEvent> events =
        events(GraphRunner.builder(slow()).clock(clock).build().stream(Update.NOTHING));

    assertThat(events)
        .filteredOn(TaskChunk.class::isInstance)
        .extracting(GraphEvent::time)
        .containsExactly(minute(1), minute(2));
    assertThat(events)
        .filteredOn(event -> event.step() == 1 && !(event instanceof TaskChunk))
        .hasSize(5)
        .extracting(GraphEvent::time)
        .containsOnly(T0);
    assertThat(events)
        .filteredOn(event -> event.step() == 2 && !(event instanceof RunCompleted))
        .extracting(GraphEvent::time)
        .containsOnly(minute(3));
    assertThat(events).extracting(GraphEvent::appended).containsOnlyNulls();
  }

  @Test
  @DisplayName("E19 a chunk of a nested graph has the time at which it was emitted")
  void nestedChunks() {
    Graph outer =
        graph().subgraph("inner", slow()).sequence(START, "inner", END).build();

    List<GraphEvent> events =
        events(GraphRunner.builder(outer).clock(clock).build().stream(Update.NOTHING));

    assertThat(events)
        .filteredOn(TaskChunk.class::isInstance)
        .extracting(GraphEvent::path, GraphEvent::time)
        .containsExactly(tuple("inner/", minute(1)), tuple("inner/", minute(2)));
  }

  @Test
  @DisplayName("E19 a chunk keeps the time at which it was emitted, however late it is delivered")
  void undeliveredChunks() {
    List<GraphEvent> events = new ArrayList<>();

    StepVerifier.create(GraphRunner.builder(slow()).clock(clock).build().stream(Update.NOTHING), 3)
        .recordWith(() -> events)
        .expectNextCount(3)
        .thenRequest(1)
        .expectNextCount(1)
        .then(() -> clock.pass(Duration.ofDays(1)))
        .thenRequest(Long.MAX_VALUE)
        .thenConsumeWhile(any -> true)
        .verifyComplete();

    assertThat(only(TaskStarted.class, 1, events).time()).isEqualTo(T0);
    assertThat(events)
        .filteredOn(TaskChunk.class::isInstance)
        .first()
        .extracting(GraphEvent::time)
        .isEqualTo(minute(1));
  }

  @Test
  @DisplayName("X.19 a follower sees when a fact of a long step was appended")
  void factsHaveTheTimeOfTheirAppend() {
    Sinks.Many<NodeOutput> speaker = Sinks.many().unicast().onBackpressureBuffer();
    Graph graph = graph()
        .node("slow", state -> speaker.asFlux())
        .compute("next", state -> Update.of(COUNT, 1))
        .sequence(START, "slow", "next", END)
        .build();
    List<GraphEvent> delivered = new ArrayList<>();
    thread(graph).stream(Update.NOTHING).subscribe(delivered::add);
    for (NodeOutput output : List.of(new Chunk("a"), new Chunk("b"), Update.append(LOG, "ab"))) {
      clock.pass(MINUTE);
      speaker.emitNext(output, Sinks.EmitFailureHandler.FAIL_FAST);
    }
    speaker.emitComplete(Sinks.EmitFailureHandler.FAIL_FAST);

    List<GraphEvent> logged = logged();
    assertThat(logged).last().isInstanceOf(RunCompleted.class);
    TaskStarted started = only(TaskStarted.class, 1, logged);
    TaskCompleted completed = only(TaskCompleted.class, 1, logged);
    assertThat(started.appended()).isEqualTo(T0);
    assertThat(completed.time()).isEqualTo(T0);
    assertThat(completed.appended()).isEqualTo(minute(3));
    assertThat(only(StepCommitted.class, 1, logged).appended()).isEqualTo(minute(3));
    assertThat(logged).extracting(GraphEvent::appended).doesNotContainNull();
    assertThat(facts(delivered)).isEqualTo(logged);
    assertThat(delivered)
        .filteredOn(Provisional.class::isInstance)
        .hasSize(4)
        .extracting(GraphEvent::appended)
        .containsOnlyNulls();
    assertThat(only(TaskUpdated.class, 1, delivered).time()).isEqualTo(T0);
  }

  @Test
  @DisplayName("X.19 facts that are stored before they are delivered have the time of their append")
  void storedAhead() {
    List<GraphEvent> delivered = new ArrayList<>();

    StepVerifier.create(thread(counting(1)).stream(Update.NOTHING), 4)
        .recordWith(() -> delivered)
        .expectNextCount(4)
        .then(() -> clock.pass(MINUTE))
        .then(() -> timer.advanceTimeBy(Hold.LEASE.dividedBy(3)))
        .then(() -> assertThat(logged()).hasSizeGreaterThan(4))
        .then(() -> clock.pass(MINUTE))
        .thenRequest(Long.MAX_VALUE)
        .thenConsumeWhile(any -> true)
        .expectComplete()
        .verify(PATIENCE);

    List<GraphEvent> facts = facts(delivered);
    assertThat(facts).isEqualTo(logged());
    assertThat(facts.subList(0, 4)).extracting(GraphEvent::appended).containsOnly(T0);
    assertThat(facts.subList(4, facts.size()))
        .isNotEmpty()
        .extracting(GraphEvent::appended)
        .containsOnly(minute(1));
  }

  @Test
  @DisplayName("X.19 the failure of a run has the time of its step, and that of its append")
  void failures() {
    Sinks.Many<NodeOutput> speaker = Sinks.many().unicast().onBackpressureBuffer();
    Sinks.One<Update> other = Sinks.one();
    Graph graph = graph()
        .node("speaker", state -> speaker.asFlux())
        .node("other", state -> other.asMono())
        .edge(START, "speaker")
        .edge(START, "other")
        .edge("speaker", END)
        .edge("other", END)
        .build();
    CheckpointStore full = new StoreAround(store) {
      @Override
      public Publisher<Void> record(
          Lease lease, CheckpointId head, List<TaskNote> notes, Schemas schemas) {
        return Mono.error(new IllegalStateException("The store is full."));
      }
    };
    List<GraphEvent> delivered = new ArrayList<>();
    GraphRunner.builder(graph)
        .checkpoints(full)
        .events(log)
        .clock(clock)
        .timer(timer)
        .build()
        .thread("t")
        .stream(Update.NOTHING)
        .onErrorComplete()
        .subscribe(delivered::add);
    clock.pass(MINUTE);
    speaker.emitNext(new Chunk("a"), Sinks.EmitFailureHandler.FAIL_FAST);
    clock.pass(MINUTE);
    other.emitValue(Update.NOTHING, Sinks.EmitFailureHandler.FAIL_FAST);

    assertThat(only(TaskChunk.class, 1, delivered).time()).isEqualTo(minute(1));
    RunFailed failed = only(RunFailed.class, 1, logged());
    assertThat(failed.time()).isEqualTo(T0);
    assertThat(failed.appended()).isEqualTo(minute(2));
  }

  @Test
  @DisplayName("X.19 facts that another process appends have the time of their append")
  void appendedLater() {
    GraphRunner.builder(counting(1))
        .checkpoints(store)
        .clock(clock)
        .build()
        .thread("t")
        .run(Update.NOTHING)
        .block(PATIENCE);
    clock.pass(MINUTE);

    thread(counting(1)).update(Update.of(COUNT, 1), "ada", null).block(PATIENCE);

    ThreadUpdated whole = only(ThreadUpdated.class, 1, logged().subList(0, 2));
    assertThat(whole.time()).isEqualTo(T0);
    assertThat(logged()).extracting(GraphEvent::appended).containsOnly(minute(1));
    assertThat(logged().get(logged().size() - 1).time()).isEqualTo(minute(1));
  }

  @Test
  @DisplayName("X.19 the snapshot that a follower begins with is in no log")
  void snapshots() {
    thread(slow()).run(Update.NOTHING).block(PATIENCE);

    thread(slow()).prune(Retention.last(1)).block(PATIENCE);

    for (int cursor : new int[] {0, 3, logged().size()}) {
      GraphEvent first = thread(slow()).attachWithState(cursor, Chunks.NONE).blockFirst(PATIENCE);

      assertThat(first).isInstanceOf(StateSnapshot.class);
      assertThat(first.appended()).isNull();
    }
  }

  /** A clock that counts how often it is read. */
  private static final class CountingClock implements InstantSource {

    private final AtomicInteger reads = new AtomicInteger();

    @Override
    public Instant instant() {
      reads.incrementAndGet();
      return T0;
    }
  }

  /** How often the clock is read by a run of so many steps. */
  private static int reads(int steps, boolean isHeard) {
    return reads(counting(steps), isHeard);
  }

  private static int reads(Graph graph, boolean isHeard) {
    CountingClock clock = new CountingClock();
    GraphRunner runner = GraphRunner.builder(graph).clock(clock).build();
    Flux.from(isHeard ? runner.stream(Update.NOTHING) : runner.run(Update.NOTHING))
        .blockLast(PATIENCE);
    return clock.reads.get();
  }

  /** How often the clock is read by a run of so many steps on a thread. */
  private static int readsOfThread(int steps, boolean isHeard, @Nullable EventLog log) {
    CountingClock clock = new CountingClock();
    GraphRunner.Builder builder = GraphRunner.builder(counting(steps))
        .checkpoints(new InMemoryCheckpointStore())
        .clock(clock);
    GraphThread thread = (log == null ? builder : builder.events(log)).build().thread("t");
    Flux.from(isHeard ? thread.stream(Update.NOTHING) : thread.run(Update.NOTHING))
        .blockLast(PATIENCE);
    return clock.reads.get();
  }

  @Test
  @DisplayName("E19 the clock is read once per step, and once per chunk that is streamed")
  void readsOfTheClock() {
    assertThat(reads(1, true)).isEqualTo(2);
    assertThat(reads(11, true)).isEqualTo(12);
    assertThat(reads(11, false)).isEqualTo(1);
    assertThat(readsOfThread(1, true, null)).isEqualTo(3);
    assertThat(readsOfThread(11, true, null)).isEqualTo(13);
    assertThat(readsOfThread(11, false, null)).isEqualTo(13);

    Graph speaking = graph()
        .node("speak", state -> Flux.range(0, 7).map(Chunk::new))
        .sequence(START, "speak", END)
        .build();
    assertThat(reads(speaking, true)).isEqualTo(2 + 7);
    assertThat(reads(speaking, false)).isEqualTo(1);
  }

  @Test
  @DisplayName("X.19 the clock is read once per append of facts, and not for provisional events")
  void readsPerAppend() {
    AtomicInteger appends = new AtomicInteger();
    EventLog counting = new FaultyLog(log) {
      @Override
      public Publisher<Void> append(
          String thread, long fence, List<GraphEvent> events, Schemas schemas) {
        appends.addAndGet(facts(events).isEmpty() ? 0 : 1);
        return super.append(thread, fence, events, schemas);
      }
    };

    int reads = readsOfThread(11, true, counting);

    assertThat(appends).hasPositiveValue();
    assertThat(reads).isEqualTo(13 + appends.get());
  }
}
