package io.superstep.reactor;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Cause.Source;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.MergeConflictException;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNotes;
import io.superstep.checkpoint.ThreadExistsException;
import io.superstep.checkpoint.UnfinishedThreadException;
import io.superstep.checkpoint.UnknownCheckpointException;
import io.superstep.checkpoint.UnknownThreadException;
import io.superstep.checkpoint.UnmergeableException;
import io.superstep.error.InvalidNameException;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Rebase;
import io.superstep.graph.Graph;
import io.superstep.question.Answer;
import io.superstep.state.Changes;
import io.superstep.state.Contribution;
import io.superstep.state.Merge;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.step.StepResult.Committed;
import io.superstep.step.Superstep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/**
 * A conversation with a graph that outlives its runs: every step is written down, before it is told
 * unless {@link Durability} says otherwise, and whoever comes later goes on where the last one
 * stood.
 *
 * <p>Nothing happens before something is asked for. A thread has one run at a time; while a run
 * waits for somebody to ask for more, others may soon take the thread, and then it cannot go on.
 * What it has written is never changed. Cancelling loses the step under way, but for tasks whose
 * end was told, and for the steps of graphs inside it.
 */
public final class GraphThread {

  /** How often a change is tried again because somebody has answered meanwhile. */
  private static final int TOUCHES = 10;

  private final GraphRunner runner;
  private final CheckpointStore store;
  private final String id;

  GraphThread(GraphRunner runner, CheckpointStore store, String id) {
    this.runner = runner;
    this.store = store;
    this.id = id;
  }

  /** The name by which a store knows the thread. */
  public String id() {
    return id;
  }

  /**
   * Begins a turn: runs the graph with {@code input}, starting with what the turn before left, and
   * streams what happens as {@link GraphRunner#stream} does.
   *
   * <p>Ends with an {@link UnfinishedThreadException} if the turn before has work to do, and with a
   * {@link io.superstep.checkpoint.ThreadBusyException} while a run is under way.
   *
   * @throws io.superstep.state.InvalidUpdateException if {@code input} is null
   */
  public Flux<GraphEvent> stream(Update input) {
    return stream(input, RunOptions.NONE);
  }

  /** As {@link #stream(Update)}, with options for this run. */
  public Flux<GraphEvent> stream(Update input, RunOptions options) {
    Update.requireInput(input);
    RunOptions effective = runner.effective(options);
    return whenAsked(ran((hold, saved) -> begun(input, effective, true, hold, saved, null)));
  }

  /** Begins a turn as {@link #stream(Update)} does, and tells how it ended. */
  public Mono<RunResult> run(Update input) {
    return run(input, RunOptions.NONE);
  }

  /** As {@link #run(Update)}, with options for this run. */
  public Mono<RunResult> run(Update input, RunOptions options) {
    Update.requireInput(input);
    RunOptions effective = runner.effective(options);
    return RunResult.of(
        ran((hold, saved) -> begun(input, effective, runner.mustBeHeard(), hold, saved, null)));
  }

  /**
   * Goes on where the thread stands: what an earlier run left undone is done, and what it had done
   * is not done again.
   *
   * <p>Ends with a {@link io.superstep.checkpoint.ThreadBusyException} while another run has the
   * thread. If that run leaves the thread with all questions answered, its runner resumes it.
   *
   * <p>Ends with an {@link UnknownThreadException} if there is nothing to go on with, and with an
   * {@link io.superstep.checkpoint.OutcomeUnknownException} if a node that acts outside was at it
   * when the last run ended, and nobody saw what came of it.
   */
  public Flux<GraphEvent> resume() {
    return resume(Resume.GO_ON);
  }

  /** As {@link #resume()}, with something to go on with. */
  public Flux<GraphEvent> resume(Resume with) {
    return resume(with, RunOptions.NONE);
  }

  /** As {@link #resume(Resume)}, with options for this run. */
  public Flux<GraphEvent> resume(Resume with, RunOptions options) {
    RunOptions effective = runner.effective(options);
    Mono<Hold> taken = Hold.toResume(id, store, runner, this::beginNext);
    return whenAsked(ran(taken, (hold, found) -> {
      SavedThread saved = known(found);
      Superstep.requireFits(graph(), saved.position());
      hold.begin(effective);
      return desk()
          .answer(saved, with.answers(), with.by())
          .flatMapMany(settled -> resumed(with, effective, hold, settled));
    }));
  }

  private Flux<GraphEvent> resumed(
      Resume with, RunOptions options, Hold hold, AnswerDesk.Settled settled) {
    SavedThread saved = settled.saved();
    ThreadJournal journal = journal(hold, saved);
    List<Problem> warnings =
        settled.refused().stream().flatMap(each -> each.problems().stream()).toList();
    Opening opening = Opening.resumed(() -> saved.position().resumed(), warnings);
    return StoreCall.mono(() -> journal.decide(with, graph(), true))
        .thenMany(logged(opening, options, true, hold, journal));
  }

  /**
   * Begins a turn as {@link #stream(Update)} does, which goes on whether or not anybody listens: it
   * outlives its caller. Brings the cursor from which it can be followed, as soon as it has begun:
   * {@code thread.start(input).flatMapMany(thread::attach)}. How it ends is told by the log and by
   * the status of the thread.
   */
  public Mono<Long> start(Update input) {
    return start(input, RunOptions.NONE);
  }

  /** As {@link #start(Update)}, with options for this run. */
  public Mono<Long> start(Update input, RunOptions options) {
    Update.requireInput(input);
    return detached(options, own -> stream(input, own));
  }

  /** Goes on as {@link #resume(Resume)} does, and as {@link #start(Update)} says. */
  public Mono<Long> start(Resume with) {
    return start(with, RunOptions.NONE);
  }

  /** As {@link #start(Resume)}, with options for this run. */
  public Mono<Long> start(Resume with, RunOptions options) {
    return detached(options, own -> resume(with, own));
  }

  private Mono<Long> detached(RunOptions options, Function<RunOptions, Flux<GraphEvent>> events) {
    return MonoBoundary.returning(
        runner.detached().start(id, runner.timer(), stop -> events.apply(options.stoppedBy(stop))));
  }

  /**
   * What was told after the cursor {@code after}, and then what is told, of all runs of the thread:
   * every fact once and in order, and chunks from now on. A thread need not exist yet; 0 is the
   * cursor of who has seen nothing.
   *
   * <p>Completes only when the runner is closed: once {@link GraphRunner#close} has waited for the
   * runs, and all facts that the log has by then are delivered, the last ones of those runs
   * included. The number of the last fact is the cursor with which another runner continues. A
   * runner that is closed already replays and completes.
   *
   * <p>Nobody who follows slows a run. Ends with an
   * {@link io.superstep.event.EventsTrimmedException} if some of it is gone, and with an
   * {@link io.superstep.event.UnknownCursorException} if the thread has not come so far.
   *
   * @throws IllegalStateException if the runner was given no log
   */
  public Flux<GraphEvent> attach(long after) {
    return attach(after, Chunks.FROM_NOW_ON);
  }

  /** As {@link #attach(long)}, with other chunks or without. */
  public Flux<GraphEvent> attach(long after, Chunks chunks) {
    EventLog log = log();
    return FluxBoundary.returning(followed(log, after, chunks));
  }

  private EventLog log() {
    EventLog log = runner.log();
    if (log == null) {
      throw new IllegalStateException(
          "Following a thread requires an event log: build the runner with events(log).");
    }
    return log;
  }

  /**
   * As {@link #attach(long, Chunks)}, and emits a {@link GraphEvent.StateSnapshot} first: the state
   * at the cursor, to which the facts that follow apply. A follower begins with it after its cursor
   * was trimmed, or instead of reading the whole log. The state can be one that a run has announced
   * and not stored yet. If the checkpoint at the cursor was pruned, the snapshot is the state after
   * the next fact that moves the head, which then counts as applied.
   *
   * @throws IllegalStateException if the runner was given no log
   */
  public Flux<GraphEvent> attachWithState(long after, Chunks chunks) {
    EventLog log = log();
    return FluxBoundary.returning(Flux.defer(() -> new CursorState(id, log, store, graph())
        .snapshot(after, runner.now())
        .concatWith(followed(log, after, chunks))));
  }

  /** Follows the log until the runner is closed, and reads the facts appended until then. */
  private Flux<GraphEvent> followed(EventLog log, long after, Chunks chunks) {
    return Flux.defer(() -> {
      AtomicLong cursor = new AtomicLong(after);
      return Flux.from(log.follow(id, after, chunks, graph().schemas()))
          .takeUntilOther(runner.closed())
          .doOnNext(event -> cursor.set(event.sequence()))
          .concatWith(Flux.defer(() -> log.read(id, cursor.get(), graph().schemas())));
    });
  }

  /**
   * Asks the detached run of this thread to stop at the end of its step, and says whether this
   * runner has one.
   */
  public Mono<Boolean> stop() {
    return Mono.fromCallable(() -> runner.detached().stop(id));
  }

  /**
   * Leaves an input for when the thread has nothing else to do: it begins a turn at once, or as
   * soon as whoever is at the thread is done with it, in the order in which inputs came, as a
   * detached run. While the thread waits for somebody, was stopped or has failed, the input waits.
   *
   * <p>Ends with an {@link io.superstep.state.InvalidUpdateException} if the input does not fit,
   * and then it is not left. One that is refused only when its turn has come, by what the state
   * holds then, is given up, and the history of the thread says so.
   *
   * @param by who leaves it
   * @throws io.superstep.state.InvalidUpdateException if {@code input} is null
   */
  public Mono<QueuedInput> queue(Update input, String by) {
    Update.requireInput(input);
    return MonoBoundary.returning(Mono.defer(() -> {
      QueuedInput waiting =
          new QueuedInput(runner.uniqueName(), graph().schema().accept(input), by, runner.now());
      return StoreCall.mono(() -> store.enqueue(id, waiting, graph().schemas()))
          .then(Mono.<Void>fromRunnable(this::beginNext))
          .thenReturn(waiting);
    }));
  }

  /** The inputs that wait, the first one first. */
  public Flux<QueuedInput> queued() {
    return FluxBoundary.returning(StoreCall.flux(() -> store.queue(id, graph().schemas())));
  }

  /**
   * Begins with the next input, if one waits. If another run has the thread, it does so when it
   * gives the thread back.
   */
  private void beginNext() {
    beginNext(null);
  }

  /**
   * @param released the lease behind whose release the thread is resumed if its questions are
   *     answered; null if it is not resumed
   */
  private void beginNext(@Nullable Lease released) {
    if (!runner.isClosing()) {
      runner.detached().begin(id, runner.timer(), stop -> nextIfAny(stop, released));
    }
  }

  /**
   * Whatever keeps it from beginning, the input waits on, and the status of the thread says so. A
   * resume that is kept from acquiring the thread because the runner is closed is handed over.
   */
  private Flux<GraphEvent> nextIfAny(Stop stop, @Nullable Lease released) {
    return released == null
        ? nextIfAny(stop, false)
        : Flux.usingWhen(
            Mono.just(released),
            last -> nextIfAny(stop, true),
            last -> Mono.empty(),
            (last, failure) -> failure instanceof RunnerClosedException
                ? Hold.handedOver(last, runner, store)
                : Mono.empty(),
            last -> Hold.handedOver(last, runner, store));
  }

  private Flux<GraphEvent> nextIfAny(Stop stop, boolean resumes) {
    RunOptions options = runner.defaults().stoppedBy(stop);
    AtomicBoolean hasBegun = new AtomicBoolean();
    Consumer<@Nullable Lease> whenNext = again -> {
      if (hasBegun.get()) {
        beginNext(again); // else it would be tried for ever
      }
    };
    Mono<Hold> taken =
        resumes ? Hold.toResume(id, store, runner, whenNext) : Hold.of(id, store, runner, whenNext);
    return whenAsked(ran(taken, (hold, found) -> {
      if (isIdle(found)) {
        return next(options, hold, found, hasBegun);
      }
      hasBegun.set(true); // a resume that is recorded from now on is a new one
      SavedThread saved = found.orElseThrow();
      if (!resumes || !new TaskNotes(saved.notes()).areAnswered()) {
        return Flux.<GraphEvent>empty();
      }
      return goingOn(options, hold, saved);
    }));
  }

  /**
   * Goes on where somebody has vanished, tells the end, or begins with an input that waits. Emits
   * the lease of the run once it has begun.
   */
  Mono<Lease> takenOver() {
    return Mono.defer(() -> {
      AtomicReference<@Nullable Lease> lease = new AtomicReference<>();
      return detached(
              runner.defaults(),
              options -> whenAsked(ran((hold, found) -> {
                boolean isOpen = hold.events() != null && hold.events().isOpen();
                Flux<GraphEvent> run = isIdle(found) && !isOpen
                    ? next(options, hold, found, new AtomicBoolean())
                    : goingOn(options, hold, known(found));
                return run.doOnNext(begun -> lease.compareAndSet(null, hold.lease()));
              })))
          .flatMap(begun -> Mono.justOrEmpty(lease.get()));
    });
  }

  private static boolean isIdle(Optional<SavedThread> found) {
    Position at = found.map(SavedThread::position).orElse(null);
    return at == null || (at.isFinished() && at.pause().isEmpty());
  }

  /** @param hasBegun set when the input is taken */
  private Flux<GraphEvent> next(
      RunOptions options, Hold hold, Optional<SavedThread> found, AtomicBoolean hasBegun) {
    Mono<QueuedInput> first = queued().next().switchIfEmpty(Mono.fromRunnable(() -> {
      hasBegun.set(true);
      hold.settle();
    }));
    return first.flatMapMany(input -> {
      Flux<GraphEvent> turn;
      try {
        turn = begun(input.input(), options, true, hold, found, input.id());
      } catch (SuperstepException refused) {
        turn = givenUp(input, refused, hold, found);
      }
      return turn.doOnNext(any -> hasBegun.set(true)).doOnComplete(() -> hasBegun.set(true));
    });
  }

  /** Takes notice that an input cannot begin. */
  private Flux<GraphEvent> givenUp(
      QueuedInput input, SuperstepException refused, Hold hold, Optional<SavedThread> found) {
    ThreadJournal journal = journal(hold, found.orElse(null));
    State state = found.map(saved -> saved.position().state()).orElseGet(graph().schema()::start);
    Cause cause = Cause.update(
        input.by(), "gave up the input " + input.id() + ", refused with " + refused.code());
    Committed same = Superstep.idle(origin(journal), state);
    Commit commit = journal.begin(cause, runner.now(), same, input.id());
    return written(journal, commit)
        .then(announced(hold, List.of(commit)))
        .then(Mono.<Void>fromRunnable(() -> runner.reports().inputRefused(id, input.id(), refused)))
        .thenMany(Flux.empty());
  }

  private Flux<GraphEvent> goingOn(RunOptions options, Hold hold, SavedThread found) {
    if (!found.position().pause().isEmpty()) {
      return Flux.empty();
    }
    Superstep.requireFits(graph(), found.position());
    hold.expectRun();
    hold.begin(options);
    return desk().settleDue(found).flatMapMany(saved -> {
      ThreadJournal journal = journal(hold, saved);
      return StoreCall.mono(() -> journal.decide(Resume.GO_ON, graph(), false))
          .thenMany(
              logged(Opening.resumed(saved::position, List.of()), options, true, hold, journal));
    });
  }

  /** The questions that wait for an answer, in the order in which they were asked. */
  public Flux<TaskNote.Asked> questions() {
    return FluxBoundary.returning(state().flatMapIterable(SavedThread::questions));
  }

  /**
   * Answers a question. A run that is at other tasks of the step uses the answer before it ends;
   * otherwise a caller resumes the thread when all questions are answered. Of several who answer,
   * one wins.
   *
   * <p>Ends as {@link Resume#answer} says if it is not taken.
   *
   * @param question its key, or its id where several tasks ask under one key
   * @param by who answers
   */
  public Mono<Answer> answer(String question, @Nullable Object answer, String by) {
    return MonoBoundary.returning(desk().answer(question, answer, by));
  }

  AnswerDesk desk() {
    return new AnswerDesk(id, store, graph().schemas(), runner.clock(), runner::uniqueName);
  }

  /**
   * Takes the thread back to one of its checkpoints, changed by {@code change}, and goes on from
   * there. What was written since stays, as another branch.
   *
   * <p>All that is due there runs, also what had ended of a step under way. This goes for a node
   * with the policy {@code actingOutside()} too whose outcome is unknown: it acts again.
   *
   * <p>Ends with an {@link UnknownCheckpointException} if the thread has no such checkpoint.
   */
  public Flux<GraphEvent> fork(CheckpointId from, Update change) {
    return fork(from, change, "caller", null, RunOptions.NONE);
  }

  /**
   * As {@link #fork(CheckpointId, Update)}, with options for the run.
   *
   * @param author who does it
   * @param reason why, or null
   */
  public Flux<GraphEvent> fork(
      CheckpointId from,
      Update change,
      String author,
      @Nullable String reason,
      RunOptions options) {
    RunOptions effective = runner.effective(options);
    return whenAsked(ran((hold, head) -> StoreCall.mono(
            () -> store.load(id, from, graph().schemas()))
        .switchIfEmpty(Mono.error(() -> new UnknownCheckpointException(id, from)))
        .flatMapMany(saved -> {
          Superstep.requireFits(graph(), saved.position());
          hold.begin(effective);
          SavedThread left = known(head);
          ThreadJournal journal = journal(hold, left);
          Committed forked = Superstep.update(
              saved.position().resumed().under(origin(journal)), new Contribution(author, change));
          Commit commit = journal.branch(from, Cause.fork(author, reason), runner.now(), forked);
          Rebase rebase = left.checkpoint().id().equals(from)
              ? null
              : new Rebase(
                  left.checkpoint().id(),
                  Changes.between(left.position().state(), forked.position().state()));
          Opening opening = Opening.forked(forked, commit, rebase);
          return written(journal, commit, logged(opening, effective, true, hold, journal));
        })));
  }

  /**
   * Changes the state between two steps, as a checkpoint of its own; what is due stays due, and
   * what has ended of it is not run again.
   *
   * <p>The nodes of a subgraph that has begun see the change of the channels that it shares. Ends
   * with a {@link io.superstep.step.SubgraphUpdateException} if the change cannot be applied inside
   * a subgraph, as when it alters what was mapped into it.
   *
   * @param author who does it
   * @param reason why, or null
   */
  public Mono<Checkpoint> update(Update change, String author, @Nullable String reason) {
    return MonoBoundary.returning(
        update(List.of(Amendment.of(change, author, reason))).singleOrEmpty());
  }

  /**
   * Changes the state as if {@code node} had just said {@code change}: its edges and routes decide
   * what is due.
   *
   * @param author who does it
   * @param reason why, or null
   */
  public Mono<Checkpoint> updateAs(
      String node, Update change, String author, @Nullable String reason) {
    return MonoBoundary.returning(
        update(List.of(Amendment.of(change, author, reason).actingAs(node))).singleOrEmpty());
  }

  /**
   * Makes several changes one after the other, each as a checkpoint of its own, while nobody else
   * can come between them; they are told when all are written. If one of them is refused, none is
   * written; if the store fails, those before stay, as their checkpoints tell.
   */
  public Flux<Checkpoint> update(List<Amendment> amendments) {
    List<Amendment> inOrder = List.copyOf(amendments);
    return FluxBoundary.returning(Flux.defer(() -> {
      AtomicBoolean hasWritten = new AtomicBoolean();
      return held((hold, found) -> amended(inOrder, hold, known(found), hasWritten))
          .retryWhen(unlessTouched(hasWritten));
    }));
  }

  /**
   * Changes the state as {@code decide} wants when it has seen where the thread stands, while
   * nobody else can come between; if it wants nothing, that checkpoint is told.
   */
  Mono<Checkpoint> amend(Function<SavedThread, Mono<Amendment>> decide) {
    return Flux.defer(() -> {
          AtomicBoolean hasWritten = new AtomicBoolean();
          return held((hold, found) -> {
                SavedThread saved = known(found);
                return decide
                    .apply(saved)
                    .doOnError(refused -> hasWritten.set(true)) // it would be refused again
                    .flatMapMany(amendment -> amended(List.of(amendment), hold, saved, hasWritten))
                    .defaultIfEmpty(saved.checkpoint());
              })
              .retryWhen(unlessTouched(hasWritten));
        })
        .singleOrEmpty();
  }

  /** @param hasWritten set when something was written */
  private Flux<Checkpoint> amended(
      List<Amendment> amendments, Hold hold, SavedThread saved, AtomicBoolean hasWritten) {
    Superstep.requireFits(graph(), saved.position());
    List<Commit> commits = commits(amendments, hold, saved);
    return Flux.fromIterable(commits)
        .concatMap(commit -> StoreCall.mono(() -> hold.writer().commit(commit))
            .doOnSuccess(any -> hasWritten.set(true)))
        .then(announced(hold, commits))
        .thenMany(Flux.fromIterable(commits).map(commit -> commit.in(id)));
  }

  /** Appends the facts of checkpoints that no run announces. */
  private static Mono<Void> announced(Hold hold, List<Commit> commits) {
    ThreadEvents events = hold.events();
    return events == null ? Mono.empty() : events.announce(commits);
  }

  /** Tries again if somebody has answered a question in the very moment. */
  private static Retry unlessTouched(AtomicBoolean hasWritten) {
    return Retry.max(TOUCHES)
        .filter(refused -> refused instanceof CheckpointConflictException && !hasWritten.get())
        .onRetryExhaustedThrow((spec, last) -> last.failure());
  }

  private List<Commit> commits(List<Amendment> amendments, Hold hold, SavedThread saved) {
    Instant now = runner.now();
    List<Commit> commits = new ArrayList<>();
    SavedThread at = saved;
    for (Amendment amendment : amendments) {
      ThreadJournal journal = journal(hold, at);
      Position before = at.position();
      Committed changed = amended(before, amendment);
      Cause cause = Cause.update(amendment.author(), amendment.reason());
      Contribution change = new Contribution(amendment.author(), amendment.change());
      Commit commit = amendment.node() == null
          ? journal.between(
              cause,
              now,
              changed,
              notes -> Superstep.updateInside(graph(), before, changed.position(), change, notes))
          : journal.next(cause, now, changed, List.of());
      commits.add(commit);
      at = new SavedThread(commit.in(id), changed.position(), commit.notes(), commit.outbox(id));
    }
    return commits;
  }

  private Committed amended(Position position, Amendment amendment) {
    Contribution change = new Contribution(amendment.author(), amendment.change());
    return amendment.node() == null
        ? Superstep.update(position, change)
        : Superstep.updateAs(graph(), position, amendment.node(), change);
  }

  /**
   * Folds what another branch has changed since it parted from this one into the state, as a
   * checkpoint of its own. What is due stays due, and what has ended of it is not run again; what
   * is due on the other branch is not taken over. {@link Merge} says how channels are merged that
   * both have changed.
   *
   * <p>Ends with a {@link MergeConflictException} that names all channels in conflict, with an
   * {@link UnknownCheckpointException} if the thread has no such checkpoint, and with an
   * {@link UnmergeableException} if it has taken over all of that branch already, if what is needed
   * to tell what the branch has changed was removed, or if both have taken over from each other.
   *
   * @param other the last checkpoint of the branch
   * @param author who does it
   * @param reason why, or null
   */
  public Mono<Checkpoint> merge(CheckpointId other, String author, @Nullable String reason) {
    return merge(other, Map.of(), author, reason);
  }

  /**
   * As {@link #merge(CheckpointId, String, String)}, told who wins.
   *
   * @param decided who wins a channel that is in conflict, by its name: the thread as it is is
   *     ours, the other branch theirs. Channels that are not in conflict are merged as ever.
   */
  public Mono<Checkpoint> merge(
      CheckpointId other,
      Map<String, Merge.Winner> decided,
      String author,
      @Nullable String reason) {
    Cause cause = Cause.merge(new Source(id, other), author, reason);
    return MonoBoundary.returning(held((hold, found) -> {
          SavedThread head = known(found);
          Superstep.requireFits(graph(), head.position());
          return new Merging(this).brought(head, other, decided).flatMapMany(changes -> {
            ThreadJournal journal = journal(hold, head);
            Committed changed = Superstep.update(head.position(), changes, author);
            Commit commit = journal.between(
                cause,
                runner.now(),
                changed,
                notes -> Superstep.updateInside(
                    graph(), head.position(), changed.position(), changes, notes));
            return told(hold, journal, commit);
          });
        })
        .retryWhen(unlessTouched(new AtomicBoolean()))
        .singleOrEmpty());
  }

  /**
   * Begins another thread where this one stood at {@code from}: with its whole state, and with the
   * same work to do, paused if it was. Tasks of a step under way that had ended run again in the
   * copy, and so does a node with the policy {@code actingOutside()} whose outcome is unknown: it
   * acts again. From then on neither knows of the other; this one is not written to.
   *
   * <p>Ends with an {@link UnknownCheckpointException} if this thread has no such checkpoint, and
   * with a {@link ThreadExistsException} if there is a thread called {@code newThread}.
   *
   * @param newThread the id of the copy, as in {@link GraphRunner#thread}
   * @param author who does it
   * @param reason why, or null
   * @throws InvalidNameException if {@code newThread} is not such an id
   */
  public Mono<Checkpoint> copyTo(
      String newThread, CheckpointId from, String author, @Nullable String reason) {
    GraphThread copy = runner.thread(newThread);
    Cause cause = Cause.copy(new Source(id, from), author, reason);
    return MonoBoundary.returning(
        savedAt(from).flatMap(saved -> copy.begunAs(saved.position(), cause)));
  }

  /**
   * Where the thread stands: its state, what is due, and what is known of the tasks of a step that
   * was not committed; empty if nothing was ever written.
   */
  public Mono<SavedThread> state() {
    return MonoBoundary.returning(StoreCall.mono(() -> store.load(id, graph().schemas())));
  }

  /** Where the thread stood at one of its checkpoints; empty if it has no such checkpoint. */
  public Mono<SavedThread> state(CheckpointId at) {
    return MonoBoundary.returning(
        StoreCall.mono(() -> store.load(id, at, graph().schemas())));
  }

  /** All checkpoints, newest first. */
  public Flux<Checkpoint> history() {
    return history(HistoryFilter.ALL);
  }

  /**
   * What differs between two checkpoints, by channel: empty if nothing does.
   *
   * <p>Ends with an {@link UnknownCheckpointException} if the thread does not have both.
   */
  public Mono<Map<String, State.Difference>> diff(CheckpointId from, CheckpointId to) {
    return MonoBoundary.returning(Mono.zip(stateAt(from), stateAt(to), State::diff));
  }

  Mono<State> stateAt(CheckpointId at) {
    return savedAt(at).map(saved -> saved.position().state());
  }

  private Mono<SavedThread> savedAt(CheckpointId at) {
    return state(at).switchIfEmpty(Mono.error(() -> new UnknownCheckpointException(id, at)));
  }

  /** Some checkpoints, newest first. */
  public Flux<Checkpoint> history(HistoryFilter filter) {
    return FluxBoundary.returning(
        StoreCall.flux(() -> store.history(id, filter, graph().schemas())));
  }

  /**
   * Removes the thread and what it told, and says how many checkpoints it had.
   *
   * <p>Ends with a {@link io.superstep.checkpoint.ThreadBusyException} while a run is under way.
   */
  public Mono<Long> delete() {
    EventLog log = runner.log();
    return MonoBoundary.returning(StoreCall.mono(() -> store.delete(id))
        .flatMap(removed -> log == null
            ? Mono.just(removed)
            : StoreCall.mono(() -> log.delete(id)).thenReturn(removed)));
  }

  /**
   * Removes what {@code retention} does not keep, and says how many checkpoints went. What is left
   * can be loaded, forked and resumed as before.
   */
  public Mono<Long> prune(Retention retention) {
    return MonoBoundary.returning(StoreCall.mono(() -> store.prune(id, retention, runner.now())));
  }

  /** Where the time is counted that somebody waits for the thread. */
  Scheduler timer() {
    return runner.timer();
  }

  private Graph graph() {
    return runner.graph();
  }

  private SavedThread known(Optional<SavedThread> saved) {
    return saved.orElseThrow(() -> new UnknownThreadException(id));
  }

  private ThreadJournal journal(Hold hold, @Nullable SavedThread saved) {
    return new ThreadJournal(hold, graph().fingerprint(), saved);
  }

  /** What makes the ids of tasks unique in a line of steps that begins with the next checkpoint. */
  private String origin(ThreadJournal journal) {
    return id + "/" + journal.nextId();
  }

  private static Mono<Void> written(ThreadJournal journal, Commit commit) {
    return moved(journal, commit, journal.write(commit));
  }

  private static Mono<Void> moved(ThreadJournal journal, Commit commit, Mono<Void> writing) {
    return StoreCall.mono(() -> writing).then(Mono.fromRunnable(() -> journal.moved(commit)));
  }

  /**
   * Writes a checkpoint, and goes on with {@code then}. A store that writes at once is not waited
   * for: what waits would be there as long as the run.
   */
  private static <T> Flux<T> written(ThreadJournal journal, Commit commit, Flux<T> then) {
    Mono<Void> writing = journal.write(commit);
    if (!(writing instanceof Callable<?> atOnce)) {
      return moved(journal, commit, writing).thenMany(then);
    }
    try {
      atOnce.call();
    } catch (Throwable refused) {
      return Flux.error(CarriedError.wrap(refused));
    }
    journal.moved(commit);
    return then;
  }

  /** Writes a checkpoint and tells of it. */
  private Flux<Checkpoint> told(Hold hold, ThreadJournal journal, Commit commit) {
    return written(journal, commit)
        .then(announced(hold, List.of(commit)))
        .thenMany(Mono.just(commit.in(id)));
  }

  private Flux<GraphEvent> begun(
      Update input,
      RunOptions options,
      boolean heard,
      Hold hold,
      Optional<SavedThread> found,
      @Nullable String taken) {
    SavedThread saved = found.orElse(null);
    Cause cause = Cause.INPUT;
    if (saved != null && !saved.position().isFinished()) {
      if (!options.discardsUnfinished()) {
        throw new UnfinishedThreadException(
            id,
            saved.checkpoint().id(),
            saved.position().nodes(),
            saved.questions().stream().map(TaskNote.Asked::key).toList());
      }
      cause = Cause.inputInPlaceOf(saved.position().nodes(), saved.questions());
    }
    ThreadJournal journal = journal(hold, saved);
    State state = saved == null ? graph().schema().start() : saved.position().state();
    Committed opened = Superstep.open(graph(), origin(journal), state, input);
    hold.begin(options);
    Commit commit = journal.begin(cause, runner.now(), opened, taken);
    return written(
        journal, commit, logged(Opening.begun(opened, commit), options, heard, hold, journal));
  }

  /** The events of a run, which go to the log first if there is one. */
  private Flux<GraphEvent> logged(
      Opening opening, RunOptions options, boolean heard, Hold hold, ThreadJournal journal) {
    ThreadEvents events = hold.events();
    return events == null
        ? runner.events(opening, options, heard, journal)
        : events.of(last -> runner.events(opening.after(last), options, true, journal));
  }

  /** Begins this thread at a position of another one. */
  private Mono<Checkpoint> begunAs(Position position, Cause cause) {
    return held((hold, found) -> {
          found.ifPresent(there -> {
            throw new ThreadExistsException(id, there.checkpoint().id());
          });
          Superstep.requireFits(graph(), position);
          ThreadJournal journal = journal(hold, null);
          Committed copied = Superstep.copy(position, origin(journal));
          return told(hold, journal, journal.next(cause, runner.now(), copied, List.of()));
        })
        .singleOrEmpty();
  }

  /** Subscribes when somebody asks for something, and not before. */
  private static <T> Flux<T> whenAsked(Flux<T> work) {
    return Flux.defer(() -> {
      CompletableFuture<Void> asked = new CompletableFuture<>();
      return work.delaySubscription(Mono.fromFuture(asked, true)).doOnRequest(demand -> {
        if (demand > 0) {
          asked.complete(null);
        } else {
          asked.completeExceptionally(Exceptions.nullOrNegativeRequestException(demand));
        }
      });
    });
  }

  /** Runs something with the thread, once that is asked for. */
  private Flux<GraphEvent> ran(BiFunction<Hold, Optional<SavedThread>, Flux<GraphEvent>> work) {
    return ran(taken(), work);
  }

  private Flux<GraphEvent> ran(
      Mono<Hold> taken, BiFunction<Hold, Optional<SavedThread>, Flux<GraphEvent>> work) {
    return Flux.defer(() -> {
      runner.requireOpen();
      return held(taken, work);
    });
  }

  private Mono<Hold> taken() {
    return Hold.of(id, store, runner, this::beginNext);
  }

  /** Does something with the thread while nobody else may. */
  private <T> Flux<T> held(BiFunction<Hold, Optional<SavedThread>, Flux<T>> work) {
    return held(taken(), work);
  }

  private <T> Flux<T> held(
      Mono<Hold> taken, BiFunction<Hold, Optional<SavedThread>, Flux<T>> work) {
    return FluxBoundary.returning(Flux.usingWhen(
        taken,
        hold -> FluxBoundary.around(
                hold.opened().singleOptional().flatMapMany(saved -> contained(work, hold, saved)))
            .takeUntilOther(hold.kept()),
        Hold::givenBack,
        Hold::failed,
        Hold::abandoned));
  }

  private static <T> Flux<T> contained(
      BiFunction<Hold, Optional<SavedThread>, Flux<T>> work,
      Hold hold,
      Optional<SavedThread> saved) {
    try {
      return work.apply(hold, saved);
    } catch (Throwable failure) {
      return Flux.error(CarriedError.wrap(failure));
    }
  }
}
