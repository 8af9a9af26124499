package io.superstep.event;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote.Asked;
import io.superstep.checkpoint.UnfilledJoin;
import io.superstep.error.Problem;
import io.superstep.message.Message;
import io.superstep.question.Answer;
import io.superstep.state.Changes;
import io.superstep.state.State;
import io.superstep.state.Update;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a run tells its subscriber, in the order in which it happened.
 *
 * <p>Facts are numbered without a gap. A {@link Provisional} event rides beside them: it says what
 * a task is doing, may be void if the task is tried again, and carries the number of the fact
 * before it.
 */
public sealed interface GraphEvent {

  /** Returns its place and its times. */
  Moment moment();

  /** The number of this fact, from 1, or of the fact before it if it is provisional. */
  long sequence();

  /** Returns the same event with another moment and number. */
  GraphEvent with(Moment other, long number);

  /** Returns the same event with another number, for the stream of which it has become a part. */
  default GraphEvent numbered(long other) {
    return with(moment(), other);
  }

  /** Returns the same event with the time at which it is appended to an event log. */
  default GraphEvent appendedAt(Instant time) {
    return with(new Moment(path(), step(), time(), time), sequence());
  }

  /** The nodes that lead to the nested graph it happened in; empty at the top. */
  default String path() {
    return moment().path();
  }

  /** The number of the step it belongs to, 0 before the first. */
  default int step() {
    return moment().step();
  }

  /**
   * Returns the time at which its step began; of a chunk, the time at which its node emitted it.
   */
  default Instant time() {
    return moment().time();
  }

  /**
   * Returns the time at which this fact was appended to the event log of its thread. Null without
   * an event log, and of events that are no facts.
   */
  default @Nullable Instant appended() {
    return moment().appended();
  }

  /**
   * An event of a task. Of two events of one task that with the greater execution supersedes what
   * the other execution emitted before.
   */
  sealed interface OfTask extends GraphEvent {

    Task task();

    /** The execution of the task that emitted it. */
    Execution execution();

    /** The attempt of the task that emitted it; the first is 1. */
    default int attempt() {
      return execution().attempt();
    }
  }

  /**
   * A fact that moves the head of a thread, or begins or commits a step of a run without a thread.
   *
   * <p>The stored state of a thread is a left fold over these facts. A fact whose parent is null
   * replaces the folded state by its own. A fact whose parent is the checkpoint of the folded state
   * applies its changes. A fact whose {@link ThreadUpdated#rebase} names that checkpoint applies
   * the changes of the rebase. A fact of an equal or older checkpoint is already part of the state.
   */
  sealed interface HeadMoved extends GraphEvent {

    /**
     * The new head; null in a run without a thread, and inside a nested graph. A fact without one
     * does not move the head of a thread, and the fold of the facts of a thread leaves it out.
     */
    @Nullable
    CheckpointId checkpoint();

    /** The checkpoint that the changes start from; null if they start from the initial state. */
    @Nullable
    CheckpointId parent();

    /** The delta from the state of the parent. */
    Changes changes();

    /** The state at the checkpoint. */
    State state();
  }

  /**
   * An event that is emitted before its step is committed. It is void if the attempt or an
   * enclosing attempt fails, or if a greater execution of its task begins. A greater execution of
   * an enclosing task does not void it: a nested graph continues behind its last recorded step.
   */
  sealed interface Provisional extends OfTask {}

  /** What ends a run that did not fail; exactly one of them is the last event. */
  sealed interface Terminal extends GraphEvent {

    /** Where the run stands. */
    Position position();

    /** The head of the thread; null in a run without a thread, and inside a nested graph. */
    @Nullable
    CheckpointId checkpoint();

    /** The state it ended with. */
    default State state() {
      return position().state();
    }
  }

  /**
   * The run began with an input.
   *
   * @param checkpoint of the input
   * @param parent the head before the input; null in a new thread
   * @param changes the input, folded into the state of the parent
   */
  record RunStarted(
      Moment moment,
      long sequence,
      @Nullable CheckpointId checkpoint,
      @Nullable CheckpointId parent,
      Changes changes,
      State state)
      implements HeadMoved {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new RunStarted(other, number, checkpoint, parent, changes, state);
    }
  }

  /**
   * The head of a thread moved other than by an input or a step: an update from outside, a merge, a
   * fork, a copy, or a return to the last checkpoint that was saved before a crash.
   *
   * @param cause of the checkpoint
   * @param rebase the delta from the previous head; null if that is the parent, or there is none
   */
  record ThreadUpdated(
      Moment moment,
      long sequence,
      CheckpointId checkpoint,
      @Nullable CheckpointId parent,
      Cause cause,
      Changes changes,
      State state,
      @Nullable Rebase rebase)
      implements HeadMoved {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new ThreadUpdated(other, number, checkpoint, parent, cause, changes, state, rebase);
    }
  }

  /**
   * The delta between two heads of which the later is not a child of the earlier.
   *
   * @param previous the head before
   * @param changes what leads from its state to the state of the new head
   */
  record Rebase(CheckpointId previous, Changes changes) {}

  /**
   * The state of a thread at the cursor of a follower. It is not a fact: no log stores it, and its
   * number is the cursor.
   *
   * @param checkpoint the head at the cursor; null if the thread had none
   */
  record StateSnapshot(
      Moment moment, long sequence, @Nullable CheckpointId checkpoint, State state)
      implements GraphEvent {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new StateSnapshot(other, number, checkpoint, state);
    }
  }

  /** The run went on where an earlier one had stood. */
  record RunResumed(Moment moment, long sequence) implements GraphEvent {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new RunResumed(other, number);
    }
  }

  /** The tasks of a step are about to run, in plan order. */
  record StepStarted(Moment moment, long sequence, List<Task> tasks) implements GraphEvent {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new StepStarted(other, number, tasks);
    }
  }

  /** A task runs its node for the first time in this run; what lower executions emitted is void. */
  record TaskStarted(Moment moment, long sequence, Task task, Execution execution)
      implements OfTask {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new TaskStarted(other, number, task, execution);
    }
  }

  /**
   * A node emitted a chunk.
   *
   * @param index its number in this execution, from 0
   * @param message the number of messages that the execution wrote before, which is the number of
   *     the next one
   */
  record TaskChunk(
      Moment moment,
      long sequence,
      Task task,
      Execution execution,
      int index,
      int message,
      Object content)
      implements Provisional {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new TaskChunk(other, number, task, execution, index, message, content);
    }

    /**
     * Returns the id of the message that this chunk is a part of: the id of a chunk that is a
     * message itself, and for text the id of the next message that the execution writes, unless the
     * node gives it another one. Empty if the content is neither.
     */
    public Optional<String> messageId() {
      if (content instanceof Message part && part.id() != null) {
        return Optional.ofNullable(part.id());
      }
      return content instanceof CharSequence || content instanceof Message
          ? Optional.of(execution.messageId(task, message))
          : Optional.empty();
    }

    /** Which chunk it is, without the content. */
    @Override
    public String toString() {
      return "TaskChunk[moment=" + moment + ", sequence=" + sequence + ", task=" + task
          + ", execution=" + execution + ", index=" + index + "]";
    }
  }

  /** A node emitted an update, which is not folded before its step is committed. */
  record TaskUpdated(Moment moment, long sequence, Task task, Execution execution, Update update)
      implements Provisional {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new TaskUpdated(other, number, task, execution, update);
    }
  }

  /** An attempt failed and there will be another; what it emitted is void. */
  record TaskRetried(Moment moment, long sequence, Task task, Execution execution, Throwable error)
      implements OfTask {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new TaskRetried(other, number, task, execution, error);
    }
  }

  /**
   * A task has an outcome.
   *
   * @param cached whether the answer was known, and the node did not run
   * @param handled the failure that a handler took over; null if there was none
   */
  record TaskCompleted(
      Moment moment,
      long sequence,
      Task task,
      Execution execution,
      boolean cached,
      @Nullable Throwable handled)
      implements OfTask {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new TaskCompleted(other, number, task, execution, cached, handled);
    }
  }

  /** The last attempt of a task failed. */
  record TaskFailed(Moment moment, long sequence, Task task, Execution execution, Throwable error)
      implements OfTask {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new TaskFailed(other, number, task, execution, error);
    }
  }

  /**
   * A step was committed. {@link CheckpointSaved} marks the durable ones.
   *
   * @param checkpoint of the step
   * @param parent the head before the step
   * @param changes what it did to the state
   * @param state the state it led to
   */
  record StepCommitted(
      Moment moment,
      long sequence,
      @Nullable CheckpointId checkpoint,
      @Nullable CheckpointId parent,
      Changes changes,
      State state)
      implements HeadMoved {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new StepCommitted(other, number, checkpoint, parent, changes, state);
    }
  }

  /** Something looks like a mistake; the run goes on. */
  record Warning(Moment moment, long sequence, Problem problem) implements GraphEvent {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new Warning(other, number, problem);
    }
  }

  /** The checkpoint of an earlier fact that moved the head is durable. */
  record CheckpointSaved(Moment moment, long sequence, CheckpointId checkpoint)
      implements GraphEvent {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new CheckpointSaved(other, number, checkpoint);
    }
  }

  /** A task asks somebody something, and does not go on before it is answered. */
  record QuestionAsked(Moment moment, long sequence, Asked question) implements GraphEvent {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new QuestionAsked(other, number, question);
    }
  }

  /** A task goes on with what somebody has answered. */
  record QuestionAnswered(Moment moment, long sequence, Task task, Answer answer)
      implements GraphEvent {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new QuestionAnswered(other, number, task, answer);
    }
  }

  /**
   * The run waits for somebody: before or after a node where the graph asked for it, or for
   * answers.
   *
   * @param questions that were open when the run last looked
   */
  record RunInterrupted(
      Moment moment,
      long sequence,
      Position position,
      @Nullable CheckpointId checkpoint,
      List<Asked> questions)
      implements Terminal {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new RunInterrupted(other, number, position, checkpoint, questions);
    }
  }

  /** The run failed. Whoever subscribed to it gets the error instead; this is for the log. */
  record RunFailed(Moment moment, long sequence, Throwable error) implements GraphEvent {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new RunFailed(other, number, error);
    }
  }

  /** Somebody asked the run to stop, and it did, between two steps. */
  record RunStopped(
      Moment moment,
      long sequence,
      Position position,
      @Nullable CheckpointId checkpoint) implements Terminal {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new RunStopped(other, number, position, checkpoint);
    }
  }

  /**
   * Nothing is due any more.
   *
   * @param unfilled joins that some of their sources reached and others did not
   */
  record RunCompleted(
      Moment moment,
      long sequence,
      Position position,
      @Nullable CheckpointId checkpoint,
      List<UnfilledJoin> unfilled)
      implements Terminal {

    @Override
    public GraphEvent with(Moment other, long number) {
      return new RunCompleted(other, number, position, checkpoint, unfilled);
    }
  }
}
