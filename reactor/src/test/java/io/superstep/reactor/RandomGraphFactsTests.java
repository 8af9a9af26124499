package io.superstep.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.CheckpointSaved;
import io.superstep.event.GraphEvent.HeadMoved;
import io.superstep.graph.Graph;
import io.superstep.json.EventJson;
import io.superstep.state.Update;
import io.superstep.testkit.EncodingEventLog;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import io.superstep.testkit.JsonStateFold;
import io.superstep.testkit.MovingClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The facts of random graphs in processes that die lead to the stored state, fact by fact. */
class RandomGraphFactsTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final List<Durability> MODES = List.of(Durability.values());

  /** The number of processes that may die. */
  private static final int DEATHS = 4;

  /** One thread of a random graph, with processes that die at random. */
  private static final class Trial {

    private final MovingClock clock = new MovingClock(Instant.EPOCH);
    private final CheckpointStore store =
        InMemoryCheckpointStore.builder().clock(clock).build();
    private final EventLog log = new EncodingEventLog(InMemoryEventLog.builder().build());
    private final Random random;
    private final RandomGraph graph;
    private final StringBuilder story = new StringBuilder();

    Trial(long seed) {
      random = new Random(seed);
      graph = new RandomGraph(random);
    }

    @Override
    public String toString() {
      return "graph:" + graph + "; processes:" + story;
    }

    private GraphThread thread(CheckpointStore over, EventLog kept) {
      return GraphRunner.builder(graph.graph())
          .checkpoints(over)
          .events(kept)
          .clock(clock)
          .build()
          .thread("t");
    }

    private @Nullable SavedThread saved() {
      return thread(store, log).state().block(PATIENCE);
    }

    void run() {
      for (int turn = 0; turn < 2; turn++) {
        RunOptions options = RunOptions.NONE.durability(MODES.get(random.nextInt(MODES.size())));
        for (int process = 0; !isDone(turn); process++) {
          act(options, process < DEATHS, turn);
          verify(false);
          assertThat(process).isLessThan(DEATHS + 50);
        }
        thread(store, log)
            .update(Update.of(RandomGraph.NOTE, "edit"), "ada", null)
            .block(PATIENCE);
        verify(true);
      }
    }

    /** Whether the thread has run to its end after its input number {@code turn}, from 0. */
    private boolean isDone(int turn) {
      SavedThread saved = saved();
      return saved != null && saved.position().isFinished() && inputs() > turn;
    }

    private long inputs() {
      return thread(store, log)
          .history()
          .filter(checkpoint -> checkpoint.cause().kind() == Cause.Kind.INPUT)
          .count()
          .block(PATIENCE);
    }

    private void act(RunOptions options, boolean mayDie, int turn) {
      FaultyLog dyingLog = new FaultyLog(log);
      int death = mayDie ? random.nextInt(3) : 2;
      if (death == 0) {
        int calls = random.nextInt(20);
        dyingLog.dieAfter(calls);
        story.append(" log@").append(calls);
      }
      Fault fault = random.nextBoolean() ? Fault.DIE_BEFORE : Fault.DIE_AFTER;
      int at = death == 1 ? 2 + random.nextInt(20) : Integer.MAX_VALUE;
      story.append(death == 1 ? " " + fault + "@" + at : death == 2 ? " lives" : "");
      FaultyStore dyingStore = new FaultyStore(store, fault, at);
      work(thread(dyingStore, dyingLog), options, turn)
          .takeUntilOther(Mono.firstWithSignal(dyingLog.struck(), dyingStore.struck()))
          .blockLast(PATIENCE);
      clock.pass(Hold.LEASE.plusSeconds(1));
    }

    private Flux<GraphEvent> work(GraphThread thread, RunOptions options, int turn) {
      SavedThread saved = saved();
      if (saved == null || saved.position().isFinished()) {
        return thread.stream(Update.append(RandomGraph.LOG, "input " + turn), options);
      }
      Map<String, Object> answers = saved.questions().stream()
          .collect(Collectors.toMap(TaskNote.Asked::id, asked -> random.nextBoolean()));
      return thread.resume(answers.isEmpty() ? Resume.GO_ON : Resume.answers(answers), options);
    }

    private List<GraphEvent> facts() {
      return Flux.from(log.read("t", 0, graph.graph().schemas())).collectList().block(PATIENCE);
    }

    /**
     * Folds the facts, and compares the state after each with the stored checkpoint.
     *
     * @param isWhole whether the last fact belongs to the head
     */
    private void verify(boolean isWhole) {
      GraphThread thread = thread(store, log);
      Graph sample = graph.graph();
      EventJson texts = EventJson.of(sample);
      FactFold fold = new FactFold(sample.schema().start());
      JsonStateFold json = new JsonStateFold();
      for (GraphEvent event : facts()) {
        String text = texts.text(event);
        assertThat(text).doesNotContain(RandomGraph.HIDDEN);
        fold.add(event);
        json.add(text);
        if (event instanceof CheckpointSaved saved) {
          assertThat(thread.state(saved.checkpoint()).block(PATIENCE)).isNotNull();
        } else if (event instanceof HeadMoved && event.path().isEmpty()) {
          SavedThread stored = thread.state(fold.checkpoint()).block(PATIENCE);
          if (stored != null) { // else an asynchronous step that is not saved, or was lost
            verify(stored, fold, json);
          }
        }
      }
      if (isWhole) {
        assertThat(fold.checkpoint()).isEqualTo(saved().checkpoint().id());
      }
    }

    private static void verify(SavedThread stored, FactFold fold, JsonStateFold json) {
      Map<String, @Nullable Object> values = FactFold.stored(stored.position().state());
      assertThat(fold.values()).isEqualTo(values);
      values.keySet().retainAll(RandomGraph.VISIBLE);
      assertThat(json.state()).isEqualTo(JsonStateFold.of(values));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  @DisplayName("X.19 X.23 random graphs in processes that die: each fact leads to a stored state")
  void random(long seed) {
    for (int round = 0; round < 12; round++) {
      long own = seed * 1_000 + round;
      Trial trial = new Trial(own);
      try {
        trial.run();
      } catch (RuntimeException | AssertionError failure) {
        throw new AssertionError("seed " + own + ": " + trial, failure);
      }
    }
  }
}
