package io.superstep.reactor;

import io.superstep.checkpoint.NothingToEndException;
import io.superstep.checkpoint.NothingToRerunException;
import io.superstep.error.MessageText;
import io.superstep.state.Update;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * With what a thread goes on. A node inside a subgraph is named by its path, as in
 * {@code research/search}.
 *
 * @param rerun nodes whose tasks run again although they have ended, or may have, in the step under
 *     way
 * @param ended by node, what its tasks of the step under way came to, which have no outcome
 * @param answers by question, what somebody answers: by its key, or by its id where several tasks
 *     ask under one key
 * @param by who answers
 */
public record Resume(
    Set<String> rerun,
    Map<String, Update> ended,
    Map<String, @Nullable Object> answers,
    String by) {

  private static final String NOBODY = "caller";

  /** With what is there: only what has no outcome runs. */
  public static final Resume GO_ON = new Resume(Set.of(), Map.of(), Map.of(), NOBODY);

  public Resume {
    rerun = Set.copyOf(rerun);
    ended = Map.copyOf(ended);
    answers = Collections.unmodifiableMap(new LinkedHashMap<>(answers));
  }

  /** The nodes and the questions, without updates and answers. */
  @Override
  public String toString() {
    return "Resume[rerun=" + rerun + ", ended=" + ended.keySet() + ", answers=" + answers.keySet()
        + ", by=" + MessageText.name(by) + "]";
  }

  /**
   * Forgets the outcomes of these nodes in the step under way, such as those that a commit refused,
   * or that nobody saw. A thread in which one of them has none ends with a
   * {@link NothingToRerunException}.
   */
  public static Resume rerun(String node, String... more) {
    Set<String> nodes = new LinkedHashSet<>(List.of(more));
    nodes.add(node);
    return new Resume(nodes, Map.of(), Map.of(), NOBODY);
  }

  /**
   * Says what a node of the step under way came to, in its place: one that was at it when a run
   * ended, or failed. A thread in which it has an outcome, or is not due, ends with a
   * {@link NothingToEndException}.
   */
  public static Resume ended(String node, Update said) {
    return new Resume(Set.of(), Map.of(node, said), Map.of(), NOBODY);
  }

  /**
   * Answers a question: null, false, zero and nothing at all are answers too, where the question
   * takes them. One that nobody asks, that was answered before or that takes no such answer ends
   * with an {@link io.superstep.question.UnknownQuestionException},
   * {@link io.superstep.question.AlreadyAnsweredException} or
   * {@link io.superstep.question.InvalidAnswerException}. Where several are answered and one is
   * refused, the others count, and the run tells of it with a warning.
   */
  public static Resume answer(String question, @Nullable Object answer) {
    return new Resume(Set.of(), Map.of(), Collections.singletonMap(question, answer), NOBODY);
  }

  /** Answers several questions. */
  public static Resume answers(Map<String, ? extends @Nullable Object> answers) {
    return new Resume(Set.of(), Map.of(), new LinkedHashMap<>(answers), NOBODY);
  }

  /** The same, said by somebody who has a name. */
  public Resume by(String author) {
    return new Resume(rerun, ended, answers, Objects.requireNonNull(author));
  }

  /** What both say. */
  public Resume and(Resume other) {
    Set<String> nodes = new LinkedHashSet<>(rerun);
    nodes.addAll(other.rerun);
    Map<String, Update> all = new HashMap<>(ended);
    all.putAll(other.ended);
    Map<String, @Nullable Object> answered = new LinkedHashMap<>(answers);
    answered.putAll(other.answers);
    return new Resume(nodes, all, answered, by.equals(NOBODY) ? other.by : by);
  }
}
