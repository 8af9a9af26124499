package io.superstep.graph;

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
