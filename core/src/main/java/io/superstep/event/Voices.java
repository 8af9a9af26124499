package io.superstep.event;

import io.superstep.event.GraphEvent.Provisional;

/** Whose words an event is, or makes void, as a text that a store can search. */
public final class Voices {

  private static final String ALL = "*";
  private static final String NOBODY = "";

  private Voices() {}

  /**
   * Of what rides beside the facts: its task and those around that, one per line. Of a fact: the
   * task whose words are void from now on, {@code *} for all of them, or nothing.
   */
  public static String of(GraphEvent event) {
    if (event instanceof Provisional provisional) {
      return tasks(provisional);
    }
    if (event instanceof GraphEvent.TaskCompleted completed) {
      return completed.task().id();
    }
    if (event instanceof GraphEvent.TaskFailed failed) {
      return failed.task().id();
    }
    if (event instanceof GraphEvent.TaskRetried retried) {
      return retried.task().id();
    }
    return endsAll(event) ? ALL : NOBODY;
  }

  /** Of graphs inside, each task is told to have ended; that goes for steps only at the top. */
  private static boolean endsAll(GraphEvent fact) {
    return fact.path().isEmpty()
        && (fact instanceof GraphEvent.StepCommitted
            || fact instanceof GraphEvent.Terminal
            || fact instanceof GraphEvent.RunFailed
            || fact instanceof GraphEvent.RunStarted
            || fact instanceof GraphEvent.RunResumed);
  }

  private static String tasks(Provisional event) {
    String task = event.task().id();
    StringBuilder all = new StringBuilder(task);
    for (int slash = event.path().indexOf('/');
        slash >= 0;
        slash = event.path().indexOf('/', slash + 1)) {
      task = around(task);
      all.append('\n').append(task);
    }
    return all.toString();
  }

  /** The task whose graph a task is in: it is where that graph's line of steps began. */
  private static String around(String task) {
    int end = task.lastIndexOf('/');
    end = task.lastIndexOf('/', end - 1);
    return task.substring(0, Math.max(0, task.lastIndexOf('/', end - 1)));
  }
}
