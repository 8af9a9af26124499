package io.superstep.reactor;

import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.NothingToEndException;
import io.superstep.checkpoint.NothingToRerunException;
import io.superstep.checkpoint.OutcomeUnknownException;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNotes;
import io.superstep.graph.Graph;
import io.superstep.graph.Node;
import io.superstep.graph.NodeBody;
import io.superstep.state.Update;
import io.superstep.step.Outcome;
import io.superstep.step.Superstep;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The records that earlier runs left of the step with which a run begins. Safe for use by many JVM
 * threads.
 */
final class Legacy {

  private final String thread;
  private final Position position;
  private final List<Task> due;
  private final TaskNotes notes;

  Legacy(SavedThread saved) {
    this.thread = saved.checkpoint().thread();
    this.position = saved.position();
    this.due = Superstep.tasks(position);
    this.notes = new TaskNotes(saved.notes());
  }

  synchronized List<TaskNote> inOrder() {
    return notes.inOrder();
  }

  /** Returns the recorded history of {@code task}; each call builds it from the notes. */
  synchronized Memory memoryOf(Task task) {
    return new Memory(
        notes.endOf(task),
        notes.stepsOf(task),
        notes.failedAttemptsOf(task),
        notes.isUncertain(task),
        notes.questionsOf(task),
        notes.answersOf(task),
        notes.pastOf(task),
        notes.answersInside(task),
        notes.asksInside(task),
        notes.isLiftedInside(task));
  }

  synchronized List<TaskNote.Asked> openQuestions() {
    return notes.openQuestions();
  }

  /** Returns whether a task has failed in its last attempt, or the commit of the step. */
  synchronized boolean hasFailed() {
    return notes.haveFailure();
  }

  /** Returns the records that make the failures void with which earlier runs ended. */
  synchronized List<TaskNote> resumed() {
    List<TaskNote> resumed = List.copyOf(notes.resumed());
    resumed.forEach(notes::add);
    return resumed;
  }

  /** Adds failed attempts, which void the records inside their tasks; ignores other records. */
  synchronized void add(Collection<? extends TaskNote> more) {
    for (TaskNote note : more) {
      if (note instanceof TaskNote.Failed) {
        notes.add(note);
      }
    }
  }

  /**
   * Returns the records of the decisions of a caller about tasks of {@code graph}.
   *
   * @param fence the fencing token of the lease under which it is written
   */
  synchronized List<TaskNote> decided(Resume with, Graph graph, long fence) {
    Map<Task, String> paths = paths();
    requireFits(graph, paths);
    List<TaskNote> decided = new ArrayList<>();
    for (String name : with.rerun()) {
      for (Task task : toRerun(paths, name)) {
        decided.add(new TaskNote.Forgotten(task, memoryOf(task).lastAttempt()));
      }
    }
    with.ended().forEach((name, update) -> {
      for (Task task : toEnd(paths, name)) {
        Place place = placeAt(Objects.requireNonNull(paths.get(task)), graph);
        Outcome.Completed outcome = Outcome.completed(task, accepted(update, place));
        int attempt = memoryOf(task).lastAttempt();
        Execution execution = new Execution(fence, attempt);
        decided.add(new TaskNote.Ended(
            task, attempt, Journal.said(outcome.withMessageIds(execution).said())));
      }
    });
    decided.forEach(notes::add);
    Collection<String> uncertain = names(paths, notes::isUncertain);
    if (!uncertain.isEmpty()) {
      throw new OutcomeUnknownException(thread, uncertain);
    }
    return decided;
  }

  /** Returns the records that lift the pauses at which a run begins. */
  synchronized List<TaskNote> lifted() {
    List<TaskNote> lifted = new ArrayList<>(0);
    if (!position.pause().isEmpty()) {
      lifted.add(new TaskNote.Lifted(due.isEmpty() ? paused() : due.get(0), 1));
    }
    for (Task task : notes.pausedInside()) {
      lifted.add(new TaskNote.Lifted(task, memoryOf(task).firstAttempt()));
    }
    lifted.forEach(notes::add);
    return lifted;
  }

  /** Returns the task after which a position without pending tasks is paused. */
  private Task paused() {
    return new Task(
        position.origin(), position.step(), 0, position.pause().after().get(0), null);
  }

  /** Checks that nested graphs with recorded steps can be resumed. */
  private void requireFits(Graph graph, Map<Task, String> paths) {
    paths.forEach((task, path) -> {
      List<TaskNote.Advanced> steps = notes.stepsOf(task);
      if (!steps.isEmpty()
          && placeAt(path, graph).node().body() instanceof NodeBody.Nested nested) {
        Superstep.requireFits(
            nested.subgraph().graph(), steps.get(steps.size() - 1).position());
      }
    });
  }

  /** Returns the tasks with an unknown outcome, or those with an outcome if there are none. */
  private List<Task> toRerun(Map<Task, String> paths, String name) {
    List<Task> done = tasks(paths, name, task -> memoryOf(task).isWorthForgetting());
    if (done.isEmpty()) {
      throw new NothingToRerunException(
          thread, name, names(paths, task -> memoryOf(task).isWorthForgetting()));
    }
    List<Task> uncertain = done.stream().filter(notes::isUncertain).toList();
    return uncertain.isEmpty() ? done : uncertain;
  }

  private List<Task> toEnd(Map<Task, String> paths, String name) {
    List<Task> open = tasks(paths, name, task -> memoryOf(task).end() == null);
    if (open.isEmpty()) {
      throw new NothingToEndException(
          thread, name, names(paths, task -> memoryOf(task).end() == null));
    }
    return open;
  }

  private static Update accepted(Update update, Place place) {
    Update accepted = place.graph().schema().accept(update);
    Node node = place.node();
    node.writes().ifPresent(declared -> accepted.requireOnly(declared, node.name()));
    return accepted;
  }

  /** Returns the paths of node names, by pending task and by task nested in one. */
  private Map<Task, String> paths() {
    Map<Task, String> paths = new LinkedHashMap<>();
    Map<String, String> byId = new HashMap<>();
    for (Task task : due) {
      paths.put(task, task.node());
      byId.put(task.id(), task.node());
    }
    for (Task task : notes.tasks()) {
      paths.computeIfAbsent(task, inside -> path(inside.id(), byId));
    }
    return paths;
  }

  /** Returns the path of the task {@code id}; null if it is neither known nor in a known task. */
  private static @Nullable String path(String id, Map<String, String> known) {
    int node = id.lastIndexOf('/');
    int index = id.lastIndexOf('/', node - 1);
    int step = id.lastIndexOf('/', index - 1);
    if (step < 0 || known.containsKey(id)) {
      return known.get(id);
    }
    String around = path(id.substring(0, step), known);
    return around == null ? null : around + id.substring(node);
  }

  /** @param name the path of a node, or the id of a task */
  private static List<Task> tasks(Map<Task, String> paths, String name, Predicate<Task> test) {
    return paths.keySet().stream()
        .filter(task -> name.equals(paths.get(task)) || name.equals(task.id()))
        .filter(test)
        .toList();
  }

  /** Returns the paths of nodes, and the ids of tasks of nodes that have several tasks. */
  private static Collection<String> names(Map<Task, String> paths, Predicate<Task> test) {
    Collection<String> names = new TreeSet<>();
    paths.forEach((task, path) -> {
      if (test.test(task)) {
        boolean isAlone = Collections.frequency(paths.values(), path) == 1;
        names.add(isAlone ? path : task.id());
      }
    });
    return names;
  }

  /** A node and its graph. */
  private record Place(Graph graph, Node node) {}

  private static Place placeAt(String path, Graph graph) {
    Graph inner = graph;
    String[] names = path.split("/", -1);
    for (int depth = 0; depth < names.length - 1; depth++) {
      NodeBody body = inner.node(names[depth]).body();
      if (!(body instanceof NodeBody.Nested nested)) {
        throw new IllegalStateException(
            "Node '" + path + "' does not exist in this version of the graph.");
      }
      inner = nested.subgraph().graph();
    }
    return new Place(inner, inner.node(names[names.length - 1]));
  }

  /**
   * Returns the records of tasks that are pending at {@code position} too, under their ids there.
   */
  synchronized List<TaskNote> handedOver(Position position) {
    List<TaskNote> handed = new ArrayList<>();
    TaskNote.CommitFailed failure = notes.commitFailure();
    TaskNote last = null; // any note behind it would make it void
    for (Task after : Superstep.tasks(position)) {
      Task before = after.index() < due.size() ? due.get(after.index()) : null;
      if (before != null && before.node().equals(after.node())) {
        handed.addAll(notes.handedOver(before, after));
        if (failure != null && failure.task().equals(before)) {
          last = failure.about(after);
        }
      }
    }
    if (last != null) {
      handed.add(last);
    }
    return handed;
  }
}
