package io.superstep.event;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote.Asked;
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

  /** When and where it happened. */
  Moment moment();

  /** The number of this fact, from 1, or of the fact before it if it is provisional. */
  long sequence();

  /** The same event with another number, for the stream of which it has become a part. */
  GraphEvent numbered(long other);

  /** The nodes that lead to the nested graph it happened in; empty at the top. */
  default String path() {
    return moment().path();
  }

  /** The number of the step it belongs to, 0 before the first. */
  default int step() {
    return moment().step();
  }

  /** When its step began. */
  default Instant time() {
    return moment().time();
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
   * What is told before its step is committed, and may turn out to be void: if the attempt fails,
   * or if a greater execution of the task or of a task around it begins.
   */
  sealed interface Provisional extends OfTask {}

  /** What ends a run that did not fail; exactly one of them is the last event. */
  sealed interface Terminal extends GraphEvent {

    /** Where the run stands. */
    Position position();

    /** The state it ended with. */
    default State state() {
      return position().state();
    }
  }

  /** The run began with an input. */
  record RunStarted(Moment moment, long sequence) implements GraphEvent {

    @Override
    public GraphEvent numbered(long other) {
      return new RunStarted(moment, other);
    }
  }

  /** The run went on where an earlier one had stood. */
  record RunResumed(Moment moment, long sequence) implements GraphEvent {

    @Override
    public GraphEvent numbered(long other) {
      return new RunResumed(moment, other);
    }
  }

  /** The tasks of a step are about to run, in plan order. */
  record StepStarted(Moment moment, long sequence, List<Task> tasks) implements GraphEvent {

    @Override
    public GraphEvent numbered(long other) {
      return new StepStarted(moment, other, tasks);
    }
  }

  /** A task runs its node for the first time in this run; what lower executions emitted is void. */
  record TaskStarted(Moment moment, long sequence, Task task, Execution execution)
      implements OfTask {

    @Override
    public GraphEvent numbered(long other) {
      return new TaskStarted(moment, other, task, execution);
    }
  }

  /**
   * A node emitted a chunk.
   *
   * @param index its number in this attempt, from 0
   * @param message the number of messages that the attempt wrote before, which is the number of the
   *     next one
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
    public GraphEvent numbered(long other) {
      return new TaskChunk(moment, other, task, execution, index, message, content);
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
    public GraphEvent numbered(long other) {
      return new TaskUpdated(moment, other, task, execution, update);
    }
  }

  /** An attempt failed and there will be another; what it emitted is void. */
  record TaskRetried(Moment moment, long sequence, Task task, Execution execution, Throwable error)
      implements OfTask {

    @Override
    public GraphEvent numbered(long other) {
      return new TaskRetried(moment, other, task, execution, error);
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
    public GraphEvent numbered(long other) {
      return new TaskCompleted(moment, other, task, execution, cached, handled);
    }
  }

  /** The last attempt of a task failed. */
  record TaskFailed(Moment moment, long sequence, Task task, Execution execution, Throwable error)
      implements OfTask {

    @Override
    public GraphEvent numbered(long other) {
      return new TaskFailed(moment, other, task, execution, error);
    }
  }

  /**
   * A step was committed.
   *
   * @param changes what it did to the state
   * @param state the state it led to
   */
  record StepCommitted(Moment moment, long sequence, Changes changes, State state)
      implements GraphEvent {

    @Override
    public GraphEvent numbered(long other) {
      return new StepCommitted(moment, other, changes, state);
    }
  }

  /** Something looks like a mistake; the run goes on. */
  record Warning(Moment moment, long sequence, Problem problem) implements GraphEvent {

    @Override
    public GraphEvent numbered(long other) {
      return new Warning(moment, other, problem);
    }
  }

  /** A step that was committed is written down, and outlives whoever runs the graph. */
  record CheckpointSaved(Moment moment, long sequence, CheckpointId checkpoint)
      implements GraphEvent {

    @Override
    public GraphEvent numbered(long other) {
      return new CheckpointSaved(moment, other, checkpoint);
    }
  }

  /** A task asks somebody something, and does not go on before it is answered. */
  record QuestionAsked(Moment moment, long sequence, Asked question) implements GraphEvent {

    @Override
    public GraphEvent numbered(long other) {
      return new QuestionAsked(moment, other, question);
    }
  }

  /** A task goes on with what somebody has answered. */
  record QuestionAnswered(Moment moment, long sequence, Task task, Answer answer)
      implements GraphEvent {

    @Override
    public GraphEvent numbered(long other) {
      return new QuestionAnswered(moment, other, task, answer);
    }
  }

  /**
   * The run waits for somebody: before or after a node where the graph asked for it, or for
   * answers.
   *
   * @param questions that were open when the run last looked
   */
  record RunInterrupted(Moment moment, long sequence, Position position, List<Asked> questions)
      implements Terminal {

    @Override
    public GraphEvent numbered(long other) {
      return new RunInterrupted(moment, other, position, questions);
    }
  }

  /** The run failed. Whoever subscribed to it gets the error instead; this is for the log. */
  record RunFailed(Moment moment, long sequence, Throwable error) implements GraphEvent {

    @Override
    public GraphEvent numbered(long other) {
      return new RunFailed(moment, other, error);
    }
  }

  /** Somebody asked the run to stop, and it did, between two steps. */
  record RunStopped(Moment moment, long sequence, Position position) implements Terminal {

    @Override
    public GraphEvent numbered(long other) {
      return new RunStopped(moment, other, position);
    }
  }

  /**
   * Nothing is due any more.
   *
   * @param unfilled joins that some of their sources reached and others did not
   */
  record RunCompleted(Moment moment, long sequence, Position position, List<String> unfilled)
      implements Terminal {

    @Override
    public GraphEvent numbered(long other) {
      return new RunCompleted(moment, other, position, unfilled);
    }
  }
}
