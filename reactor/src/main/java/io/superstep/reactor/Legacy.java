package io.superstep.reactor;

import io.superstep.checkpoint.NothingToEndException;
import io.superstep.checkpoint.NothingToRerunException;
import io.superstep.checkpoint.OutcomeUnknownException;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Said;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNotes;
import io.superstep.graph.Graph;
import io.superstep.graph.NodeBody;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import io.superstep.step.Superstep;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What earlier runs left undone at the checkpoint where this one begins. It may be asked on any JVM
 * thread.
 */
final class Legacy {

  private final String thread;
  private final List<Task> due;
  private final TaskNotes notes;

  Legacy(SavedThread saved) {
    this.thread = saved.checkpoint().thread();
    this.due = Superstep.tasks(saved.position());
    this.notes = new TaskNotes(saved.notes());
  }

  synchronized Memory memoryOf(Task task) {
    return new Memory(
        notes.endOf(task),
        notes.stepsOf(task),
        notes.failedAttemptsOf(task),
        notes.isUncertain(task));
  }

  /** Takes notice that something begins anew, and so has no past. */
  synchronized void add(Collection<? extends TaskNote> more) {
    for (TaskNote note : more) {
      if (note instanceof TaskNote.Failed) {
        notes.add(note);
      }
    }
  }

  /** What has to be written down of what somebody decided about {@code graph}. */
  synchronized List<TaskNote> decided(Resume with, Graph graph) {
    Map<Task, String> paths = paths();
    List<TaskNote> decided = new ArrayList<>();
    for (String path : with.rerun()) {
      List<Task> done = tasks(paths, path, task -> memoryOf(task).isWorthForgetting());
      if (done.isEmpty()) {
        throw new NothingToRerunException(
            thread, path, names(paths, task -> memoryOf(task).isWorthForgetting()));
      }
      done.forEach(
          task -> decided.add(new TaskNote.Forgotten(task, memoryOf(task).lastAttempt())));
    }
    with.ended().forEach((path, update) -> {
      List<Task> open = tasks(paths, path, task -> memoryOf(task).end() == null);
      StateSchema schema = schemaAt(path, graph);
      if (open.isEmpty() || schema == null) {
        throw new NothingToEndException(
            thread, path, names(paths, task -> memoryOf(task).end() == null));
      }
      Update accepted = schema.accept(update);
      open.forEach(task -> decided.add(new TaskNote.Ended(
          task,
          memoryOf(task).lastAttempt(),
          Said.of(accepted.lacksMessageIds() ? accepted.withMessageIds(task.id()) : accepted))));
    });
    decided.forEach(notes::add);
    Collection<String> uncertain = names(paths, notes::isUncertain);
    if (!uncertain.isEmpty()) {
      throw new OutcomeUnknownException(thread, uncertain);
    }
    return decided;
  }

  /** By task that is due, or inside one that is, the names of the nodes that lead to it. */
  private Map<Task, String> paths() {
    Map<Task, String> paths = new LinkedHashMap<>();
    for (Task outer : due) {
      paths.put(outer, outer.node());
      for (Task task : notes.tasks()) {
        if (task.id().startsWith(outer.id() + "/")) {
          paths.put(task, outer.node() + inside(task.id().substring(outer.id().length() + 1)));
        }
      }
    }
    return paths;
  }

  /** @param rest step, index and node of a task, and of those inside it */
  private static String inside(String rest) {
    StringBuilder path = new StringBuilder();
    String[] parts = rest.split("/", -1);
    for (int part = 2; part < parts.length; part += 3) {
      path.append('/').append(parts[part]);
    }
    return path.toString();
  }

  private static List<Task> tasks(Map<Task, String> paths, String path, Predicate<Task> test) {
    return paths.keySet().stream()
        .filter(task -> path.equals(paths.get(task)) && test.test(task))
        .toList();
  }

  private static Collection<String> names(Map<Task, String> paths, Predicate<Task> test) {
    Collection<String> names = new TreeSet<>();
    paths.forEach((task, path) -> {
      if (test.test(task)) {
        names.add(path);
      }
    });
    return names;
  }

  /** What the node at {@code path} writes to; null if there is none. */
  private static @Nullable StateSchema schemaAt(String path, Graph graph) {
    Graph inner = graph;
    String[] nodes = path.split("/", -1);
    for (int depth = 0; depth < nodes.length - 1; depth++) {
      NodeBody body = inner.find(nodes[depth]).map(node -> node.body()).orElse(null);
      if (!(body instanceof NodeBody.Nested nested)) {
        return null;
      }
      inner = nested.subgraph().graph();
    }
    return inner.schema();
  }

  /** What tasks have done that are due at {@code position} too, under the names they have there. */
  synchronized List<TaskNote> handedOver(Position position) {
    List<TaskNote> handed = new ArrayList<>();
    for (Task after : Superstep.tasks(position)) {
      for (Task before : due) {
        if (before.index() == after.index() && before.node().equals(after.node())) {
          handed.addAll(notes.handedOver(before, after));
        }
      }
    }
    return handed;
  }
}
