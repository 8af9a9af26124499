package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.counting;
import static io.superstep.reactor.Graphs.graph;
import static io.superstep.reactor.Graphs.parallel;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.UnfinishedThreadException;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Chunk;
import io.superstep.graph.ContextualAction;
import io.superstep.graph.Graph;
import io.superstep.graph.NodeAction;
import io.superstep.graph.RunKey;
import io.superstep.state.Update;
import io.superstep.step.StepLimitException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class CallOptionsTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final RunKey<String> USER = RunKey.of("user", String.class);
  private static final RunKey<String> TENANT = RunKey.of("tenant", String.class);

  /** What a node sees of the options of its run. */
  private record Seen(
      int steps, String user, String tenant, boolean isStopped, boolean isWrittenAtOnce) {}

  /** A way to begin a run. */
  enum Entry {
    RUN(false, true) {
      @Override
      Publisher<?> begin(GraphRunner runner, RunOptions call) {
        return runner.run(Update.NOTHING, call);
      }
    },
    STREAM(false, true) {
      @Override
      Publisher<?> begin(GraphRunner runner, RunOptions call) {
        return runner.stream(Update.NOTHING, call);
      }
    },
    RUN_ALL(false, true) {
      @Override
      Publisher<?> begin(GraphRunner runner, RunOptions call) {
        return runner.runAll(Flux.just(Update.NOTHING), 1, call);
      }
    },
    RESUME_POSITION(true, true) {
      @Override
      Publisher<?> begin(GraphRunner runner, RunOptions call) {
        return thread(runner).state().flatMapMany(saved -> runner.resume(saved.position(), call));
      }
    },
    THREAD_RUN(false, true) {
      @Override
      Publisher<?> begin(GraphRunner runner, RunOptions call) {
        return thread(runner).run(Update.NOTHING, call);
      }
    },
    THREAD_STREAM(false, true) {
      @Override
      Publisher<?> begin(GraphRunner runner, RunOptions call) {
        return thread(runner).stream(Update.NOTHING, call);
      }
    },
    RESUME(true, true) {
      @Override
      Publisher<?> begin(GraphRunner runner, RunOptions call) {
        return thread(runner).resume(Resume.GO_ON, call);
      }
    },
    FORK(true, true) {
      @Override
      Publisher<?> begin(GraphRunner runner, RunOptions call) {
        return thread(runner).fork(CheckpointId.parse("2-1"), Update.NOTHING, "ada", null, call);
      }
    },
    START(false, true) {
      @Override
      Publisher<?> begin(GraphRunner runner, RunOptions call) {
        return thread(runner).start(Update.NOTHING, call);
      }
    },
    START_RESUME(true, true) {
      @Override
      Publisher<?> begin(GraphRunner runner, RunOptions call) {
        return thread(runner).start(Resume.GO_ON, call);
      }
    },
    QUEUE(false, false) {
      @Override
      Publisher<?> begin(GraphRunner runner, RunOptions call) {
        return thread(runner).queue(Update.NOTHING, "ada");
      }
    },
    RECOVER(true, false) {
      @Override
      Publisher<?> begin(GraphRunner runner, RunOptions call) {
        return runner.recover();
      }
    };

    /** Whether a run has taken the first step before. */
    private final boolean isResumed;

    private final boolean hasOptions;

    Entry(boolean isResumed, boolean hasOptions) {
      this.isResumed = isResumed;
      this.hasOptions = hasOptions;
    }

    abstract Publisher<?> begin(GraphRunner runner, RunOptions call);

    boolean isOfThread() {
      return !EnumSet.of(RUN, STREAM, RUN_ALL, RESUME_POSITION).contains(this);
    }

    private static GraphThread thread(GraphRunner runner) {
      return runner.thread("t");
    }
  }

  private final InMemoryCheckpointStore store = new InMemoryCheckpointStore();
  private final Stop ofDefaults = new Stop();
  private final Stop ofCall = new Stop();
  private final GraphThread reader =
      GraphRunner.builder(counting(1)).checkpoints(store).build().thread("t");
  private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();

  private final RunOptions defaults = RunOptions.NONE
      .steps(50)
      .durability(Durability.EXIT)
      .stoppedBy(ofDefaults)
      .with(USER, "default")
      .with(TENANT, "acme");

  private final RunOptions call =
      RunOptions.NONE.steps(20).durability(Durability.SYNC).stoppedBy(ofCall).with(USER, "ada");

  /** The last of three nodes requests {@code stop}, and puts down what it sees. */
  private Graph probing(Entry entry, Stop stop) {
    ContextualAction probe = (state, context) -> reader
        .state()
        .map(saved -> saved.position().nodes().contains("probe"))
        .defaultIfEmpty(false)
        .map(isWritten -> {
          stop.request();
          seen.add(new Seen(
              context.remainingSteps() + (entry.isResumed ? 2 : 3),
              context.find(USER).orElse("none"),
              context.find(TENANT).orElse("none"),
              context.isStopping(),
              isWritten));
          return Update.NOTHING;
        });
    return graph()
        .compute("first", state -> Update.of(COUNT, 1))
        .compute("second", state -> Update.of(COUNT, 1))
        .node("probe", probe)
        .sequence(START, "first", "second", "probe", END)
        .build();
  }

  private Seen begun(Entry entry, RunOptions defaults, RunOptions call, Stop stop)
      throws InterruptedException {
    Graph graph = probing(entry, stop);
    if (entry.isResumed) {
      takeTheFirstStep(graph);
    }
    GraphRunner runner =
        GraphRunner.builder(graph).checkpoints(store).defaults(defaults).build();
    Flux.from(entry.begin(runner, call)).blockLast(PATIENCE);
    Seen found = seen.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    runner.close(PATIENCE).blockLast(PATIENCE);
    return Objects.requireNonNull(found, "The node has not run.");
  }

  /** Leaves a thread with its second node pending, as one that a closed runner hands over. */
  private void takeTheFirstStep(Graph graph) {
    GraphThread thread = GraphRunner.builder(graph).checkpoints(store).build().thread("t");
    assertThatExceptionOfType(StepLimitException.class)
        .isThrownBy(() -> thread.run(Update.NOTHING, RunOptions.NONE.steps(1)).block(PATIENCE));
    Lease lease = Mono.from(store.acquire("t", "closed", PATIENCE)).block(PATIENCE);
    Mono.from(store.release(lease, Release.HANDED_OVER)).block(PATIENCE);
    assertThat(Flux.from(store.threads(EnumSet.of(ThreadStatus.ORPHANED)))
            .collectList()
            .block())
        .hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("E23 every run has the options of its runner where its call sets none")
  void defaultOnly(Entry entry) throws InterruptedException {
    assertThat(begun(entry, defaults, RunOptions.NONE, ofDefaults))
        .isEqualTo(new Seen(50, "default", "acme", true, false));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("E23 every call overrides the defaults of the library")
  void callOnly(Entry entry) throws InterruptedException {
    boolean isWritten = entry.isOfThread();
    assertThat(begun(entry, RunOptions.NONE, call, ofCall))
        .isEqualTo(
            entry.hasOptions
                ? new Seen(20, "ada", "none", true, isWritten)
                : new Seen(1_000, "none", "none", false, true));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("E23 every call overrides the options of its runner one by one")
  void both(Entry entry) throws InterruptedException {
    boolean isWritten = entry.isOfThread();
    assertThat(begun(entry, defaults, call, ofCall))
        .isEqualTo(
            entry.hasOptions
                ? new Seen(20, "ada", "acme", true, isWritten)
                : new Seen(50, "default", "acme", false, false));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("E23 the stop signal of the runner stops runs whose calls have their own")
  void stopsAddUp(Entry entry) throws InterruptedException {
    assertThat(begun(entry, defaults, call.without(TENANT), ofDefaults))
        .extracting(Seen::isStopped, Seen::tenant)
        .containsExactly(true, entry.hasOptions ? "none" : "acme");
  }

  @Test
  @DisplayName("E23 nested graphs run with the same options as the run around them")
  void nested() {
    Graph outer = graph()
        .subgraph("inner", probing(Entry.RUN, ofCall))
        .sequence(START, "inner", END)
        .build();

    GraphRunner.builder(outer)
        .checkpoints(store)
        .defaults(defaults)
        .build()
        .run(Update.NOTHING, call)
        .block(PATIENCE);

    assertThat(seen).containsExactly(new Seen(20, "ada", "acme", true, false));
  }

  @Test
  @DisplayName("E23 a run is stopped by the signal of its runner, of its call and of both")
  void stopped() {
    RunOptions one = RunOptions.NONE.stoppedBy(ofDefaults);
    RunOptions other = RunOptions.NONE.stoppedBy(ofCall);
    ofDefaults.request();

    assertThat(statusOf(one, RunOptions.NONE)).isEqualTo(RunResult.Status.STOPPED);
    assertThat(statusOf(RunOptions.NONE, one)).isEqualTo(RunResult.Status.STOPPED);
    assertThat(statusOf(one, other)).isEqualTo(RunResult.Status.STOPPED);
    assertThat(statusOf(other, one)).isEqualTo(RunResult.Status.STOPPED);
    assertThat(statusOf(RunOptions.NONE, one.stoppedBy(ofCall)))
        .isEqualTo(RunResult.Status.STOPPED);
    assertThat(statusOf(other, other)).isEqualTo(RunResult.Status.COMPLETED);
  }

  private static RunResult.Status statusOf(RunOptions defaults, RunOptions call) {
    return runner(counting(5), defaults)
        .run(Update.NOTHING, call)
        .block(PATIENCE)
        .status();
  }

  @Test
  @DisplayName("E23 the limit of iterations is that of the call, or that of the runner")
  void iterations() {
    GraphRunner runner = runner(counting(10), RunOptions.NONE.iterations(3));

    StepVerifier.create(runner.run(Update.NOTHING)).verifyError(StepLimitException.class);
    StepVerifier.create(runner.run(Update.NOTHING, RunOptions.NONE.steps(100)))
        .verifyError(StepLimitException.class);
    assertThat(runner
            .run(Update.NOTHING, RunOptions.NONE.iterations(10))
            .block(PATIENCE)
            .state()
            .get(COUNT))
        .isEqualTo(10);
  }

  @Test
  @DisplayName("E23 the limit of concurrent tasks is that of the call, or that of the runner")
  void concurrency() {
    assertThat(running(RunOptions.NONE, RunOptions.NONE)).isEqualTo(4);
    assertThat(running(RunOptions.NONE.concurrency(2), RunOptions.NONE)).isEqualTo(2);
    assertThat(running(RunOptions.NONE.concurrency(2), RunOptions.NONE.steps(5)))
        .isEqualTo(2);
    assertThat(running(RunOptions.NONE, RunOptions.NONE.concurrency(3))).isEqualTo(3);
    assertThat(running(RunOptions.NONE.concurrency(2), RunOptions.NONE.concurrency(3)))
        .isEqualTo(3);
    assertThat(
            running(RunOptions.NONE.concurrency(2), RunOptions.NONE.concurrency(Integer.MAX_VALUE)))
        .isEqualTo(4);
  }

  /** How many of four tasks that do not end are begun. */
  private static long running(RunOptions defaults, RunOptions call) {
    AtomicLong begun = new AtomicLong();
    NodeAction waiting =
        state -> Mono.<Update>never().doOnSubscribe(any -> begun.incrementAndGet());
    Graph graph =
        parallel(Map.of("a", waiting, "b", waiting, "c", waiting, "d", waiting)).build();
    runner(graph, defaults).run(Update.NOTHING, call).subscribe().dispose();
    return begun.get();
  }

  @Test
  @DisplayName("E23 the outputs that are requested in advance are those of the call or the runner")
  void prefetch() {
    assertThat(requested(RunOptions.NONE, RunOptions.NONE)).isEqualTo(1);
    assertThat(requested(RunOptions.NONE.prefetch(8), RunOptions.NONE)).isEqualTo(8);
    assertThat(requested(RunOptions.NONE, RunOptions.NONE.prefetch(5))).isEqualTo(5);
    assertThat(requested(RunOptions.NONE.prefetch(8), RunOptions.NONE.prefetch(5)))
        .isEqualTo(5);
  }

  private static long requested(RunOptions defaults, RunOptions call) {
    AtomicLong requested = new AtomicLong();
    Graph graph = graph()
        .node("talk", state -> Flux.<Chunk>never().hide().doOnRequest(requested::addAndGet))
        .sequence(START, "talk", END)
        .build();
    Flux<GraphEvent> events = runner(graph, defaults).stream(Update.NOTHING, call);
    BaseSubscriber<GraphEvent> subscriber = new BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(Subscription subscription) {
        request(5);
      }
    };
    events.subscribe(subscriber);
    subscriber.cancel();
    return requested.get();
  }

  @Test
  @DisplayName("E11 a call can refuse to discard what the defaults discard, and the reverse")
  void discardUnfinished() {
    RunOptions discarding = RunOptions.NONE.discardUnfinished(true);
    RunOptions refusing = RunOptions.NONE.discardUnfinished(false);

    assertThat(discards(discarding, RunOptions.NONE)).isTrue();
    assertThat(discards(discarding, RunOptions.NONE.steps(5))).isTrue();
    assertThat(discards(RunOptions.NONE, discarding)).isTrue();
    assertThat(discards(refusing, discarding)).isTrue();
    assertThat(discards(RunOptions.NONE, RunOptions.NONE)).isFalse();
    assertThat(discards(discarding, refusing)).isFalse();
  }

  private static boolean discards(RunOptions defaults, RunOptions call) {
    GraphThread thread = GraphRunner.builder(counting(2))
        .checkpoints(new InMemoryCheckpointStore())
        .defaults(defaults)
        .build()
        .thread("t");
    thread.run(Update.NOTHING, RunOptions.NONE.steps(1)).onErrorComplete().block(PATIENCE);
    try {
      thread.run(Update.NOTHING, call).block(PATIENCE);
      return true;
    } catch (UnfinishedThreadException refused) {
      return false;
    }
  }

  private static GraphRunner runner(Graph graph, RunOptions defaults) {
    return GraphRunner.builder(graph).defaults(defaults).build();
  }
}
