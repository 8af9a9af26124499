package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.SavedThread;
import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.HeadMoved;
import io.superstep.event.GraphEvent.RunResumed;
import io.superstep.event.GraphEvent.RunStarted;
import io.superstep.event.GraphEvent.StateSnapshot;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.ThreadUpdated;
import io.superstep.event.Moment;
import io.superstep.graph.Graph;
import io.superstep.json.EventJson;
import io.superstep.message.Message;
import io.superstep.state.Changes;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.testkit.EncodingEventLog;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import io.superstep.testkit.JsonStateFold;
import io.superstep.testkit.MovingClock;
import io.superstep.testkit.StoreAround;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A follower that folds the facts of a thread reconstructs its stored state. */
class FactFoldTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final List<Durability> MODES = List.of(Durability.values());

  private static final ListChannel<String> LOG = Channel.list("log", String.class);
  private static final Channel<Integer> SUM = Channel.sum("sum", Integer.class);
  private static final Channel<String> NOTE = Channel.value("note", String.class);
  private static final Channel<Integer> ROUND =
      Channel.value("round", Integer.class).startingAt(0);
  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  private static final Channel<String> TEXT = Channel.text("text");
  private static final Channel<Set<String>> SET = Channel.set("set", String.class);
  private static final Channel<Map<String, Integer>> MAP =
      Channel.map("map", String.class, Integer.class);
  private static final Channel<Map<String, Object>> DEEP = Channel.deepMap("deep");
  private static final Channel<String> EPHEMERAL =
      Channel.value("ephemeral", String.class).ephemeral();
  private static final ListChannel<String> EPHEMERALS =
      Channel.list("ephemerals", String.class).ephemeral();
  private static final Channel<String> PASSING =
      Channel.value("passing", String.class).runtimeOnly();

  private final MovingClock clock = new MovingClock(Instant.EPOCH);
  private InMemoryCheckpointStore store;
  private EventLog log;

  @BeforeEach
  void fresh() {
    store = InMemoryCheckpointStore.builder().clock(clock).build();
    log = new EncodingEventLog(InMemoryEventLog.builder().build());
  }

  /** Three rounds of a node that writes to each channel. */
  private static Graph graph() {
    return Graph.builder("rounds")
        .channels(
            LOG, SUM, NOTE, ROUND, MESSAGES, TEXT, SET, MAP, DEEP, EPHEMERAL, EPHEMERALS, PASSING)
        .compute("tick", state -> tick(state.get(ROUND)))
        .edge(START, "tick")
        .route("tick", to("tick", END), state -> state.get(ROUND) % 3 == 0 ? END : "tick")
        .build();
  }

  /** Writes to the ephemeral channels in every other round; ids of messages are repeated. */
  private static Update tick(int round) {
    List<Update> updates = new ArrayList<>(List.of(
        Update.append(LOG, "round " + round),
        Update.of(SUM, 2),
        Update.append(MESSAGES, Message.ai("message " + round).withId("id-" + round % 4)),
        Update.of(TEXT, "t" + round),
        Update.of(SET, Set.of("s" + round % 4)),
        Update.of(MAP, Map.of("k" + round % 3, round)),
        Update.of(DEEP, Map.of("in", Map.of("k" + round % 3, "v" + round))),
        Update.of(PASSING, "gone"),
        Update.of(ROUND, round + 1)));
    if (round % 2 == 0) {
      updates.add(Update.of(EPHEMERAL, "e" + round));
      updates.add(Update.append(EPHEMERALS, "l" + round));
    }
    return Update.all(updates);
  }

  /** Returns a runner whose leases are not renewed: a dead process renews none, however slow. */
  private GraphRunner runner(CheckpointStore over, EventLog kept) {
    return GraphRunner.builder(graph())
        .checkpoints(over)
        .events(kept)
        .clock(clock)
        .timer(VirtualTimeScheduler.create())
        .build();
  }

  private GraphThread thread() {
    return runner(store, log).thread("t");
  }

  private static Update input(String text) {
    return Update.append(LOG, text)
        .and(Update.of(NOTE, text))
        .and(Update.append(MESSAGES, Message.human(text)));
  }

  private List<GraphEvent> facts() {
    return Flux.from(log.read("t", 0, graph().schemas())).collectList().block(PATIENCE);
  }

  private SavedThread saved() {
    return thread().state().block(PATIENCE);
  }

  /** Folds the facts and the JSON of the facts, and compares both with the store. */
  private void verify(List<? extends GraphEvent> events) {
    SavedThread saved = saved();
    FactFold fold = new FactFold(graph().schema().start());
    JsonStateFold json = new JsonStateFold();
    JsonStateFold stored = new JsonStateFold();
    EventJson texts = EventJson.of(graph());
    for (GraphEvent event : events) {
      fold.add(event);
      json.add(texts.text(event));
    }
    assertThat(fold.checkpoint()).isEqualTo(saved.checkpoint().id());
    assertThat(fold.values()).isEqualTo(FactFold.stored(saved.position().state()));
    stored.add(texts.text(new StateSnapshot(
        new Moment("", 0, Instant.EPOCH),
        0,
        saved.checkpoint().id(),
        saved.position().state())));
    assertThat(json.state()).isEqualTo(stored.state());
  }

  @Test
  @DisplayName("X.19 run-started carries the input, its checkpoint and its parent")
  void input() {
    thread().run(input("one")).block(PATIENCE);
    thread().run(input("two")).block(PATIENCE);

    List<Checkpoint> inputs = thread()
        .history()
        .filter(checkpoint -> checkpoint.cause().kind() == Cause.Kind.INPUT)
        .collectList()
        .block(PATIENCE);
    List<RunStarted> started = facts().stream()
        .filter(RunStarted.class::isInstance)
        .map(RunStarted.class::cast)
        .toList();
    assertThat(started).hasSize(2);
    assertThat(started.get(0).parent()).isNull();
    assertThat(started.get(1).parent()).isEqualTo(inputs.get(0).parent());
    assertThat(started.get(1).checkpoint()).isEqualTo(inputs.get(0).id());
    assertThat(started.get(1).changes()).isEqualTo(inputs.get(0).changes());
    verify(facts());
  }

  @Test
  @DisplayName("X.19 updates from outside, forks, merges and copies are facts with their deltas")
  void everyCause() {
    thread().run(input("one")).block(PATIENCE);
    verify(facts());
    CheckpointId left = saved().checkpoint().id();
    thread().update(Update.append(LOG, "edited"), "ada", "typo").block(PATIENCE);
    verify(facts());
    CheckpointId branch = saved().checkpoint().id();
    thread().fork(left, Update.of(NOTE, "forked")).blockLast(PATIENCE);
    verify(facts());
    thread().merge(branch, "bob", null).block(PATIENCE);
    verify(facts());
    thread().updateAs("tick", Update.of(SUM, 1), "ada", null).block(PATIENCE);
    verify(facts());

    assertThat(facts())
        .filteredOn(ThreadUpdated.class::isInstance)
        .extracting(fact -> ((ThreadUpdated) fact).cause().kind())
        .containsExactly(Cause.Kind.UPDATE, Cause.Kind.FORK, Cause.Kind.MERGE, Cause.Kind.UPDATE);
    assertThat(facts())
        .filteredOn(fact -> fact instanceof ThreadUpdated moved && moved.rebase() != null)
        .singleElement()
        .satisfies(
            fact -> assertThat(((ThreadUpdated) fact).rebase().previous()).isEqualTo(branch));

    thread().copyTo("copy", left, "ada", null).block(PATIENCE);
    ThreadUpdated copied =
        (ThreadUpdated) Flux.from(log.read("copy", 0, graph().schemas())).blockFirst(PATIENCE);
    assertThat(copied.cause().kind()).isEqualTo(Cause.Kind.COPY);
    assertThat(copied.parent()).isNull();
  }

  @Test
  @DisplayName("X.23 a crash between the commit of an input and its fact loses no fact")
  void crashBeforeTheFirstFact() {
    FaultyLog dying = new FaultyLog(log);
    dying.dieAt(RunStarted.class::isInstance);
    runner(store, dying).thread("t").start(input("one")).onErrorComplete().subscribe();
    dying.struck().block(PATIENCE);
    assertThat(facts()).isEmpty();
    clock.pass(Hold.LEASE.plusSeconds(1));

    thread().resume().blockLast(PATIENCE);

    assertThat(facts().get(0)).isInstanceOf(RunStarted.class);
    verify(facts());
  }

  @Test
  @DisplayName("X.23 steps that an asynchronous store lost are taken back by a fact")
  void lostSteps() {
    thread().run(input("one")).block(PATIENCE);
    CheckpointId last = saved().checkpoint().id();
    FaultyStore dying = new FaultyStore(store, Fault.DIE_BEFORE, 4);
    runner(dying, log).thread("t").stream(
            input("two"), RunOptions.NONE.durability(Durability.ASYNC))
        .onErrorComplete()
        .subscribe();
    dying.struck().block(PATIENCE);
    List<GraphEvent> before = facts();
    assertThat(before)
        .filteredOn(fact -> fact instanceof HeadMoved moved
            && moved.checkpoint().sequence() > saved().checkpoint().id().sequence())
        .isNotEmpty();
    clock.pass(Hold.LEASE.plusSeconds(1));

    thread().run(input("three"), RunOptions.NONE.discardUnfinished(true)).block(PATIENCE);

    assertThat(facts().get(before.size())).isInstanceOfSatisfying(ThreadUpdated.class, restored -> {
      assertThat(restored.checkpoint().sequence()).isGreaterThanOrEqualTo(last.sequence());
      assertThat(restored.rebase()).isNotNull();
    });
    verify(facts());
  }

  @Test
  @DisplayName("X.19 a follower begins with the state at its cursor, wherever that is")
  void snapshot() {
    thread().run(input("one")).block(PATIENCE);
    CheckpointId left = saved().checkpoint().id();
    thread().run(input("two")).block(PATIENCE);
    thread().fork(left, Update.of(NOTE, "forked")).blockLast(PATIENCE);
    long end = facts().size();
    FactFold fold = new FactFold(graph().schema().start());
    for (long cursor = 0; cursor <= end; cursor++) {
      if (cursor > 0) {
        fold.add(facts().get((int) cursor - 1));
      }
      List<GraphEvent> events = thread()
          .attachWithState(cursor, Chunks.NONE)
          .take(end - cursor + 1)
          .collectList()
          .block(PATIENCE);

      assertThat(events.get(0)).isInstanceOfSatisfying(StateSnapshot.class, snapshot -> {
        assertThat(FactFold.stored(snapshot.state())).isEqualTo(fold.values());
        assertThat(snapshot.checkpoint()).isEqualTo(fold.checkpoint());
      });
      verify(events);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("X.19 a follower that begins during a run starts with the announced state")
  void duringARun(Durability durability) {
    Sinks.Empty<Void> gate = Sinks.empty();
    AtomicInteger commits = new AtomicInteger();
    CheckpointStore slow = new StoreAround(store) {
      @Override
      public Publisher<Void> commit(Lease lease, Commit commit, Schemas schemas) {
        Mono<Void> write = Mono.from(super.commit(lease, commit, schemas));
        return Mono.defer(
            () -> commits.incrementAndGet() == 1 ? write : gate.asMono().then(write));
      }
    };
    GraphThread thread = runner(slow, log).thread("t");
    Mono<RunResult> run =
        thread.run(input("one"), RunOptions.NONE.durability(durability)).cache();
    run.subscribe();
    Mono<List<GraphEvent>> followed = thread
        .attachWithState(facts().size(), Chunks.NONE)
        .takeUntil(GraphEvent.RunCompleted.class::isInstance)
        .collectList()
        .cache();
    followed.subscribe();

    gate.tryEmitEmpty();

    run.block(PATIENCE);
    verify(followed.block(PATIENCE));
  }

  @ParameterizedTest(name = "trimmed: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("X.19 a step that was announced long before the cursor, and not stored, is found")
  void longBeforeTheCursor(boolean isTrimmed) {
    thread().run(input("one")).block(PATIENCE);
    long end = facts().size();
    Moment moment = facts().get(0).moment();
    SavedThread saved = saved();
    CheckpointId stored = saved.checkpoint().id();
    CheckpointId ahead = CheckpointId.after(stored, stored.fence());
    Changes none = new Changes(Map.of());
    List<GraphEvent> facts = new ArrayList<>();
    facts.add(
        new StepCommitted(moment, end + 1, ahead, stored, none, saved.position().state()));
    for (long number = end + 2; number <= end + 300; number++) {
      facts.add(new RunResumed(moment, number));
    }
    Mono.from(log.append("t", 99, facts, graph().schemas())).block(PATIENCE);
    if (isTrimmed) {
      Mono.from(log.trim("t", end + 1)).block(PATIENCE);
    }

    GraphEvent first = thread().attachWithState(end + 300, Chunks.NONE).blockFirst(PATIENCE);

    assertThat(first).isInstanceOfSatisfying(StateSnapshot.class, snapshot -> {
      assertThat(snapshot.checkpoint()).isEqualTo(ahead);
      assertThat(snapshot.sequence()).isEqualTo(end + 300);
      assertThat(FactFold.stored(snapshot.state()))
          .isEqualTo(FactFold.stored(saved.position().state()));
    });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5})
  @DisplayName("X.19 also after checkpoints were pruned")
  void afterPruning(int kept) {
    thread().run(input("one")).block(PATIENCE);
    CheckpointId left = saved().checkpoint().id();
    thread().run(input("two")).block(PATIENCE);
    thread().fork(left, Update.of(NOTE, "forked")).blockLast(PATIENCE);
    thread().run(input("three")).block(PATIENCE);
    assertThat(thread().prune(Retention.last(kept)).block(PATIENCE)).isPositive();
    long end = facts().size();

    for (long cursor = 0; cursor <= end; cursor++) {
      verify(thread()
          .attachWithState(cursor, Chunks.NONE)
          .take(end - cursor + 1)
          .collectList()
          .block(PATIENCE));
    }
  }

  @Test
  @DisplayName("X.19 after a trim a follower begins with the state at the first fact that is left")
  void afterATrim() {
    thread().run(input("one")).block(PATIENCE);
    thread().run(input("two")).block(PATIENCE);
    long end = facts().size();
    for (long first = 2; first <= end + 1; first++) {
      Mono.from(log.trim("t", first)).block(PATIENCE);
      List<GraphEvent> events = thread()
          .attachWithState(first - 1, Chunks.NONE)
          .take(end - first + 2)
          .collectList()
          .block(PATIENCE);

      verify(events);
    }
    thread().run(input("three")).block(PATIENCE);
    verify(thread()
        .attachWithState(end, Chunks.NONE)
        .takeUntil(GraphEvent.RunCompleted.class::isInstance)
        .collectList()
        .block(PATIENCE));
  }

  @Test
  @DisplayName("X.19 after all facts were trimmed none is appended again, but for the head")
  void allTrimmed() {
    Stop stop = new Stop();
    stop.request();
    thread().run(input("one"), RunOptions.NONE.stoppedBy(stop)).block(PATIENCE);
    CheckpointId head = saved().checkpoint().id();
    long end = facts().size();
    Mono.from(log.trim("t", end + 1)).block(PATIENCE);

    thread().update(Update.of(NOTE, "edited"), "ada", null).block(PATIENCE);

    List<GraphEvent> appended =
        Flux.from(log.read("t", end, graph().schemas())).collectList().block(PATIENCE);
    assertThat(appended)
        .filteredOn(fact -> !(fact instanceof GraphEvent.CheckpointSaved))
        .hasSize(2)
        .hasOnlyElementsOfType(ThreadUpdated.class);
    assertThat(((ThreadUpdated) appended.get(0)).checkpoint()).isEqualTo(head);
    verify(appended);
  }

  @Test
  @DisplayName("X.19 a fact of the log that names no checkpoint does not move the head")
  void factWithoutCheckpoint() {
    thread().run(input("one")).block(PATIENCE);
    List<GraphEvent> before = facts();
    State other = graph().schema().start();
    GraphEvent fact = new StepCommitted(
        before.get(0).moment(), before.size() + 1, null, null, Changes.whole(other), other);
    Mono.from(log.append("t", 99, List.of(fact), graph().schemas())).block(PATIENCE);

    GraphEvent first = thread().attachWithState(before.size(), Chunks.NONE).blockFirst(PATIENCE);

    assertThat(first).isInstanceOfSatisfying(StateSnapshot.class, snapshot -> {
      assertThat(snapshot.checkpoint()).isEqualTo(saved().checkpoint().id());
      assertThat(snapshot.state()).isEqualTo(saved().position().state());
    });
    verify(thread()
        .attachWithState(before.size(), Chunks.NONE)
        .take(2)
        .collectList()
        .block(PATIENCE));
  }

  @Test
  @DisplayName("X.19 a log that is added to a thread begins with the whole state")
  void newLog() {
    runner(store, new InMemoryEventLog()).thread("t").run(input("one")).block(PATIENCE);

    thread().run(input("two")).block(PATIENCE);

    verify(facts());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  @DisplayName(
      "X.19 X.23 random turns, edits, forks and crashes: the facts lead to the stored state")
  void random(long seed) {
    for (int round = 0; round < 25; round++) {
      fresh();
      Random random = new Random(seed * 1_000 + round);
      for (int action = 0; action < 8; action++) {
        act(random);
      }
      thread().update(Update.append(LOG, "end"), "ada", null).onErrorComplete().block(PATIENCE);
      if (Boolean.TRUE.equals(thread().state().hasElement().block(PATIENCE))) {
        verify(facts());
        long cursor = random.nextInt(facts().size() + 1);
        verify(thread()
            .attachWithState(cursor, Chunks.NONE)
            .take(facts().size() - cursor + 1)
            .collectList()
            .block(PATIENCE));
      }
    }
  }

  /** Does one thing, perhaps in a process that dies at it. */
  private void act(Random random) {
    FaultyLog dyingLog = new FaultyLog(log);
    Fault fault = random.nextBoolean() ? Fault.DIE_BEFORE : Fault.DIE_AFTER;
    int death = random.nextInt(4);
    if (death == 0) {
      dyingLog.dieAfter(random.nextInt(12));
    }
    FaultyStore dyingStore =
        new FaultyStore(store, fault, death == 1 ? 2 + random.nextInt(9) : Integer.MAX_VALUE);
    Durability durability = MODES.get(random.nextInt(MODES.size()));
    RunOptions options = RunOptions.NONE.durability(durability).discardUnfinished(true);
    GraphThread thread = runner(dyingStore, dyingLog).thread("t");
    List<Checkpoint> history = thread().history().collectList().block(PATIENCE);
    CheckpointId some =
        history.isEmpty() ? null : history.get(random.nextInt(history.size())).id();
    Flux<?> work = switch (some == null ? 0 : random.nextInt(5)) {
      case 0 -> thread.stream(input("input " + random.nextInt(99)), options);
      case 1 -> thread.resume(Resume.GO_ON, options);
      case 2 -> thread.update(Update.append(LOG, "edit"), "ada", null).flux();
      case 3 -> thread.fork(some, Update.of(SUM, 1), "ada", null, options);
      default -> thread.merge(some, "ada", null).flux();
    };
    work.onErrorComplete()
        .takeUntilOther(Mono.firstWithSignal(dyingLog.struck(), dyingStore.struck()))
        .blockLast(PATIENCE);
    clock.pass(Hold.LEASE.plusSeconds(1));
  }
}
