package io.superstep.graph;

import io.superstep.question.Answers;
import io.superstep.question.Question;
import java.util.Map;
import java.util.Optional;
import org.reactivestreams.Publisher;

/** What a node may know about the task it is running. */
public interface NodeContext {

  /** The name of the node. */
  String node();

  /**
   * The task's id: the same for every attempt and after every crash, and no other task has it. It
   * is the idempotency key to hand to systems outside.
   */
  String taskId();

  /** Which attempt this is; the first is 1. */
  int attempt();

  /** Whether the run was asked to stop: a long task may end early with what it has. */
  boolean isStopping();

  /** Completes when the run is asked to stop, for those who wait for something else meanwhile. */
  Publisher<Void> stopping();

  /**
   * Asks somebody outside. What it brings is the answer, or nothing if that is null; nothing is
   * asked before it is subscribed to.
   *
   * <p>Where there is no answer yet, the task ends there: what it emitted is void, whatever it goes
   * on to do is not heard, and the run ends as interrupted once the other tasks of the step are
   * done. When the thread goes on with an answer the node runs again from its beginning, and gets
   * it here. So ask first and act then. It uses up no attempt.
   *
   * @param key names the question among those of this task; a node that uses one twice in an
   *     attempt gets an {@link io.superstep.question.InvalidQuestionException}
   */
  <T> Publisher<T> ask(String key, Question<T> question);

  /** Asks several questions at once, by key, as {@link #ask} does; all have to be answered. */
  Publisher<Answers> askAll(Map<String, ? extends Question<?>> questions);

  /** Keeps this answer out of the node's cache, because it is not as good as it should be. */
  void doNotCache();

  /** How many steps the run may still take after this one. */
  int remainingSteps();

  /** What the run was given under {@code key}, if it was. */
  <T> Optional<T> find(RunKey<T> key);

  /**
   * What the run was given under {@code key}.
   *
   * @throws MissingRunValueException if it was not
   */
  default <T> T get(RunKey<T> key) {
    return find(key).orElseThrow(() -> new MissingRunValueException(node(), key));
  }
}
