package io.superstep.checkpoint;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collection;
import java.util.List;

/** A thread with pending tasks or open questions cannot take another input; nothing was written. */
public final class UnfinishedThreadException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String[] questions;

  /**
   * @param pending the nodes of the pending tasks
   * @param questions the keys of the open questions
   */
  public UnfinishedThreadException(
      String thread, CheckpointId head, Collection<String> pending, Collection<String> questions) {
    super(
        new Problem(
            "SG-407",
            "The thread has pending tasks " + pending + open(questions)
                + ", and cannot take another input.",
            "thread '" + thread + "', checkpoint " + head,
            (questions.isEmpty()
                    ? "Resume it first with thread.resume()"
                    : "Answer first with thread.resume(Resume.answer(\""
                        + questions.iterator().next() + "\", ...))")
                + ", enqueue the input with thread.queue(...), which runs it afterwards, or discard"
                + " the pending tasks with RunOptions.discardUnfinished(true)."),
        null);
    this.questions = questions.toArray(new String[0]);
  }

  private static String open(Collection<String> questions) {
    if (questions.isEmpty()) {
      return "";
    }
    return " and the open " + (questions.size() == 1 ? "question " : "questions ") + questions;
  }

  /** Returns the keys of the open questions. */
  public List<String> questions() {
    return List.of(questions);
  }
}
