package io.superstep.reactor;

import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNotes;
import io.superstep.graph.Exits;
import io.superstep.graph.Graph;
import io.superstep.graph.Node;
import io.superstep.question.Answer;
import io.superstep.question.Answers;
import io.superstep.question.InvalidQuestionException;
import io.superstep.question.Prompt;
import io.superstep.question.Question;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
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
  private final List<TaskNotes.Past> past;
  private final Set<String> keys = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean asked = new AtomicBoolean();

  /** Completes when the task has ended. */
  private final CompletableFuture<Void> over = new CompletableFuture<>();

  /**
   * @param answers to questions of the task, by key
   * @param past questions that the task was answered in an earlier attempt of the graph around it
   */
  TaskQuestions(
      TaskRun task,
      Graph graph,
      Node node,
      List<TaskNote.Answered> answers,
      List<TaskNotes.Past> past) {
    this.task = task;
    this.graph = graph;
    this.node = node;
    this.answers = answers;
    this.past = past;
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
    Answer answer = answerTo(key, question.prompt());
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
      Answer answer = answerTo(key, question.prompt());
      if (answer == null) {
        open.add(task.asking(key, question.prompt()));
      } else {
        known.put(key, question.read(answer.question(), answer.value()));
      }
    });
    return open.isEmpty() ? Mono.just(new Answers(known)) : endTask(open);
  }

  /** The answer to a question of the task, or to the same question in an earlier attempt. */
  private @Nullable Answer answerTo(String key, Prompt prompt) {
    for (TaskNote.Answered known : answers) {
      if (known.answer().key().equals(key)) {
        return known.answer();
      }
    }
    for (int index = past.size() - 1; index >= 0; index--) {
      TaskNote.Asked asked = past.get(index).asked();
      if (asked.key().equals(key) && asked.prompt().isSameAs(prompt)) {
        return past.get(index).answer();
      }
    }
    return null;
  }

  /**
   * Ends the task. A publisher of the node is cancelled then. A function that is being called
   * cannot be cancelled: its wait ends with an error at once, on whichever JVM thread it waits, so
   * that it returns. A wait that belongs to neither ends with that error when the task has ended.
   */
  private <T> Mono<T> endTask(List<TaskNote.Asked> open) {
    if (asked.compareAndSet(false, true)) {
      task.ask(open);
    }
    return task.isCalled()
        ? Mono.error(new Unanswered())
        : Mono.fromFuture(over, true).then(Mono.error(Unanswered::new));
  }

  /** Ends the waits that nothing has cancelled, now that the task has ended. */
  void end() {
    over.complete(null);
  }

  /** The error of a wait for an answer that the task does not get in this run. */
  private static final class Unanswered extends RuntimeException {

    private static final long serialVersionUID = 1L;

    Unanswered() {
      super(
          "The task has ended with a question. Its node runs again when the question is answered.",
          null,
          false,
          false);
    }
  }
}
