package io.superstep.reactor;

import io.superstep.checkpoint.TaskNote;
import io.superstep.graph.Exits;
import io.superstep.graph.Graph;
import io.superstep.graph.Node;
import io.superstep.question.Answer;
import io.superstep.question.Answers;
import io.superstep.question.InvalidQuestionException;
import io.superstep.question.Question;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** What the node of one task asks, on whatever JVM thread, and what it was answered. */
final class TaskQuestions {

  private final TaskRun task;
  private final Graph graph;
  private final Node node;
  private final List<TaskNote.Answered> answers;
  private final Set<String> keys = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean asked = new AtomicBoolean();

  TaskQuestions(TaskRun task, Graph graph, Node node, List<TaskNote.Answered> answers) {
    this.task = task;
    this.graph = graph;
    this.node = node;
    this.answers = answers;
  }

  /** Whether something was asked that has no answer yet. */
  boolean haveOpen() {
    return asked.get();
  }

  /** Another attempt begins, and may ask the same. */
  void beginAnew() {
    keys.clear();
  }

  <T> Mono<T> ask(String key, Question<T> question) {
    InvalidQuestionException refused = refusal(key, question);
    return refused == null ? Mono.defer(() -> answer(key, question)) : Mono.error(refused);
  }

  private <T> Mono<T> answer(String key, Question<T> question) {
    Answer answer = answerTo(key);
    if (answer == null) {
      return endTask(List.of(task.asking(key, question.prompt())));
    }
    try {
      return Mono.justOrEmpty(question.read(answer.question(), answer.value()));
    } catch (Throwable failure) {
      return Mono.error(CarriedError.wrap(failure));
    }
  }

  Mono<Answers> askAll(Map<String, ? extends Question<?>> questions) {
    Map<String, Question<?>> all = new LinkedHashMap<>(questions);
    for (Map.Entry<String, Question<?>> each : all.entrySet()) {
      InvalidQuestionException refused = refusal(each.getKey(), each.getValue());
      if (refused != null) {
        return Mono.error(refused);
      }
    }
    return Mono.defer(() -> {
      try {
        return answers(all);
      } catch (Throwable failure) {
        return Mono.error(CarriedError.wrap(failure));
      }
    });
  }

  private @Nullable InvalidQuestionException refusal(String key, Question<?> question) {
    if (!keys.add(key)) {
      return InvalidQuestionException.twice(node.name(), key);
    }
    if (!task.isOnThread()) {
      return InvalidQuestionException.withoutThread(node.name(), key);
    }
    Set<String> strange = new TreeSet<>(question.nodes());
    strange.removeAll(targets());
    return strange.isEmpty()
        ? null
        : InvalidQuestionException.nowhere(node.name(), key, strange, targets());
  }

  /** Where a run can go from the node. */
  private Set<String> targets() {
    Set<String> targets = new TreeSet<>(node.mayGoTo());
    Exits exits = graph.exits(node);
    exits.edges().forEach(edge -> targets.add(edge.name()));
    if (exits.route() != null) {
      targets.addAll(exits.route().targets());
    }
    return targets;
  }

  private Mono<Answers> answers(Map<String, Question<?>> questions) {
    Map<String, @Nullable Object> known = new LinkedHashMap<>();
    List<TaskNote.Asked> open = new ArrayList<>(0);
    questions.forEach((key, question) -> {
      Answer answer = answerTo(key);
      if (answer == null) {
        open.add(task.asking(key, question.prompt()));
      } else {
        known.put(key, question.read(answer.question(), answer.value()));
      }
    });
    return open.isEmpty() ? Mono.just(new Answers(known)) : endTask(open);
  }

  private @Nullable Answer answerTo(String key) {
    for (TaskNote.Answered known : answers) {
      if (known.answer().key().equals(key)) {
        return known.answer();
      }
    }
    return null;
  }

  /**
   * Ends the task. Whoever waits for the answer is cancelled then, but for a function that waits on
   * the very JVM thread on which it was called: it is let go with an error that nobody hears.
   */
  private <T> Mono<T> endTask(List<TaskNote.Asked> open) {
    if (asked.compareAndSet(false, true)) {
      task.ask(open);
    }
    return task.isCalledHere() ? Mono.error(new Unanswered()) : Mono.never();
  }

  /** Gets a function out of the way that waits for an answer in vain. */
  private static final class Unanswered extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Unanswered() {
      super(
          "The task has ended with a question, and goes on when it is answered.",
          null,
          false,
          false);
    }
  }
}
