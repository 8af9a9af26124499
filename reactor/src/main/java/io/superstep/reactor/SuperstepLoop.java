package io.superstep.reactor;

import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.error.Problem;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.CheckpointSaved;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunInterrupted;
import io.superstep.event.GraphEvent.RunResumed;
import io.superstep.event.GraphEvent.RunStarted;
import io.superstep.event.GraphEvent.RunStopped;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.StepStarted;
import io.superstep.event.GraphEvent.ThreadUpdated;
import io.superstep.event.GraphEvent.Warning;
import io.superstep.event.Moment;
import io.superstep.graph.Node;
import io.superstep.reactor.Watch.Scope;
import io.superstep.state.Transition.HandedBack;
import io.superstep.step.Budget;
import io.superstep.step.Outcome;
import io.superstep.step.StepResult;
import io.superstep.step.StepResult.Committed;
import io.superstep.step.Superstep;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/**
 * One run of a graph, for one subscriber.
 *
 * <pre>
 *                 ┌──────────────────────────────────────────────┐
 *  input ─► open ─┤  plan ──► execute ──► commit ──► announce    ├─► close ─► one last event
 *                 └───────▲──────────────────────────┬───────────┘
 *                         └──── while work is due ───┘
 * </pre>
 *
 * Every box but <i>execute</i> is a pure function of {@link Superstep}; what moves is here. The
 * methods stand in the order in which they are called, and all of them are called from inside the
 * drain, which starts the next one when everything before it has been delivered and more is asked
 * for. What one of them throws ends the run with it.
 */
final class SuperstepLoop extends EventDrain {

  private final Run run;
  private final boolean heard;
  private final RunWatch watch;
  private Moment moment;
  private long sequence;
  private @Nullable Position position;

  /** The first execution of the tasks of the step under way, which all of them share. */
  private @Nullable Execution execution;

  private Budget budget;
  private @Nullable StepTasks tasks;
  private boolean isWriting;

  /** For the store, with no step under way. */
  private boolean isWaiting;

  /** Whether the last step ended because a graph inside one of its tasks was stopped. */
  private boolean isStoppedInside;

  /** Whether tasks of the step are to run again because their questions were answered. */
  private volatile boolean isAnswered;

  /** Whether questions were answered that the run leaves to another one, as it is to stop. */
  private boolean leavesAnswers;

  /** Whether another run took the thread before this one could use the answers. */
  private volatile boolean isTakenOver;

  private StallDetector.@Nullable Watched watched;

  /** The node that was started last. */
  private @Nullable Node lastStarted;

  /** The number of committed steps when the pass of the drain began, or when the run was opened. */
  private int stepsBefore;

  SuperstepLoop(Run run, CoreSubscriber<? super GraphEvent> subscriber) {
    super(subscriber, run.environment().drains());
    this.run = run;
    this.heard = run.environment().heard();
    this.sequence = run.opening().after();
    this.budget = run.environment().budget();
    this.moment = new Moment(run.path(), 0, run.environment().now());
    this.watch = RunWatch.begin(run, context());
  }

  @Override
  void advance() {
    Journal journal = run.journal();
    if (position == null) {
      open();
    } else if (journal != null && (isAnswered || journal.isResting())) {
      takeAgain(position, journal);
    } else {
      step(position);
    }
  }

  /**
   * Acquires the thread again, after it was released for want of demand, or to use answers. If
   * another run has acquired it to use the answers, this one ends.
   */
  private void takeAgain(Position from, Journal journal) {
    isWaiting = true;
    Mono<Void> taken = journal.returned(isAnswered);
    Runnable then = () -> {
      isWaiting = false;
      isAnswered = false;
      if (isTakenOver) {
        journal.takenOver();
        end(from, Ending.INTERRUPTED);
      }
    };
    save(isAnswered ? taken.onErrorResume(this::isOvertaken, this::leave) : taken, then, null);
  }

  private boolean isOvertaken(Throwable refused) {
    return refused instanceof ThreadBusyException || refused instanceof CheckpointConflictException;
  }

  private Mono<Void> leave(Throwable overtaken) {
    return Mono.fromRunnable(() -> isTakenOver = true);
  }

  private void open() {
    if (run.journal() != null) {
      run.journal().reportTo(this);
    }
    watched = run.environment().stalls().watch(this);
    Committed opened = run.open();
    position = opened.position();
    stepsBefore = opened.position().step();
    if (isHeard()) {
      announceOpening(opened);
      run.warnings().forEach(problem -> announce(new Warning(moment, next(), problem)));
    }
  }

  private void announceOpening(Committed opened) {
    Commit commit = run.opening().commit();
    if (commit != null && run.isResumed()) {
      announce(new ThreadUpdated(
          moment,
          next(),
          commit.id(),
          commit.parent(),
          commit.cause(),
          commit.changes(),
          opened.position().state(),
          run.opening().rebase()));
      announceIfDurable(commit);
    }
    if (run.isResumed()) {
      announce(new RunResumed(moment, next()));
      return;
    }
    announce(new RunStarted(
        moment,
        next(),
        commit == null ? null : commit.id(),
        commit == null ? null : commit.parent(),
        opened.changes(),
        opened.position().state()));
    if (commit != null) {
      announceIfDurable(commit);
    }
  }

  private void announceIfDurable(Commit commit) {
    if (Objects.requireNonNull(run.journal()).isSafe()) {
      tellSaved(commit);
    }
  }

  private void step(Position from) {
    List<Task> plan = plan(from);
    if (plan.isEmpty()) {
      close(from, ending(from));
      return;
    }
    budget.requireMore(from.step());
    if (isHeard() || run.journal() != null) {
      moment = new Moment(run.path(), from.step() + 1, run.environment().now());
    }
    if (isHeard()) {
      announce(new StepStarted(moment, next(), plan));
      if (isCancelled()) {
        return;
      }
    }
    watch.step(from.step() + 1);
    execution = run.execution(execution);
    tasks = new StepTasks(this, run, plan, from);
    List<TaskNote> intents = tasks.intents();
    if (intents.isEmpty()) {
      begin();
    } else {
      isWriting = true;
      save(Objects.requireNonNull(run.journal()).intend(intents), this::begin, null);
    }
  }

  private void begin() {
    isWriting = false;
    if (tasks != null) {
      tasks.start();
      commitIfDone();
    }
  }

  /** Hears from a task, whose last word may end the step, or from the store. */
  @Override
  void receive(Object signal) {
    if (signal == Hold.Need.ASKED) {
      restIfStarved();
      return;
    }
    if (isDone()) {
      return;
    }
    if (signal instanceof Saving saved) {
      saved.proceed(); // which may make room for other tasks of a node
    } else if (signal instanceof Saving.Refused refused) {
      failSaving(refused.error(), null);
    } else if (signal instanceof Saving.Done saved) {
      tellSaved(saved.commit());
    } else if (signal instanceof TaskSignal word && tasks != null) {
      tasks.receive(word);
    }
    if (tasks != null && !isWriting) {
      tasks.start();
    }
    commitIfDone();
  }

  /** Tells that a checkpoint is safe. */
  private void tellSaved(Commit commit) {
    if (isHeard()) {
      Moment then = new Moment(run.path(), commit.position().step(), commit.time());
      announce(new CheckpointSaved(then, next(), commit.id()));
    }
  }

  /**
   * Writes something down, and goes on when it is safe; only from inside the drain.
   *
   * @param because what went wrong before, to be told along if this fails; null if nothing did
   */
  void save(Mono<Void> write, Runnable then, @Nullable Throwable because) {
    if (isCancelled()) {
      return; // another attempt may be at it
    }
    boolean isWritten = write instanceof Callable<?>;
    try {
      if (write instanceof Callable<?> atOnce) {
        atOnce.call();
      } else {
        write.subscribe(new Saving(this, then, because));
      }
    } catch (Throwable refused) {
      failSaving(CarriedError.unwrap(refused), because);
      return;
    }
    if (isWritten) {
      then.run();
    }
  }

  void failSaving(Throwable refused, @Nullable Throwable because) {
    if (because != null && because != refused) {
      refused.addSuppressed(because);
    }
    letGo(Ending.FAILED, refused);
    endWith(run.isNested() ? new Refusal(refused) : refused);
  }

  private void commitIfDone() {
    if (tasks == null || position == null || isWriting || isCancelled()) {
      return;
    }
    Throwable failure = tasks.failure();
    if (failure != null) {
      fail(failure);
    } else if (tasks.areDone()) {
      commit(position, tasks);
    }
  }

  /** Makes the step's outcome the place where the run stands, as a whole or not at all. */
  private void commit(Position from, StepTasks finished) {
    List<Outcome> outcomes = finished.outcomes();
    Journal journal = run.journal();
    if (journal == null) {
      Committed committed = (Committed) fold(from, outcomes);
      run.committed(outcomes, committed);
      conclude(finished, committed, null);
      return;
    }
    isWriting = true;
    StepResult result;
    try {
      result = fold(from, outcomes);
    } catch (Throwable refused) {
      Runnable then = () -> {
        finished.tellLast();
        fail(refused);
      };
      save(journal.record(finished.unrecorded(refused)), then, refused);
      return;
    }
    if (!(result instanceof Committed committed)) {
      tasks = null;
      isStoppedInside = finished.isStoppedInside();
      watch.endStep(Ending.INTERRUPTED, null);
      if (finished.havePause()) {
        interrupted(from, journal);
      } else {
        close(from, Ending.STOPPED);
      }
      return;
    }
    Runnable then = () -> {
      isWriting = false;
      Commit written = journal.turn();
      finished.tellLast();
      conclude(finished, committed, written);
      if (written != null) {
        announceIfDurable(written);
      }
    };
    run.committed(outcomes, committed);
    Mono<Void> written =
        journal.commit(moment.time(), committed, finished.credits(), finished.memories());
    save(written, then, null);
  }

  /**
   * Runs those tasks of the step again whose questions were answered while others ran, or closes.
   * In between the thread is given back and taken again, so that a task that runs twice in one run
   * does so under two fences.
   */
  private void interrupted(Position from, Journal journal) {
    if (run.isNested()) {
      close(from, Ending.INTERRUPTED); // the run around it looks
      return;
    }
    isWaiting = true;
    Mono<Void> look =
        journal.answered().doOnNext(answered -> isAnswered = answered).then();
    Runnable then = () -> {
      isWaiting = false;
      leavesAnswers = isAnswered && run.isStopping();
      isAnswered &= !leavesAnswers;
      if (isAnswered) {
        isWriting = false;
      } else {
        close(from, Ending.INTERRUPTED);
      }
    };
    save(look, then, null);
  }

  private void conclude(StepTasks finished, Committed committed, @Nullable Commit written) {
    tasks = null;
    position = committed.position();
    budget = budget.afterStep(committed.startedOver());
    finished.keepAnswers();
    watch.endStep(Ending.COMPLETED, null);
    if (isHeard()) {
      announce(new StepCommitted(
          moment,
          next(),
          written == null ? null : written.id(),
          written == null ? null : written.parent(),
          committed.changes(),
          committed.position().state()));
      for (HandedBack back : committed.handedBack()) {
        announce(new Warning(moment, next(), handedBack(back)));
      }
    }
  }

  private StepResult fold(Position from, List<Outcome> outcomes) {
    Scope scope = watch.enterStep();
    try {
      return Superstep.commit(run.graph(), from, outcomes);
    } finally {
      TaskWatch.leave(scope);
    }
  }

  /** Ends the run when all of it is written. */
  private void close(Position end, Ending ending) {
    Journal journal = run.journal();
    if (journal == null) {
      end(end, ending);
    } else {
      isWaiting = true;
      save(journal.flush(), () -> end(end, ending), null);
    }
  }

  private void end(Position end, Ending ending) {
    finish();
    watch.end(ending, null);
    run.ended(ending, isStoppedInside || leavesAnswers || ending == Ending.STOPPED);
    if (!isHeard() && run.isNested()) {
      return;
    }
    List<TaskNote.Asked> questions = ending == Ending.INTERRUPTED ? questions() : List.of();
    if (!questions.isEmpty()) {
      Objects.requireNonNull(run.journal()).waitForAnswers();
    }
    if (ending == Ending.INTERRUPTED) {
      long number = isTakenOver ? last() : next(); // the next fact is one of the other run
      announce(new RunInterrupted(moment, number, end, head(), questions));
    } else if (ending == Ending.STOPPED) {
      announce(new RunStopped(moment, next(), end, head()));
    } else {
      announce(
          new RunCompleted(moment, next(), end, head(), Superstep.unfilledJoins(run.graph(), end)));
    }
  }

  private @Nullable CheckpointId head() {
    return run.journal() == null ? null : run.journal().head();
  }

  private List<TaskNote.Asked> questions() {
    return run.journal() == null ? List.of() : run.journal().openQuestions();
  }

  /**
   * Releases the thread if the run waits for demand, and has no task and no write under way. A run
   * that has no work left ends first, so that its last event is stored.
   */
  private void restIfStarved() {
    Journal journal = run.journal();
    Position from = position;
    if (journal == null || from == null || !isStarved()) {
      return;
    }
    if (isDone()) {
      journal.rest(undelivered(), failure());
    } else if (!isUnderWay()) {
      boolean isOver = !isAnswered && !journal.isResting() && plan(from).isEmpty();
      isWaiting = true;
      save(journal.flush(), () -> rest(from, journal, isOver), null);
    }
  }

  private void rest(Position from, Journal journal, boolean isOver) {
    isWaiting = false;
    if (isOver) {
      end(from, ending(from));
    }
    if (isStarved()) {
      journal.rest(undelivered(), failure());
    }
  }

  /** A run of a closing runner does not wait for the next renewal to release its thread. */
  @Override
  void starved() {
    if (run.environment().closing().isRequested()) {
      restIfStarved();
    }
  }

  private List<Task> plan(Position from) {
    return run.isStopping() ? List.of() : Superstep.plan(from);
  }

  /** Returns how a run ends at {@code end}; a stop that leaves no work undone stops nothing. */
  private static Ending ending(Position end) {
    if (!end.pause().isEmpty()) {
      return Ending.INTERRUPTED;
    }
    return end.isFinished() ? Ending.COMPLETED : Ending.STOPPED;
  }

  private static Problem handedBack(HandedBack back) {
    return new Problem(
        "SG-152",
        "Node '" + back.writer() + "' wrote the unchanged value of channel '" + back.channel()
            + "', which has no effect.",
        "channel '" + back.channel() + "', written by '" + back.writer() + "'",
        "Return an update with the changed channels only, and not a copy of the state.");
  }

  /** Whether anybody wants to know what happens on the way; of any other run the end is enough. */
  boolean isHeard() {
    return heard;
  }

  /** The number of the next fact. */
  long next() {
    return ++sequence;
  }

  /** The number of the last fact. */
  long last() {
    return sequence;
  }

  /** The execution of a task of the step under way that starts with its first attempt. */
  Execution execution() {
    return Objects.requireNonNull(execution);
  }

  /** How far the run may still go. */
  Budget budget() {
    return budget;
  }

  Moment moment() {
    return moment;
  }

  /** Returns the moment of an event that has a time of its own. */
  Moment momentAt(Instant time) {
    return new Moment(moment.path(), moment.step(), time);
  }

  RunWatch watch() {
    return watch;
  }

  /** Marks {@code node} as the one that was started last. */
  void starts(Node node) {
    lastStarted = node;
  }

  @Override
  void passBegins() {
    if (position != null) {
      stepsBefore = position.step();
    }
  }

  @Override
  void passWasSlow(Duration duration) {
    int committed = position == null ? 0 : position.step();
    int last = tasks == null ? committed : committed + 1;
    int first = Math.min(stepsBefore + 1, last);
    String node = lastStarted == null ? null : lastStarted.name();
    Objects.requireNonNull(run.environment().drains()).report(run, first, last, node, duration);
  }

  @Override
  boolean isUnderWay() {
    return tasks != null || isWaiting;
  }

  /** Fails when all that was done before is written. */
  @Override
  void fail(Throwable error) {
    letGo(Ending.FAILED, error);
    if (run.journal() == null) {
      failNow(error);
      return;
    }
    isWriting = true;
    isWaiting = true;
    save(run.journal().flush(), () -> endWith(error), error);
  }

  private void endWith(Throwable error) {
    if (run.journal() != null) {
      run.journal().end(false);
    }
    failNow(error);
  }

  /** Samples the running tasks, unless they wait for demand; called by the stall detector. */
  void sample(StallDetector detector) {
    StepTasks current = tasks;
    if (current != null && !isStarved()) {
      current.sample(detector);
    }
  }

  @Override
  void release(@Nullable Throwable error) {
    if (watched != null) {
      run.environment().stalls().forget(watched);
    }
    letGo(error == null ? Ending.CANCELLED : Ending.FAILED, error); // unless it has ended before
  }

  private void letGo(Ending ending, @Nullable Throwable error) {
    if (tasks != null) {
      tasks.cancel();
    }
    watch.end(ending, error);
  }
}
