package io.superstep.step;

import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Said;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNote.Advanced;
import io.superstep.graph.Graph;
import io.superstep.graph.Node;
import io.superstep.graph.NodeBody;
import io.superstep.graph.Subgraph;
import io.superstep.state.Changes;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.Effect;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import io.superstep.state.Write;
import io.superstep.value.ValueType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A change from outside, applied to the subgraphs that have begun: the inner state of a subgraph
 * that shares channels gets the change too, and its pending updates are adjusted so that the end of
 * the subgraph does not undo the change.
 *
 * <p>For each channel the inner value after the change has to be what the pending updates lead to
 * when they flow up. Where neither keeping, nor dropping, nor repeating the change behind them does
 * that, the change is refused.
 */
final class SubgraphUpdate {

  /** The author of the change. */
  private final String author;

  /** Null if the change is known by its effects only, which cannot be applied to another state. */
  private final @Nullable Update change;

  private final Set<String> channels;
  private final List<TaskNote> notes;

  SubgraphUpdate(
      String author, @Nullable Update change, Set<String> channels, List<TaskNote> notes) {
    this.author = author;
    this.change = change;
    this.channels = channels;
    this.notes = new ArrayList<>(notes);
  }

  /** Returns the notes about the tasks of {@code after}, with the change applied inside them. */
  List<TaskNote> applied(Graph graph, Position before, Position after) {
    apply("", graph, before.state(), after, channels);
    return notes;
  }

  private void apply(String path, Graph graph, State before, Position after, Set<String> changed) {
    for (Task task : Superstep.tasks(after)) {
      Node node = graph.find(task.node()).orElse(null);
      List<Integer> steps = stepsOf(task);
      if (node == null
          || !(node.body() instanceof NodeBody.Nested nested)
          || (steps.isEmpty() && !isKnownInside(task))) {
        continue;
      }
      String inside = path + node.name();
      if (nested.subgraph().isMapped()) {
        requireSameInput(inside, nested.subgraph(), task, before, after.state(), changed);
      } else if (steps.isEmpty()) {
        begin(inside, nested.subgraph(), task, graph, before, after.state(), changed);
      } else {
        share(inside, nested.subgraph(), steps, graph, after.state(), changed);
      }
    }
  }

  /** The places of the notes about the steps that the graph inside {@code task} has taken. */
  private List<Integer> stepsOf(Task task) {
    List<Integer> steps = new ArrayList<>(0);
    for (int index = 0; index < notes.size(); index++) {
      if (notes.get(index) instanceof Advanced step && step.task().equals(task)) {
        steps.add(index);
      }
    }
    return steps;
  }

  /** Whether the tasks of the graph inside {@code task} have left notes. */
  private boolean isKnownInside(Task task) {
    return notes.stream().anyMatch(note -> note.task().origin().equals(task.id()));
  }

  /** A subgraph that has not completed a step begins anew, and graphs inside it may have. */
  private void begin(
      String path,
      Subgraph subgraph,
      Task task,
      Graph graph,
      State before,
      State after,
      Set<String> changed) {
    SubgraphEntry entry = new SubgraphEntry(subgraph, graph.schema());
    Set<String> shared = new LinkedHashSet<>(entry.shared());
    shared.retainAll(changed);
    if (!shared.isEmpty()) {
      State was = entry.begin(task.id(), task.sees(before)).position().state();
      Position now = entry.begin(task.id(), task.sees(after)).position();
      apply(path + "/", subgraph.graph(), was, now, shared);
    }
  }

  /** A mapped subgraph has a state of its own: a change may not alter what went into it. */
  private static void requireSameInput(
      String path, Subgraph subgraph, Task task, State before, State after, Set<String> changed) {
    boolean same;
    try {
      Update input = subgraph.into().map(task.sees(before));
      same = input.equals(subgraph.into().map(task.sees(after)));
    } catch (Throwable failure) {
      throw new SubgraphUpdateException(
          "The input mapping of a subgraph that has started failed with "
              + failure.getClass().getSimpleName()
              + " for the changed state; see the cause.",
          path,
          changed,
          failure);
    }
    if (!same) {
      throw new SubgraphUpdateException(
          "The change alters the mapped input of a subgraph that has started.",
          path,
          changed,
          null);
    }
  }

  private void share(
      String path,
      Subgraph subgraph,
      List<Integer> steps,
      Graph graph,
      State around,
      Set<String> changed) {
    Set<String> shared = new LinkedHashSet<>(new SubgraphEntry(subgraph, graph.schema()).shared());
    shared.retainAll(changed);
    if (shared.isEmpty()) {
      return;
    }
    if (change == null) {
      throw new SubgraphUpdateException(
          "The merge changes channels of a subgraph that has started.", path, shared, null);
    }
    Advanced last = (Advanced) notes.get(steps.get(steps.size() - 1));
    StateSchema schema = subgraph.graph().schema();
    State before = schema.adopt(last.position().state());
    Map<String, Effect<?>> effects = new LinkedHashMap<>();
    Set<String> dropped = new HashSet<>();
    Update repeated = Update.NOTHING;
    for (String name : shared) {
      Shared channel = new Shared(path, schema.channel(name), before, around, pending(steps, name));
      Effect<?> effect = channel.effect();
      if (effect != null) {
        effects.put(name, effect);
      }
      if (channel.fate == Fate.DROPPED) {
        dropped.add(name);
      } else if (channel.fate == Fate.FOLLOWED) {
        repeated = repeated.and(channel.own);
      }
    }
    Position position = last.position().with(amended(path, before, effects, shared));
    for (int index : steps) {
      Advanced step = (Advanced) notes.get(index);
      boolean isLast = step == last;
      Update said = without(step.said().update(), dropped);
      notes.set(
          index,
          new Advanced(
              step.task(),
              step.attempt(),
              step.changes(),
              isLast ? position : step.position(),
              with(step.said(), isLast ? said.and(repeated) : said)));
    }
    apply(path + "/", subgraph.graph(), before, position, shared);
  }

  private State amended(
      String path, State before, Map<String, Effect<?>> effects, Set<String> shared) {
    try {
      return before.amend(new Changes(effects), author).state();
    } catch (InvalidUpdateException refused) {
      throw refused(path, refused.channel().map(Set::of).orElse(shared), refused);
    }
  }

  /** What the graph inside has written to a channel, and flows up when it has ended. */
  private Update pending(List<Integer> steps, String channel) {
    Update pending = Update.NOTHING;
    for (int index : steps) {
      Update said = ((Advanced) notes.get(index)).said().update();
      pending = said.isEmpty() ? pending : pending.and(said.only(Set.of(channel)));
    }
    return pending;
  }

  private static Update without(Update update, Set<String> channels) {
    if (channels.isEmpty()) {
      return update;
    }
    Set<String> others = new HashSet<>();
    update.writes().stream().map(Write::channel).forEach(others::add);
    others.removeAll(channels);
    return update.only(others);
  }

  private static Said with(Said said, Update update) {
    return new Said(update, said.goTo(), said.sends(), said.toParent(), said.memories());
  }

  private static SubgraphUpdateException refused(
      String path, Set<String> channels, @Nullable Throwable cause) {
    return new SubgraphUpdateException(
        "The change conflicts with the state or the writes of a subgraph that has started.",
        path,
        channels,
        cause);
  }

  /** What becomes of the pending updates of a channel. */
  private enum Fate {
    /** They flow up as they are. */
    KEPT,
    /** The change replaces them. */
    DROPPED,
    /** The change follows them once more. */
    FOLLOWED
  }

  /** The change of one shared channel. */
  private final class Shared {

    private final String path;
    private final Channel<?> channel;
    private final State inside;
    private final State around;
    private final Update pending;
    private final Update own;
    private Fate fate = Fate.KEPT;

    Shared(String path, Channel<?> channel, State inside, State around, Update pending) {
      this.path = path;
      this.channel = channel;
      this.inside = inside;
      this.around = around;
      this.pending = pending;
      this.own = Objects.requireNonNull(change).only(Set.of(channel.name()));
    }

    /** The effect on the inner value; null if there is none. Decides on the pending updates too. */
    @Nullable
    Effect<?> effect() {
      Transition changed = fold(inside, own);
      Effect<?> effect = changed.changes().effects().get(channel.name());
      if (pending.isEmpty()) {
        return effect;
      }
      Object value = changed.state().get(channel.name());
      Object kept = folded(pending);
      if (ValueType.same(kept, value)) {
        return effect;
      }
      if (ValueType.same(around.get(channel.name()), value)) {
        fate = Fate.DROPPED;
        return effect;
      }
      if (ValueType.same(folded(pending.and(own)), value)) {
        fate = Fate.FOLLOWED;
        return effect;
      }
      if (kept != null && adds(effect) && !overwrites(pending)) {
        return Effect.<@Nullable Object>replace(kept); // both add, and differ in their order only
      }
      throw refused(path, Set.of(channel.name()), null);
    }

    private boolean adds(@Nullable Effect<?> effect) {
      return effect instanceof Effect.Append
          || effect instanceof Effect.Add
          || effect instanceof Effect.Join
          || (effect instanceof Effect.Sequence<?> sequence
              && sequence.effects().stream().allMatch(this::adds));
    }

    private boolean overwrites(Update update) {
      return update.writes().stream().anyMatch(Write::overwrite);
    }

    /** What the channel holds around the subgraph after {@code update}; null if that is refused. */
    private @Nullable Object folded(Update update) {
      try {
        return fold(around, update).state().get(channel.name());
      } catch (SubgraphUpdateException misfit) {
        return null;
      }
    }

    /** Folds into the channel alone, without the checks of its schema. */
    private Transition fold(State state, Update update) {
      String name = channel.name();
      Object value = state.get(name);
      try {
        return StateSchema.of(channel)
            .restore(
                value == null ? Map.of() : Map.of(name, value),
                Map.of(name, state.version(state.schema().channel(name))),
                Map.of())
            .amend(new Contribution(author, update));
      } catch (InvalidUpdateException misfit) {
        throw refused(path, Set.of(name), misfit);
      }
    }
  }
}
