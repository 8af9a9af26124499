package io.superstep.checkpoint;

import io.superstep.error.Attribution;
import io.superstep.error.InvalidNameException;
import io.superstep.question.Answer;
import io.superstep.question.Prompt;
import io.superstep.state.Changes;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that was written down about a task before its step is committed: it survives whoever
 * ran the task.
 */
public sealed interface TaskNote {

  Task task();

  /** Which attempt it is about; the first is 1. */
  int attempt();

  /** The same about another task, which took the place of this one. */
  TaskNote about(Task other);

  /**
   * An attempt is about to act on the world outside. If nothing else is known of it, it may have
   * acted or not, and nobody but a person can tell.
   */
  record Began(Task task, int attempt) implements TaskNote {

    @Override
    public Began about(Task other) {
      return new Began(other, attempt);
    }
  }

  /**
   * An attempt failed.
   *
   * @param error what went wrong, in words
   * @param last whether no other attempt follows
   */
  record Failed(Task task, int attempt, String error, boolean last) implements TaskNote {

    /** The task and the attempt, without the words of the error. */
    @Override
    public String toString() {
      return "Failed[task=" + task + ", attempt=" + attempt + ", last=" + last + "]";
    }

    @Override
    public Failed about(Task other) {
      return new Failed(other, attempt, error, last);
    }
  }

  /**
   * The graph that the node is has taken a step, which is never taken again.
   *
   * @param changes what the step did to the state inside
   * @param position where the graph inside stands now, its tasks being named after this one; of its
   *     state a store keeps no more than {@code changes}
   * @param said what the task will say of this step when it ends
   */
  record Advanced(Task task, int attempt, Changes changes, Position position, Said said)
      implements TaskNote {

    public Advanced {
      changes = changes.stored(position.state().schema());
      position = position.stored();
    }

    @Override
    public Advanced about(Task other) {
      return new Advanced(other, attempt, changes, position.under(other.id()), said);
    }
  }

  /**
   * The task asks somebody something, and does not go on before it is answered.
   *
   * @param id the name of the question, which stays the same while it waits
   * @param key under which the node asked; no two questions of a task have the same
   */
  record Asked(Task task, int attempt, String id, String key, Prompt prompt, Instant time)
      implements TaskNote {

    /** @throws InvalidNameException if {@code key} cannot be stored */
    public Asked {
      Attribution.name("key of the question", key);
    }

    /** When it counts as answered even if nobody does; null if never. */
    public @Nullable Instant due() {
      Prompt.Deadline deadline = prompt.deadline();
      return deadline == null ? null : time.plus(deadline.within());
    }

    /** Whether the time for an answer is over at {@code now}. */
    public boolean isDue(Instant now) {
      Instant due = due();
      return due != null && !now.isBefore(due);
    }

    @Override
    public Asked about(Task other) {
      return new Asked(other, attempt, id, key, prompt, time);
    }
  }

  /** Somebody has answered what the task asked. */
  record Answered(Task task, int attempt, Answer answer) implements TaskNote {

    @Override
    public Answered about(Task other) {
      return new Answered(other, attempt, answer);
    }
  }

  /**
   * The pause before the task, or the pause of the graph inside it, was lifted: a run resumed the
   * thread there. A run that takes over after a crash does not stop at that pause again.
   */
  record Lifted(Task task, int attempt) implements TaskNote {

    @Override
    public Lifted about(Task other) {
      return new Lifted(other, attempt);
    }
  }

  /**
   * A run has resumed the thread after the task failed in its last attempt, or after the commit of
   * its step failed. The failure is void, and so is this record, which {@link TaskNotes} does not
   * keep: until the run fails again, the thread is not {@link ThreadStatus#FAILED}, and another
   * runner takes it over if the lease of the run is lost.
   *
   * @param attempt the attempt that failed
   */
  record Resumed(Task task, int attempt) implements TaskNote {

    @Override
    public Resumed about(Task other) {
      return new Resumed(other, attempt);
    }
  }

  /** The task is done, and never runs again. */
  record Ended(Task task, int attempt, Said said) implements TaskNote {

    @Override
    public Ended about(Task other) {
      return new Ended(other, attempt, said);
    }
  }

  /**
   * The step could not be committed although all of its tasks have ended: the commit failed with a
   * write conflict, or in a reducer, a validator or a router. The outcomes stay as they are, and a
   * resume folds them again. The note is void when the step is committed, or when another note
   * follows about one of its tasks: the {@link Resumed} of the next run, or a change of what is
   * known of the task.
   *
   * @param task the task whose outcome was recorded last
   * @param error the error of the commit: its class, its code and its text
   */
  record CommitFailed(Task task, int attempt, String error) implements TaskNote {

    /** Returns the task and the attempt, without the text of the error. */
    @Override
    public String toString() {
      return "CommitFailed[task=" + task + ", attempt=" + attempt + "]";
    }

    @Override
    public CommitFailed about(Task other) {
      return new CommitFailed(other, attempt, error);
    }
  }

  /**
   * Somebody wants the task to run again, whatever was written down about it before.
   *
   * @param attempt the one that is forgotten
   */
  record Forgotten(Task task, int attempt) implements TaskNote {

    @Override
    public Forgotten about(Task other) {
      return new Forgotten(other, attempt);
    }
  }
}
