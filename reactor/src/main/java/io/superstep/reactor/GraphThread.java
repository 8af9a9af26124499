package io.superstep.reactor;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Cause.Source;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.HistoryFilter;
import io.superstep.checkpoint.MergeConflictException;
import io.superstep.checkpoint.Parting;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.ThreadExistsException;
import io.superstep.checkpoint.UnfinishedThreadException;
import io.superstep.checkpoint.UnknownCheckpointException;
import io.superstep.checkpoint.UnknownThreadException;
import io.superstep.checkpoint.UnmergeableException;
import io.superstep.error.Problem;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.question.Answer;
import io.superstep.state.Changes;
import io.superstep.state.Contribution;
import io.superstep.state.Merge;
import io.superstep.state.Merge.Line;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.step.StepResult.Committed;
import io.superstep.step.Superstep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

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
   */
  public Flux<GraphEvent> stream(Update input) {
    return stream(input, runner.defaults());
  }

  /** As {@link #stream(Update)}, with options for this run. */
  public Flux<GraphEvent> stream(Update input, RunOptions options) {
    return whenAsked(held((hold, saved) -> begun(input, options, true, hold, saved)));
  }

  /** Begins a turn as {@link #stream(Update)} does, and tells how it ended. */
  public Mono<RunResult> run(Update input) {
    return run(input, runner.defaults());
  }

  /** As {@link #run(Update)}, with options for this run. */
  public Mono<RunResult> run(Update input, RunOptions options) {
    return RunResult.of(
        held((hold, saved) -> begun(input, options, runner.mustBeHeard(), hold, saved)));
  }

  /**
   * Goes on where the thread stands: what an earlier run left undone is done, and what it had done
   * is not done again.
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
    return resume(with, runner.defaults());
  }

  /** As {@link #resume(Resume)}, with options for this run. */
  public Flux<GraphEvent> resume(Resume with, RunOptions options) {
    return whenAsked(held((hold, found) -> {
      SavedThread saved = known(found);
      Superstep.requireFits(graph(), saved.position());
      hold.writes(options.durability());
      return desk()
          .answer(saved, with.answers(), with.by())
          .flatMapMany(settled -> resumed(with, options, hold, settled));
    }));
  }

  private Flux<GraphEvent> resumed(
      Resume with, RunOptions options, Hold hold, AnswerDesk.Settled settled) {
    SavedThread saved = settled.saved();
    ThreadJournal journal = journal(hold, saved);
    List<Problem> warnings =
        settled.refused().stream().flatMap(each -> each.problems().stream()).toList();
    Opening opening = Opening.resumed(() -> saved.position().resumed(), warnings);
    return journal.decide(with, graph()).thenMany(runner.events(opening, options, true, journal));
  }

  /** The questions that wait for an answer, in the order in which they were asked. */
  public Flux<TaskNote.Asked> questions() {
    return state().flatMapIterable(SavedThread::questions);
  }

  /**
   * Answers a question, and lets the thread stand as it is: somebody resumes it when all are
   * answered. It may be done while a run is at other tasks. Of several who answer, one wins.
   *
   * <p>Ends as {@link Resume#answer} says if it is not taken.
   *
   * @param question its key, or its id where several tasks ask under one key
   * @param by who answers
   */
  public Mono<Answer> answer(String question, @Nullable Object answer, String by) {
    return desk().answer(question, answer, by);
  }

  AnswerDesk desk() {
    return new AnswerDesk(id, store, graph().schema(), runner.clock());
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
    return fork(from, change, "caller", null, runner.defaults());
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
    return whenAsked(held((hold, head) -> Mono.from(store.load(id, from, graph().schema()))
        .switchIfEmpty(Mono.error(() -> new UnknownCheckpointException(id, from)))
        .flatMapMany(saved -> {
          Superstep.requireFits(graph(), saved.position());
          hold.writes(options.durability());
          ThreadJournal journal = journal(hold, known(head));
          Committed forked = Superstep.update(
              saved.position().under(origin(journal)), new Contribution(author, change));
          Commit commit = journal.branch(from, Cause.fork(author, reason), runner.now(), forked);
          Opening opening = Opening.resumed(() -> forked.position().resumed(), List.of());
          return written(journal, commit).thenMany(runner.events(opening, options, true, journal));
        })));
  }

  /**
   * Changes the state between two steps, as a checkpoint of its own; what is due stays due, and
   * what has ended of it is not run again.
   *
   * @param author who does it
   * @param reason why, or null
   */
  public Mono<Checkpoint> update(Update change, String author, @Nullable String reason) {
    return update(List.of(Amendment.of(change, author, reason))).singleOrEmpty();
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
    return update(List.of(Amendment.of(change, author, reason).actingAs(node))).singleOrEmpty();
  }

  /**
   * Makes several changes one after the other, each as a checkpoint of its own, while nobody else
   * can come between them; they are told when all are written. If one of them is refused, none is
   * written; if the store fails, those before stay, as their checkpoints tell.
   */
  public Flux<Checkpoint> update(List<Amendment> amendments) {
    List<Amendment> inOrder = List.copyOf(amendments);
    return held((hold, found) -> {
      SavedThread saved = known(found);
      Superstep.requireFits(graph(), saved.position());
      List<Commit> commits = commits(inOrder, hold, saved);
      return Flux.fromIterable(commits)
          .concatMap(commit -> hold.writer().commit(commit))
          .thenMany(Flux.fromIterable(commits).map(commit -> commit.in(id)));
    });
  }

  private List<Commit> commits(List<Amendment> amendments, Hold hold, SavedThread saved) {
    Instant now = runner.now();
    List<Commit> commits = new ArrayList<>();
    SavedThread at = saved;
    for (Amendment amendment : amendments) {
      ThreadJournal journal = journal(hold, at);
      Committed changed = amended(at.position(), amendment);
      Cause cause = Cause.update(amendment.author(), amendment.reason());
      Commit commit = amendment.node() == null
          ? journal.between(cause, now, changed)
          : journal.next(cause, now, changed, List.of());
      commits.add(commit);
      at = new SavedThread(commit.in(id), changed.position(), commit.notes());
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
    return held((hold, found) -> {
          SavedThread head = known(found);
          Superstep.requireFits(graph(), head.position());
          return merged(head, other, decided).flatMapMany(changes -> {
            ThreadJournal journal = journal(hold, head);
            Committed changed = Superstep.update(head.position(), changes, author);
            return told(journal, journal.between(cause, runner.now(), changed));
          });
        })
        .singleOrEmpty();
  }

  /** What {@code other} brings to the head. */
  private Mono<Changes> merged(
      SavedThread head, CheckpointId other, Map<String, Merge.Winner> decided) {
    CheckpointId at = head.checkpoint().id();
    return stateAt(other)
        .flatMap(theirs -> parting(at, other).flatMap(parting -> {
          CheckpointId base = meaningful(parting, at, other);
          return stateAt(base).map(start -> {
            Merge merge = Merge.of(
                start,
                new Line(head.position().state(), parting.ours()),
                new Line(theirs, parting.theirs()),
                decided);
            if (!merge.conflicts().isEmpty()) {
              throw new MergeConflictException(id, at, other, base, merge.conflicts());
            }
            return merge.changes();
          });
        }));
  }

  private Mono<Parting> parting(CheckpointId ours, CheckpointId theirs) {
    return Mono.defer(() -> {
      Parting parting = new Parting(ours, theirs);
      return history().takeUntil(parting::read).then(Mono.just(parting));
    });
  }

  /** The base of a parting from which something can be learnt. */
  private CheckpointId meaningful(Parting parting, CheckpointId head, CheckpointId other) {
    CheckpointId base = parting.base();
    if (base == null) {
      throw UnmergeableException.unrelated(id, head, other);
    }
    if (base.equals(other)) {
      throw UnmergeableException.hasIt(id, head, other);
    }
    if (parting.isCrossed()) {
      throw UnmergeableException.crossed(id, head, other);
    }
    if (parting.isCut()) {
      throw UnmergeableException.unrelated(id, head, other);
    }
    return base;
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
   * @param author who does it
   * @param reason why, or null
   */
  public Mono<Checkpoint> copyTo(
      String newThread, CheckpointId from, String author, @Nullable String reason) {
    Cause cause = Cause.copy(new Source(id, from), author, reason);
    return savedAt(from)
        .flatMap(saved -> runner.thread(newThread).begunAs(saved.position(), cause));
  }

  /**
   * Where the thread stands: its state, what is due, and what is known of the tasks of a step that
   * was not committed; empty if nothing was ever written.
   */
  public Mono<SavedThread> state() {
    return Mono.defer(() -> Mono.from(store.load(id, graph().schema())));
  }

  /** Where the thread stood at one of its checkpoints; empty if it has no such checkpoint. */
  public Mono<SavedThread> state(CheckpointId at) {
    return Mono.defer(() -> Mono.from(store.load(id, at, graph().schema())));
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
    return Mono.zip(stateAt(from), stateAt(to), State::diff);
  }

  private Mono<State> stateAt(CheckpointId at) {
    return savedAt(at).map(saved -> saved.position().state());
  }

  private Mono<SavedThread> savedAt(CheckpointId at) {
    return state(at).switchIfEmpty(Mono.error(() -> new UnknownCheckpointException(id, at)));
  }

  /** Some checkpoints, newest first. */
  public Flux<Checkpoint> history(HistoryFilter filter) {
    return Flux.defer(() -> store.history(id, filter));
  }

  /** Removes the thread, and says how many checkpoints it had. */
  public Mono<Long> delete() {
    return Mono.defer(() -> Mono.from(store.delete(id)));
  }

  /**
   * Removes what {@code retention} does not keep, and says how many checkpoints went. What is left
   * can be loaded, forked and resumed as before.
   */
  public Mono<Long> prune(Retention retention) {
    return Mono.defer(() -> Mono.from(store.prune(id, retention, runner.now())));
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
    return journal.write(commit).then(Mono.fromRunnable(() -> journal.moved(commit)));
  }

  /** Writes a checkpoint and tells of it. */
  private Flux<Checkpoint> told(ThreadJournal journal, Commit commit) {
    return written(journal, commit).thenMany(Mono.just(commit.in(id)));
  }

  private Flux<GraphEvent> begun(
      Update input, RunOptions options, boolean heard, Hold hold, Optional<SavedThread> found) {
    SavedThread saved = found.orElse(null);
    Cause cause = Cause.INPUT;
    if (saved != null && !saved.position().isFinished()) {
      if (!options.discardsUnfinished()) {
        throw new UnfinishedThreadException(
            id, saved.checkpoint().id(), saved.position().nodes());
      }
      cause = Cause.inputInPlaceOf(saved.position().nodes(), saved.questions());
    }
    hold.writes(options.durability());
    ThreadJournal journal = journal(hold, saved);
    State state = saved == null ? graph().schema().start() : saved.position().state();
    Committed opened = Superstep.open(graph(), origin(journal), state, input);
    return written(journal, journal.next(cause, runner.now(), opened, List.of()))
        .thenMany(runner.events(Opening.begun(opened::position), options, heard, journal));
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
          return told(journal, journal.next(cause, runner.now(), copied, List.of()));
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

  /** Does something with the thread while nobody else may. */
  private <T> Flux<T> held(BiFunction<Hold, Optional<SavedThread>, Flux<T>> work) {
    return Flux.usingWhen(
        Hold.of(id, store, graph().schema(), runner.timer()),
        hold -> Mono.from(store.load(id, graph().schema()))
            .map(Optional::of)
            .defaultIfEmpty(Optional.empty())
            .flatMapMany(saved -> work.apply(hold, saved))
            .takeUntilOther(hold.kept()),
        Hold::givenBack,
        (hold, failure) -> hold.givenBack(),
        Hold::abandoned);
  }
}
