package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.checkpoint.UnknownThreadException;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.graph.NodeAction;
import io.superstep.reactor.RunnerEvent.DeadlinesFailed;
import io.superstep.reactor.RunnerEvent.DetachedRunFailed;
import io.superstep.reactor.RunnerEvent.InputRefused;
import io.superstep.reactor.RunnerEvent.LeaseLost;
import io.superstep.reactor.RunnerEvent.LeaseNotReleased;
import io.superstep.reactor.RunnerEvent.LeaseNotRenewed;
import io.superstep.reactor.RunnerEvent.RecoveryFailed;
import io.superstep.reactor.RunnerEvent.ThreadParked;
import io.superstep.reactor.RunnerEvent.ThreadTakenOver;
import io.superstep.reactor.RunnerEvent.ThreadUnreadable;
import io.superstep.state.Channel;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import io.superstep.testkit.MovingClock;
import io.superstep.testkit.StoreAround;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.Loggers;

/** Events outside of event streams: each is one log message and one call of the observer. */
class RunnerReportsTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Channel<String> ONCE =
      Channel.value("once", String.class).writeOnce();

  private final MovingClock clock = new MovingClock(Instant.EPOCH);
  private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  private final InMemoryCheckpointStore memory =
      InMemoryCheckpointStore.builder().clock(clock).build();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final List<RunnerEvent> events = new ArrayList<>();

  @BeforeEach
  void recordLines() {
    Loggers.useCustomLoggers(name -> RecordingLogger.of(name, lines));
  }

  @AfterEach
  void resetLoggers() {
    Loggers.resetLoggerFactory();
  }

  /** The lines that name the graph of these tests, in order. */
  private List<String> lines() {
    return lines.stream()
        .filter(line -> line.contains("io.superstep") && line.contains("'reported'"))
        .toList();
  }

  private static Graph graph(NodeAction action) {
    return Graph.builder("reported")
        .channels(ONCE)
        .node("node", action)
        .sequence(START, "node", END)
        .build();
  }

  private static Graph silent() {
    return graph(state -> Mono.never());
  }

  private static Graph failing() {
    return graph(state -> Mono.error(new IllegalStateException("private")));
  }

  private GraphRunner.Builder builder(Graph graph, CheckpointStore store) {
    return GraphRunner.builder(graph).checkpoints(store).clock(clock).timer(timer);
  }

  private GraphRunner runner(Graph graph, CheckpointStore store) {
    return builder(graph, store).observedBy(new Reporting(events::add)).build();
  }

  private static String owner(RunnerEvent event) {
    return ((LeaseLost) event).lease().owner();
  }

  private void enqueue(String thread) {
    QueuedInput input = new QueuedInput(thread, Update.NOTHING, "ada", clock.instant());
    memory.enqueue(thread, input, silent().schemas()).block(PATIENCE);
  }

  /** Leaves a thread whose work several runs have not done before their leases expired. */
  private void orphan(String thread, int times) {
    Stop stop = new Stop();
    stop.request();
    GraphRunner.builder(silent())
        .checkpoints(memory)
        .build()
        .thread(thread)
        .run(Update.NOTHING, RunOptions.NONE.stoppedBy(stop))
        .block(PATIENCE);
    for (int each = 0; each < times; each++) {
      memory.acquire(thread, "run " + each, Duration.ofSeconds(1)).block(PATIENCE);
      clock.pass(Duration.ofSeconds(2));
    }
  }

  @ParameterizedTest(name = "with an event log: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("a failed detached run is an error with its code, its thread and its stack trace")
  void detachedRunFailed(boolean isLogged) {
    GraphRunner.Builder builder = builder(failing(), memory).observedBy(new Reporting(events::add));
    GraphRunner runner = (isLogged ? builder.events(new InMemoryEventLog()) : builder).build();

    runner.thread("t").start(Update.NOTHING).subscribe();
    timer.advanceTime();

    assertThat(lines())
        .containsExactly("ERROR io.superstep.run: The detached run of thread 't' (graph 'reported')"
            + " failed: SG-141 Node 'node' failed with java.lang.IllegalStateException: private."
            + " + NodeFailedException");
    assertThat(events).singleElement().satisfies(event -> {
      assertThat(event).isInstanceOf(DetachedRunFailed.class);
      assertThat(event.thread()).isEqualTo("t");
      assertThat(event.graph()).isEqualTo("reported");
      assertThat(event.code()).isEqualTo("SG-141");
      assertThat(event.error()).isInstanceOf(NodeFailedException.class);
    });
  }

  @Test
  @DisplayName("a failed detached run is logged without messages of user code on demand")
  void detachedRunFailedHidden() {
    GraphRunner runner = builder(failing(), memory).hideExceptionMessages().build();

    runner.thread("t").start(Update.NOTHING).subscribe();
    timer.advanceTime();

    assertThat(lines())
        .containsExactly("ERROR io.superstep.run: The detached run of thread 't' (graph 'reported')"
            + " failed: SG-141 Node 'node' failed with java.lang.IllegalStateException.");
  }

  @Test
  @DisplayName("an error that the caller of start receives is not reported again")
  void notStarted() {
    CheckpointStore refusing = new StoreAround(memory) {
      @Override
      public Publisher<Void> commit(Lease lease, Commit commit, Schemas schemas) {
        return Mono.error(new IllegalStateException("disk full"));
      }
    };
    List<Throwable> received = new ArrayList<>();

    runner(silent(), refusing).thread("t").start(Update.NOTHING).subscribe(null, received::add);
    timer.advanceTime();

    assertThat(received).hasSize(1);
    assertThat(lines()).isEmpty();
    assertThat(events).isEmpty();
  }

  @Test
  @DisplayName("an error that keeps a queued input from beginning is reported: no caller waits")
  void queuedRunFailed() {
    CheckpointStore refusing = new StoreAround(memory) {
      @Override
      public Publisher<Void> commit(Lease lease, Commit commit, Schemas schemas) {
        return Mono.error(new IllegalStateException("disk full"));
      }
    };

    runner(silent(), refusing).thread("t").queue(Update.NOTHING, "ada").block(PATIENCE);
    timer.advanceTime();

    assertThat(lines())
        .containsExactly("ERROR io.superstep.run: The detached run of thread 't' (graph 'reported')"
            + " failed: java.lang.IllegalStateException + IllegalStateException");
    assertThat(events).singleElement().satisfies(event -> {
      assertThat(event).isInstanceOf(DetachedRunFailed.class);
      assertThat(event.code()).isNull();
    });
  }

  @Test
  @DisplayName("a queued input that is refused when its turn comes is a warning")
  void inputRefused() {
    Graph graph = graph(state -> Mono.just(Update.NOTHING));
    GraphThread thread = runner(graph, memory).thread("t");
    thread.run(Update.of(ONCE, "private")).block(PATIENCE);

    String input =
        thread.queue(Update.of(ONCE, "private too"), "ada").block(PATIENCE).id();
    timer.advanceTime();

    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith("WARN io.superstep.run: The queued input '" + input
            + "' of thread 't' (graph 'reported') was refused and discarded: SG-2")
        .doesNotContain("private");
    assertThat(events).singleElement().isInstanceOf(InputRefused.class);
  }

  @Test
  @DisplayName("a thread that is taken over is an information, with the run and its lease")
  void takenOver() {
    orphan("t", 1);

    runner(silent(), memory).recover().subscribe();
    timer.advanceTime();

    assertThat(events).singleElement().isInstanceOf(ThreadTakenOver.class);
    Lease lease = ((ThreadTakenOver) events.get(0)).lease();
    assertThat(lines())
        .containsExactly("INFO io.superstep.recovery: Run '" + lease.owner() + "' (lease "
            + lease.fence() + ") took over thread 't' (graph 'reported').");
    assertThat(memory.renew(lease, PATIENCE).block(PATIENCE)).isNotNull();
  }

  @Test
  @DisplayName("a thread that cannot be taken over is a warning, once an hour per code")
  void recoveryFailed() {
    orphan("t", 1);
    CheckpointStore damaged = new StoreAround(memory) {
      @Override
      public Publisher<SavedThread> load(String thread, Schemas schemas) {
        return Mono.error(new UnknownThreadException(thread));
      }
    };
    GraphRunner runner = runner(silent(), damaged);

    for (int attempt = 0; attempt < 3; attempt++) {
      runner.recover().subscribe();
      timer.advanceTime();
    }
    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith("WARN io.superstep.recovery: Could not take over thread 't' (graph"
            + " 'reported'): SG-");
    assertThat(events).singleElement().isInstanceOf(RecoveryFailed.class);

    timer.advanceTimeBy(Duration.ofMinutes(61));
    runner.recover().subscribe();
    timer.advanceTime();
    assertThat(lines()).hasSize(2);
  }

  @Test
  @DisplayName("a thread that another runner takes meanwhile is no failure")
  void leftToOthers() {
    orphan("t", 1);
    CheckpointStore late = new StoreAround(memory) {
      @Override
      public Publisher<Lease> acquire(String thread, String owner, Duration time) {
        return memory
            .acquire(thread, "another", time)
            .then(Mono.from(super.acquire(thread, owner, time)));
      }
    };
    List<Recovery> recovered = new ArrayList<>();

    runner(silent(), late).recover().subscribe(recovered::add);
    timer.advanceTime();

    assertThat(recovered)
        .singleElement()
        .satisfies(each -> assertThat(each.refusal()).isInstanceOf(ThreadBusyException.class));
    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith("DEBUG io.superstep.recovery: Did not take over thread 't' (graph 'reported'):"
            + " SG-403");
    assertThat(events).isEmpty();
  }

  @Test
  @DisplayName("a thread that a closed runner leaves to others is no failure")
  void closed() {
    orphan("t", 1);
    GraphRunner runner = runner(silent(), memory);
    runner.close(Duration.ZERO).blockLast(PATIENCE);

    runner.recover().subscribe();
    timer.advanceTime();

    assertThat(lines()).singleElement().asString().startsWith("DEBUG io.superstep.recovery: ");
    assertThat(events).isEmpty();
  }

  @Test
  @DisplayName("a parked thread is an error, once an hour, and only of those that are meant")
  void parked() {
    orphan("t", 4);
    GraphRunner runner = runner(silent(), memory);

    assertThat(runner.recover(thread -> false).collectList().block(PATIENCE)).isEmpty();
    assertThat(lines()).isEmpty();
    assertThat(runner.recover().collectList().block(PATIENCE)).isEmpty();
    assertThat(lines()).hasSize(1);
    assertThat(runner.settleDue().collectList().block(PATIENCE)).isEmpty();

    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith("ERROR io.superstep.run: No runner takes over thread 't' (graph 'reported') any"
            + " more: it is parked");
    assertThat(events).containsExactly(new ThreadParked("reported", "t"));
  }

  @Test
  @DisplayName("an unreadable thread is an error with the code, once an hour")
  void unreadable() {
    CheckpointStore damaged = new StoreAround(memory) {
      @Override
      public Publisher<ThreadSummary> threads(Set<ThreadStatus> statuses) {
        return Flux.just(ThreadSummary.unreadable("t", new UnknownThreadException("t")));
      }
    };
    GraphRunner runner = runner(silent(), damaged);

    runner.recover().blockLast(PATIENCE);
    runner.settleDue().blockLast(PATIENCE);

    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith("ERROR io.superstep.recovery: The data of thread 't' (graph 'reported') is"
            + " unreadable: SG-");
    assertThat(events).singleElement().isInstanceOf(ThreadUnreadable.class);
  }

  @Test
  @DisplayName("deadlines that cannot be applied are a warning, once an hour per code")
  void deadlinesFailed() {
    orphan("t", 0);
    CheckpointStore damaged = new StoreAround(memory) {
      @Override
      public Publisher<SavedThread> load(String thread, Schemas schemas) {
        return Mono.error(new IllegalStateException("private"));
      }
    };
    GraphRunner runner = runner(silent(), damaged);

    runner.settleDue().blockLast(PATIENCE);
    runner.settleDue().blockLast(PATIENCE);

    assertThat(lines())
        .containsExactly("WARN io.superstep.recovery: Could not apply the deadlines of thread 't'"
            + " (graph 'reported'): java.lang.IllegalStateException");
    assertThat(events).singleElement().isInstanceOf(DeadlinesFailed.class);
  }

  private CheckpointStore failingRenewals(@Nullable Throwable error) {
    return new StoreAround(memory) {
      @Override
      public Publisher<Lease> renew(Lease lease, Duration time) {
        return error == null
            ? Mono.error(CheckpointConflictException.lostLease(lease))
            : Mono.error(error);
      }
    };
  }

  @ParameterizedTest(name = "detached: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("a lost lease is one warning with the code, the run and its lease")
  void leaseLost(boolean isDetached) {
    GraphThread thread = runner(silent(), failingRenewals(null)).thread("t");
    List<Throwable> errors = new ArrayList<>();
    if (isDetached) {
      thread.start(Update.NOTHING).subscribe();
    } else {
      thread.run(Update.NOTHING).subscribe(any -> {}, errors::add);
    }
    timer.advanceTime();

    timer.advanceTimeBy(Hold.LEASE.dividedBy(3).plusSeconds(1));

    assertThat(events).singleElement().isInstanceOf(LeaseLost.class);
    assertThat(lines())
        .containsExactly("WARN io.superstep.lease: Run '" + owner(events.get(0))
            + "' (lease 1) has lost thread 't' (graph 'reported') and ended: SG-401 The run of '"
            + owner(events.get(0)) + "' lost the lease of the thread.");
    assertThat(errors).hasSize(isDetached ? 0 : 1);
  }

  @Test
  @DisplayName("a lease that a commit finds lost is reported like one that a renewal finds lost")
  void leaseLostAtCommit() {
    CheckpointStore losing = new StoreAround(memory) {
      private int commits;

      @Override
      public Publisher<Void> commit(Lease lease, Commit commit, Schemas schemas) {
        return commits++ == 0
            ? super.commit(lease, commit, schemas)
            : Mono.error(CheckpointConflictException.lostLease(lease));
      }
    };
    Graph graph = graph(state -> Mono.just(Update.NOTHING));

    runner(graph, losing).thread("t").start(Update.NOTHING).subscribe();
    timer.advanceTime();

    assertThat(lines()).singleElement().asString().startsWith("WARN io.superstep.lease: Run '");
    assertThat(events).singleElement().isInstanceOf(LeaseLost.class);
  }

  @Test
  @DisplayName("a conflict of a change from outside is no lost lease")
  void conflictsAreTheirCallers() {
    orphan("t", 0);
    CheckpointStore losing = new StoreAround(memory) {
      @Override
      public Publisher<Void> commit(Lease lease, Commit commit, Schemas schemas) {
        return Mono.error(CheckpointConflictException.lostLease(lease));
      }
    };

    runner(silent(), losing)
        .thread("t")
        .update(Update.NOTHING, "ada", null)
        .onErrorComplete()
        .block(PATIENCE);

    assertThat(lines()).isEmpty();
    assertThat(events).isEmpty();
  }

  @Test
  @DisplayName("a renewal that fails and is repeated is a warning, once an hour")
  void leaseNotRenewed() {
    Disposable run = runner(silent(), failingRenewals(new IllegalStateException("no network")))
        .thread("t")
        .run(Update.NOTHING)
        .subscribe();

    timer.advanceTimeBy(Hold.LEASE.dividedBy(3).multipliedBy(5));

    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith("WARN io.superstep.lease: Run '")
        .endsWith("' (lease 1) could not renew its lease on thread 't' (graph 'reported'), and"
            + " repeats it: java.lang.IllegalStateException");
    assertThat(events).singleElement().isInstanceOf(LeaseNotRenewed.class);
    run.dispose();
  }

  @ParameterizedTest(name = "with an error: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("a lease that is not released at the end of its run is a warning")
  void leaseNotReleased(boolean isRefused) {
    CheckpointStore keeping = new StoreAround(memory) {
      @Override
      public Publisher<Boolean> release(Lease lease, Release how) {
        return isRefused ? Mono.error(new IllegalStateException("no network")) : Mono.never();
      }
    };
    List<RunResult> results = new ArrayList<>();

    runner(graph(state -> Mono.just(Update.NOTHING)), keeping)
        .thread("t")
        .run(Update.NOTHING)
        .subscribe(results::add);
    timer.advanceTimeBy(Hold.RELEASE.plusSeconds(1));

    assertThat(results).hasSize(1);
    assertThat(lines())
        .singleElement()
        .asString()
        .startsWith("WARN io.superstep.lease: Run '")
        .endsWith("' (lease 1) could not release its lease on thread 't' (graph 'reported'), which"
            + " now has to expire: "
            + (isRefused
                ? "java.lang.IllegalStateException"
                : "java.util.concurrent.TimeoutException"));
    assertThat(events).singleElement().isInstanceOf(LeaseNotReleased.class);
  }

  @Test
  @DisplayName("without an observer the log is the same")
  void unobserved() {
    builder(failing(), memory).build().thread("t").start(Update.NOTHING).subscribe();
    timer.advanceTime();

    assertThat(lines()).singleElement().asString().startsWith("ERROR io.superstep.run: ");
  }

  @Test
  @DisplayName("what an observer throws is dropped, and the log has the line")
  void throwingObserver() {
    List<Throwable> dropped = new CopyOnWriteArrayList<>();
    Hooks.resetOnErrorDropped();
    Hooks.onErrorDropped(dropped::add);
    orphan("t", 1);
    List<Recovery> recovered = new ArrayList<>();
    GraphRunner runner = builder(silent(), memory)
        .observedBy(new Reporting(event -> {
          throw new IllegalStateException("observer");
        }))
        .build();

    runner.recover().subscribe(recovered::add);
    timer.advanceTime();

    assertThat(recovered).containsExactly(new Recovery("t", null));
    assertThat(dropped).extracting(Throwable::getMessage).containsExactly("observer");
    assertThat(lines()).hasSize(1);
  }

  @Test
  @DisplayName("a run with a subscriber that fails is not logged: the subscriber has the error")
  void subscribed() {
    List<Throwable> received = new ArrayList<>();

    runner(failing(), memory).thread("t").stream(Update.NOTHING)
        .subscribe((GraphEvent any) -> {}, received::add);

    assertThat(received).hasSize(1);
    assertThat(lines()).isEmpty();
    assertThat(events).isEmpty();
  }

  @Test
  @DisplayName("the names of threads are escaped, and shortened")
  void names() {
    enqueue("a\nb".repeat(100));

    runner(silent(), memory).recover().subscribe();
    timer.advanceTime();

    assertThat(lines())
        .singleElement()
        .asString()
        .contains("thread 'a\\u000ab")
        .doesNotContain("\n")
        .hasSizeLessThan(300);
  }
}
