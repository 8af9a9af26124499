package io.superstep.reactor;

import static io.superstep.error.Option.once;

import com.github.benmanes.caffeine.cache.Ticker;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.error.Attribution;
import io.superstep.error.InvalidNameException;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Terminal;
import io.superstep.event.RecordedFailure;
import io.superstep.graph.Graph;
import io.superstep.graph.Node;
import io.superstep.graph.NodeBody;
import io.superstep.memory.MemoryStore;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.Update;
import io.superstep.step.StepResult.Committed;
import io.superstep.step.Superstep;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Runs a graph. Thread-safe; one runner serves any number of runs at once, which know nothing of
 * each other.
 *
 * <p>Without options it reads the system clock, and the options of runs have the defaults of
 * {@link RunOptions}.
 */
public final class GraphRunner {

  private static final Duration STALL_THRESHOLD = Duration.ofMinutes(5);
  private static final Duration SLOW_DRAIN_THRESHOLD = Duration.ofSeconds(1);

  private final Graph graph;
  private final InstantSource clock;
  private final @Nullable Scheduler timer;
  private final RunOptions defaults;
  private final KnownAnswers answers;
  private final boolean mayBeQuiet;
  private final @Nullable RunObserver observer;
  private final @Nullable CheckpointStore checkpoints;
  private final @Nullable EventLog log;
  private final @Nullable MemoryStore memory;
  private final Stop closing = new Stop();
  private final Stop closed = new Stop();
  private final RunnerReports reports;
  private final DetachedRuns detached;
  private final LeaseKeeper leases;
  private final @Nullable String owner;
  private final HeldThreads held = new HeldThreads();
  private final Supplier<Scheduler> blocking;
  private final StallDetector stalls;
  private final boolean hidesMessages;
  private final Duration slowDrainThreshold;
  private final Ticker ticker;

  /** The path of a node inside a nested graph that asks for a pause; null if none does. */
  private final @Nullable String pauseInside;

  private final AtomicLong runs = new AtomicLong();
  private final String name = UUID.randomUUID().toString();
  private final AtomicLong names = new AtomicLong();

  private GraphRunner(Builder builder) {
    this.graph = builder.graph;
    this.clock = builder.clock == null ? Clock.systemUTC() : builder.clock;
    this.timer = builder.timer;
    this.defaults = builder.defaults == null ? RunOptions.NONE : builder.defaults;
    this.observer = builder.observer;
    this.checkpoints = ObservedCheckpointStore.of(builder.checkpoints, observer);
    this.log = ObservedEventLog.of(builder.log, observer);
    this.memory = builder.memory;
    this.ticker = builder.ticker();
    this.slowDrainThreshold = builder.slowDrainThreshold();
    this.reports = new RunnerReports(graph.name(), observer, ticker, builder.hidesMessages);
    this.detached = new DetachedRuns(reports);
    this.answers = new KnownAnswers(graph, ticker);
    this.blocking = builder.blocking();
    this.stalls = new StallDetector(builder.stallThreshold(), this::timer);
    this.hidesMessages = builder.hidesMessages;
    this.leases = new LeaseKeeper(builder.leaseDuration());
    this.owner = builder.owner;
    this.pauseInside = pauseInside(graph, "");
    if (pauseInside != null && checkpoints == null) {
      throw new UnsupportedGraphException(pauseInside);
    }
    this.mayBeQuiet = !hasListeningNode(graph);
    if (checkpoints != null) {
      checkpoints.requireStorable(graph.schemas());
    }
  }

  private static @Nullable String pauseInside(Graph graph, String path) {
    for (Node node : graph.nodes()) {
      String name = path + node.name();
      if (!path.isEmpty() && (node.isPausedBefore() || node.isPausedAfter())) {
        return name;
      }
      if (node.body() instanceof NodeBody.Nested nested) {
        String inside = pauseInside(nested.subgraph().graph(), name + "/");
        if (inside != null) {
          return inside;
        }
      }
    }
    return null;
  }

  /** Whether a nested graph must be heard because its node may not be silent for long. */
  private static boolean hasListeningNode(Graph graph) {
    return NestedGraphs.with(graph).stream()
        .flatMap(each -> each.nodes().stream())
        .anyMatch(
            node -> node.body() instanceof NodeBody.Nested && node.policy().idleTimeout() != null);
  }

  /** A runner of {@code graph} without options. */
  public static GraphRunner of(Graph graph) {
    return builder(graph).build();
  }

  public static Builder builder(Graph graph) {
    return new Builder(graph);
  }

  public Graph graph() {
    return graph;
  }

  /** Returns the options that apply to a run as far as its call does not set them. */
  public RunOptions defaults() {
    return defaults;
  }

  /** Returns the options of a run: those of its call, which override the defaults. */
  RunOptions effective(RunOptions call) {
    return call.or(defaults);
  }

  /**
   * Runs the graph with {@code input} and streams what happens.
   *
   * <p>Nothing happens before subscription and before something is asked for; each subscription is
   * a run of its own. A step starts when everything before it was delivered and more is asked for.
   * Cancelling stops the tasks that run. The last event is a {@link Terminal}; a run that fails
   * ends with an error instead.
   *
   * @throws InvalidUpdateException if {@code input} is null
   */
  public Flux<GraphEvent> stream(Update input) {
    return stream(input, RunOptions.NONE);
  }

  /** As {@link #stream(Update)}, with options for this run. */
  public Flux<GraphEvent> stream(Update input, RunOptions options) {
    Update.requireInput(input);
    return events(Opening.begun(() -> start(input)), effective(options), true, null);
  }

  private Committed start(Update input) {
    String origin = "run-" + runs.incrementAndGet();
    return Superstep.open(graph, origin, graph.schema().start(), input);
  }

  /**
   * Goes on from where an earlier run ended, and streams what happens as {@link #stream(Update)}
   * does: a run that was interrupted or stopped continues, one that completed has nothing to do.
   */
  public Flux<GraphEvent> resume(Position position) {
    return resume(position, RunOptions.NONE);
  }

  /** As {@link #resume(Position)}, with options for this run. */
  public Flux<GraphEvent> resume(Position position, RunOptions options) {
    Supplier<Position> fitting = () -> {
      Superstep.requireFits(graph, position);
      return position.resumed();
    };
    return events(Opening.resumed(fitting, List.of()), effective(options), true, null);
  }

  Flux<GraphEvent> events(
      Opening opening, RunOptions options, boolean heard, @Nullable ThreadJournal journal) {
    return Flux.defer(() -> {
      if (journal == null && pauseInside != null) {
        throw new UnsupportedGraphException(pauseInside);
      }
      if (journal == null) {
        requireOpen();
      }
      Environment environment = new Environment(
          heard,
          observer,
          clock,
          timer,
          options,
          closing,
          answers,
          Permits.of(options.concurrency()),
          blocking,
          stalls,
          hidesMessages,
          DrainTimer.of(
              slowDrainThreshold, ticker, reports, journal == null ? null : journal.thread()));
      return withThreadLocals(new RunFlux(new Run(graph, "", opening, environment, null, journal)));
    });
  }

  /**
   * Where Reactor carries thread locals along, nodes get those of whoever subscribes: to Reactor
   * they would be gone, as they are not in the context.
   */
  private static Flux<GraphEvent> withThreadLocals(Flux<GraphEvent> events) {
    return Hooks.isAutomaticContextPropagationEnabled() ? events.contextCapture() : events;
  }

  /**
   * Runs the graph with {@code input} as fast as it goes and tells how it ended.
   *
   * <p>Nothing happens before subscription; cancelling stops the tasks that run.
   *
   * @throws InvalidUpdateException if {@code input} is null
   */
  public Mono<RunResult> run(Update input) {
    return run(input, RunOptions.NONE);
  }

  /** As {@link #run(Update)}, with options for this run. */
  public Mono<RunResult> run(Update input, RunOptions options) {
    Update.requireInput(input);
    return ran(input, effective(options));
  }

  private Mono<RunResult> ran(Update input, RunOptions effective) {
    return RunResult.of(events(Opening.begun(() -> start(input)), effective, mustBeHeard(), null));
  }

  /** Whether even a run of which only the end is asked for has to make its events. */
  boolean mustBeHeard() {
    return !mayBeQuiet;
  }

  /**
   * The thread called {@code id}, whether or not anything was ever written to it.
   *
   * <p>An id has between one and {@value Attribution#MAX_NAME_LENGTH} characters that are not all
   * white space, and neither control characters nor unpaired surrogates.
   *
   * @throws InvalidNameException if {@code id} is null or not such an id
   * @throws IllegalStateException if the runner was given no store
   */
  public GraphThread thread(String id) {
    return listed(Attribution.threadId(id));
  }

  /** A thread that the store lists: its id may be older than the rules for ids. */
  private GraphThread listed(String id) {
    return new GraphThread(this, store(), id);
  }

  /**
   * Applies the deadlines that have passed, of all threads of the store: each open question is
   * answered with its default answer. Call it periodically; opening a thread applies only its own
   * deadlines. The threads are not resumed.
   *
   * <p>Emits one result per deadline. A thread that is unreadable, or fails otherwise, yields one
   * result with its error and does not affect the others.
   */
  public Flux<Settlement> settleDue() {
    return FluxBoundary.returning(threads(
            EnumSet.complementOf(EnumSet.of(ThreadStatus.DONE)), thread -> true)
        .concatMap(found -> found.problem() == null
            ? listed(found.thread())
                .desk()
                .settlements()
                .onErrorResume(
                    error -> Mono.just(unsettled(found.thread(), CarriedError.unwrap(error))))
            : Mono.just(Settlement.failed(found.thread(), found.problem()))));
  }

  private Settlement unsettled(String thread, Throwable error) {
    reports.deadlinesFailed(thread, error);
    return Settlement.failed(thread, error);
  }

  /**
   * Lists those threads whose name {@code mine} accepts, and reports unreadable and parked ones.
   */
  private Flux<ThreadSummary> threads(Set<ThreadStatus> statuses, Predicate<String> mine) {
    return StoreCall.flux(() -> store().threads(statuses))
        .filter(found -> mine.test(found.thread()))
        .doOnNext(reports::listed);
  }

  private CheckpointStore store() {
    if (checkpoints == null) {
      throw new IllegalStateException("A thread requires a checkpoint store: build the runner with "
          + "checkpoints(store), or run the graph without a thread.");
    }
    return checkpoints;
  }

  Instant now() {
    return clock.instant();
  }

  /**
   * Takes over the threads whose runner has vanished, those that a closed runner has handed over,
   * and those where an input waits and no run has begun with it: they resume as detached runs of
   * this runner. A thread that waits for a person, that a person stopped, or that has failed is
   * left as it is. Emits one result per thread; a thread that another runner takes meanwhile yields
   * one with its refusal.
   *
   * <p>All threads of the store that are of a graph like this are taken; where it has others too,
   * name those that are meant with {@link #recover(Predicate)}. One that was taken over three times
   * without anything having been done is parked, and left alone; a takeover that ends because its
   * runner is closed does not count. An unreadable thread yields a result with its error and does
   * not affect the others.
   */
  public Flux<Recovery> recover() {
    return recover(thread -> true);
  }

  /** As {@link #recover()}, of those threads only whose name {@code mine} accepts. */
  public Flux<Recovery> recover(Predicate<String> mine) {
    return FluxBoundary.returning(threads(
            EnumSet.of(ThreadStatus.ORPHANED, ThreadStatus.PARKED, ThreadStatus.UNREADABLE), mine)
        .filter(found -> found.status() != ThreadStatus.PARKED)
        .concatMap(found -> found.problem() == null
            ? listed(found.thread())
                .takenOver()
                .doOnNext(reports::takenOver)
                .thenReturn(new Recovery(found.thread(), null))
                .onErrorResume(
                    refused -> Mono.just(refused(found.thread(), CarriedError.unwrap(refused))))
            : Mono.just(new Recovery(found.thread(), found.problem()))));
  }

  private Recovery refused(String thread, Throwable refusal) {
    boolean isLeftToOthers = refusal instanceof ThreadBusyException
        || refusal instanceof CheckpointConflictException
        || refusal instanceof RunnerClosedException;
    if (isLeftToOthers) {
      reports.notTakenOver(thread, refusal);
    } else {
      reports.recoveryFailed(thread, refusal);
    }
    return new Recovery(thread, refusal);
  }

  /**
   * Closes the runner for a graceful shutdown: requests all runs to stop at the end of their step,
   * begins no others, and completes when the leases of all threads are released. Runs that have not
   * ended after {@code timeout} are cut off, which loses their step under way, and their threads
   * are emitted: a detached run is cancelled, and the subscriber of another receives a
   * {@link RunnerClosedException}. The release of their leases is awaited for {@code timeout}
   * again, and for at most five seconds. Repeating it waits once more.
   *
   * <p>A run that ends in this way, with a subscriber or detached, hands its thread over if work is
   * left: the thread is {@link ThreadStatus#ORPHANED} at once, and {@link #recover()} of another
   * runner resumes it without waiting for a lease to expire. A run that waits for demand hands its
   * thread over as well, and is not cut off. A run that a person has stopped as well, by
   * {@link GraphThread#stop()} or {@link RunOptions#stoppedBy}, leaves its thread
   * {@link ThreadStatus#STOPPED}.
   *
   * <p>Before it completes, or when it is cancelled, all followers of {@link GraphThread#attach}
   * are ended: each receives the facts that its log has by then, at its own pace, and completes.
   * The log has to stay open until then.
   */
  public Flux<String> close(Duration timeout) {
    Duration patience = timeout.compareTo(Hold.RELEASE) < 0 ? timeout : Hold.RELEASE;
    return FluxBoundary.returning(Flux.defer(() -> {
      closing.request();
      held.offerRest();
      return within(timeout, Mono.when(detached.ended(), held.released()))
          .thenMany(Flux.defer(() -> Flux.fromIterable(cutOff())))
          .concatWith(within(patience, held.released()).then(Mono.empty()))
          .doOnTerminate(closed::request)
          .doOnCancel(closed::request);
    }));
  }

  private Mono<Void> within(Duration timeout, Mono<Void> ending) {
    return ending.timeout(Mono.delay(timeout, timer()), Mono.empty());
  }

  /** Ends the runs that are under way, and returns their threads. */
  private List<String> cutOff() {
    List<String> threads = new ArrayList<>(detached.cutOff());
    threads.addAll(leases.cutOff());
    return threads;
  }

  /** A name that nobody else has; made without asking the system for randomness each time. */
  String uniqueName() {
    return name + "-" + names.incrementAndGet();
  }

  /** Returns the owner of a new lease: the configured owner, and a name that no other run has. */
  String leaseOwner() {
    return (owner == null ? ProcessName.get() : owner) + "/" + uniqueName();
  }

  DetachedRuns detached() {
    return detached;
  }

  HeldThreads held() {
    return held;
  }

  /** Completes when the runner is closed and has waited for its runs. */
  Mono<Void> closed() {
    return closed.asMono();
  }

  /** Nothing may begin once the runner was closed; what has begun is stopped. */
  void requireOpen() {
    if (closing.isRequested()) {
      throw RunnerClosedException.closed();
    }
  }

  boolean isClosing() {
    return closing.isRequested();
  }

  @Nullable
  MemoryStore memory() {
    return memory;
  }

  @Nullable
  EventLog log() {
    return log;
  }

  InstantSource clock() {
    return clock;
  }

  StallDetector stalls() {
    return stalls;
  }

  /** Returns {@code error} as the log of a thread keeps it. */
  Throwable shown(Throwable error) {
    return hidesMessages ? RecordedFailure.withoutMessages(error) : error;
  }

  RunnerReports reports() {
    return reports;
  }

  LeaseKeeper leases() {
    return leases;
  }

  Scheduler timer() {
    return timer == null ? Alarms.standard() : timer;
  }

  /**
   * Runs the graph with each of {@code inputs}, up to {@code concurrency} of them at once, and
   * tells how each ended, in the order of the inputs.
   *
   * <p>Nothing happens before subscription, and no input is asked for, nor run, whose result was
   * not. The first run that fails ends all others.
   */
  public Flux<RunResult> runAll(Flux<Update> inputs, int concurrency) {
    return runAll(inputs, concurrency, RunOptions.NONE);
  }

  /** As {@link #runAll(Flux, int)}, with options for these runs. */
  public Flux<RunResult> runAll(Flux<Update> inputs, int concurrency, RunOptions options) {
    if (concurrency < 1) {
      throw new IllegalArgumentException(
          "concurrency must be at least 1, and was " + concurrency + ".");
    }
    RunOptions effective = effective(options);
    return FluxBoundary.returning(
        new RunAllFlux(FluxBoundary.around(inputs), input -> ran(input, effective), concurrency));
  }

  /** Collects what a runner is told; each option can be set once. */
  public static final class Builder {

    private final Graph graph;
    private @Nullable InstantSource clock;
    private @Nullable Scheduler timer;
    private @Nullable RunOptions defaults;
    private @Nullable RunObserver observer;
    private @Nullable CheckpointStore checkpoints;
    private @Nullable EventLog log;
    private @Nullable MemoryStore memory;

    private @Nullable Scheduler blockingNodes;
    private @Nullable Duration stallThreshold;
    private boolean hidesMessages;
    private @Nullable Duration leaseDuration;
    private @Nullable String owner;
    private @Nullable Duration slowDrainThreshold;

    private Builder(Graph graph) {
      this.graph = graph;
    }

    /**
     * Sets the source of the times of events. It is read once per step, per chunk of a streamed run
     * and per append to an event log.
     */
    public Builder clock(InstantSource source) {
      clock = once("clock", clock, source);
      return this;
    }

    /** Where timeouts, waits between attempts and the age of cached answers are counted. */
    public Builder timer(Scheduler scheduler) {
      timer = once("timer", timer, scheduler);
      return this;
    }

    /**
     * Sets the scheduler on which blocking nodes run. The default belongs to the runner: virtual
     * threads from Java 24 on, before that a pool of ten daemon threads per processor.
     */
    public Builder blockingScheduler(Scheduler scheduler) {
      blockingNodes = once("blockingScheduler", blockingNodes, scheduler);
      return this;
    }

    private Supplier<Scheduler> blocking() {
      Scheduler given = blockingNodes;
      return given == null ? new Lazy<>(BlockingThreads::scheduler) : () -> given;
    }

    /**
     * Sets the time after which a task that has signalled nothing is reported: as a warning in the
     * log and to {@link Watch#stalled}. The task is not ended; use a timeout for that. The default
     * is five minutes; {@link Duration#ZERO} turns the reports off.
     */
    public Builder stallThreshold(Duration silence) {
      if (silence.isNegative()) {
        throw new IllegalArgumentException(
            "stallThreshold must not be negative, and was " + silence + ".");
      }
      stallThreshold = once("stallThreshold", stallThreshold, silence);
      return this;
    }

    private Duration stallThreshold() {
      return stallThreshold == null ? STALL_THRESHOLD : stallThreshold;
    }

    /**
     * Hides the messages of exceptions of user code: problem texts, events and stored records then
     * name only the class of such an exception, and a failed detached run is logged without its
     * stack trace. Subscribers, observers and Reactor's hooks receive the error itself, whose cause
     * keeps its message. By default the messages are shown.
     */
    public Builder hideExceptionMessages() {
      hidesMessages = true;
      return this;
    }

    /**
     * Sets the time after which the lease of a run expires unless it is renewed; a third of it is
     * the time between two renewals. If the process of a run is killed, another runner can take the
     * thread over once this time has passed. A run that is paused for longer may lose its thread. A
     * run that waits for demand releases its thread at the next renewal. The default is 30 seconds.
     *
     * @throws IllegalArgumentException if {@code time} is shorter than a second or longer than a
     *     day
     */
    public Builder leaseDuration(Duration time) {
      leaseDuration = once("leaseDuration", leaseDuration, LeaseKeeper.requireDuration(time));
      return this;
    }

    private Duration leaseDuration() {
      return leaseDuration == null ? Hold.LEASE : leaseDuration;
    }

    /**
     * Sets the owner of the leases of this runner, by which an operator recognizes the process: it
     * is the part before the last slash of {@link io.superstep.checkpoint.Lease#owner()}, which a
     * unique name follows. It need not be unique, and has between one and
     * {@value Attribution#MAX_OWNER_LENGTH} characters. The default is the host name and the
     * process id, such as {@code web-7:4711}.
     *
     * @throws InvalidNameException if {@code name} is blank or too long, or has control characters
     */
    public Builder owner(String name) {
      owner = once("owner", owner, Attribution.owner(name));
      return this;
    }

    /**
     * Sets the duration after which a run that occupies a JVM thread without a break is reported:
     * in the log, and as {@link RunnerEvent.SlowDrain}. The default is one second;
     * {@link Duration#ZERO} turns the measurement off.
     */
    public Builder slowDrainThreshold(Duration time) {
      if (time.isNegative()) {
        throw new IllegalArgumentException(
            "slowDrainThreshold must not be negative, and was " + time + ".");
      }
      slowDrainThreshold = once("slowDrainThreshold", slowDrainThreshold, time);
      return this;
    }

    private Duration slowDrainThreshold() {
      return slowDrainThreshold == null ? SLOW_DRAIN_THRESHOLD : slowDrainThreshold;
    }

    private Ticker ticker() {
      Scheduler scheduler = timer;
      return scheduler == null ? Ticker.systemTicker() : () -> scheduler.now(TimeUnit.NANOSECONDS);
    }

    /** Sets the options of runs. The options of a call override them one by one. */
    public Builder defaults(RunOptions options) {
      defaults = once("defaults", defaults, options);
      return this;
    }

    /** Who looks on while the graph runs. */
    public Builder observedBy(RunObserver onlooker) {
      observer = once("observedBy", observer, onlooker);
      return this;
    }

    /** Where threads are kept. */
    public Builder checkpoints(CheckpointStore store) {
      checkpoints = once("checkpoints", checkpoints, store);
      return this;
    }

    /**
     * Where it is kept what the runs of threads tell, for {@link GraphThread#attach}. Every run of
     * a thread tells its events there first.
     */
    public Builder events(EventLog kept) {
      log = once("events", log, kept);
      return this;
    }

    /**
     * Where nodes have remembered what outlives their threads, with {@code Command.remember}. What
     * a step wants remembered is written with its checkpoint, and done exactly once. All threads of
     * a memory have their checkpoints in one store.
     */
    public Builder memory(MemoryStore kept) {
      memory = once("memory", memory, kept);
      return this;
    }

    /**
     * The runner that was described.
     *
     * @throws UnsupportedGraphException if the graph asks for something that needs a store
     * @throws io.superstep.json.InvalidJsonException with SG-306 if the checkpoint store cannot
     *     write the type of a stored channel
     */
    public GraphRunner build() {
      return new GraphRunner(this);
    }
  }
}
