package io.superstep.reactor;

import io.superstep.graph.Graph;
import reactor.util.context.ContextView;

/**
 * What can be looked at while it lasts: a run, a step of it, a task of that, and an attempt of the
 * task. A nested run lies inside the attempt that it is.
 */
public sealed interface Stage {

  /** The word for it: run, step, task or attempt. */
  String kind();

  /** The run it belongs to, or is. */
  Run run();

  /**
   * From the subscription to the end of the last step.
   *
   * @param path the nodes that lead to a nested run, each followed by a slash; empty at the top
   * @param context what the subscriber brought along; of a nested run, what the attempt around it
   *     sees
   */
  record Run(Graph graph, String path, ContextView context) implements Stage {

    @Override
    public String kind() {
      return "run";
    }

    @Override
    public Run run() {
      return this;
    }
  }

  /**
   * From the plan of a step to its commit.
   *
   * @param number which step it is; the first is 1
   */
  record Step(Run run, int number) implements Stage {

    @Override
    public String kind() {
      return "step";
    }
  }

  /** From the start of a task to its outcome, its attempts and its handler included. */
  record Task(Run run, io.superstep.checkpoint.Task task) implements Stage {

    @Override
    public String kind() {
      return "task";
    }
  }

  /**
   * From the call of a node to its end.
   *
   * @param number which attempt it is; the first is 1
   */
  record Attempt(Run run, io.superstep.checkpoint.Task task, int number) implements Stage {

    @Override
    public String kind() {
      return "attempt";
    }
  }
}
