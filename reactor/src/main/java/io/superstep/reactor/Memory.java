package io.superstep.reactor;

import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNotes;
import io.superstep.question.Answer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a task from earlier runs.
 *
 * @param end what it came to; null if it has to run, or to go on
 * @param steps those that the graph inside it has taken
 * @param failures how many of its attempts failed and were followed by another
 * @param isUncertain whether it was about to act outside, and nobody knows what came of it
 * @param questions what it asked
 * @param answers what it was answered
 * @param past the questions that it was answered in an earlier attempt of the graph around it
 * @param inside what tasks inside it were answered, in this attempt and in earlier ones
 * @param asksInside whether something inside it has asked
 * @param isLifted whether the pause of the graph inside it was lifted
 */
record Memory(
    TaskNote.@Nullable Ended end,
    List<TaskNote.Advanced> steps,
    int failures,
    boolean isUncertain,
    List<TaskNote.Asked> questions,
    List<TaskNote.Answered> answers,
    List<TaskNotes.Past> past,
    List<Answer> inside,
    boolean asksInside,
    boolean isLifted) {

  static final Memory NONE = new Memory(
      null, List.of(), 0, false, List.of(), List.of(), List.of(), List.of(), false, false);

  /**
   * The attempt with which the task begins in this run, from 1. One that has taken steps inside, or
   * has asked something, goes on. Else, as a failure is written down before the next attempt
   * starts, where one failed another was at work when the run ended.
   */
  int firstAttempt() {
    if (!steps.isEmpty()) {
      return steps.get(0).attempt();
    }
    int asking = questions.isEmpty() ? 0 : questions.get(questions.size() - 1).attempt();
    if (asking > failures) {
      return asking;
    }
    if (asksInside) {
      return failures + 1;
    }
    return failures == 0 ? 1 : failures + 2;
  }

  /** Whether it asked something that nobody has answered. */
  boolean isWaiting() {
    return questions.size() > answers.size();
  }

  /** Whether the task has done something, or may have. */
  boolean isWorthForgetting() {
    return end != null || !steps.isEmpty() || isUncertain || !questions.isEmpty();
  }

  /** The attempt that did it. */
  int lastAttempt() {
    return end == null ? firstAttempt() : end.attempt();
  }
}
