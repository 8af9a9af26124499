package io.superstep.graph;

import io.superstep.memory.MemoryWrite;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * An update with directions: where to go instead of along the node's own edges, and which tasks to
 * send out.
 *
 * <p>A node that answers with a command declares the nodes it may name with
 * {@link GraphBuilder#mayGoTo}. All parts of a command are applied once, together with its step.
 *
 * @param goTo where to go in place of the node's edges, joins and routes; empty to follow those
 * @param sends what to send out in any case
 * @param parent whether the directions are meant for the graph around this one, which ends this one
 * @param memories what is to be remembered beyond the thread, once the step is committed
 */
public record Command(
    Update update, List<String> goTo, List<Send> sends, boolean parent, List<MemoryWrite> memories)
    implements NodeOutput {

  public Command {
    goTo = List.copyOf(goTo);
    sends = List.copyOf(sends);
    memories = List.copyOf(memories);
  }

  /** One that has nothing remembered. */
  public Command(Update update, List<String> goTo, List<Send> sends, boolean parent) {
    this(update, goTo, sends, parent, List.of());
  }

  /** The update without any directions. */
  public static Command of(Update update) {
    return new Command(update, List.of(), List.of(), false);
  }

  /** Goes to these nodes, or to {@link Graph#END}, in place of the node's own edges. */
  public static Command goTo(String target, String... more) {
    List<String> targets = new ArrayList<>();
    targets.add(target);
    targets.addAll(Arrays.asList(more));
    return new Command(Update.NOTHING, targets, List.of(), false);
  }

  /** Sends out a task each, and follows the node's own edges too. */
  public static Command send(Collection<Send> sends) {
    return new Command(Update.NOTHING, List.of(), List.copyOf(sends), false);
  }

  /** Sends out a task each, and follows the node's own edges too. */
  public static Command send(Send... sends) {
    return send(Arrays.asList(sends));
  }

  /**
   * Has something remembered beyond the thread, once the step is committed, and exactly once. It
   * needs a thread, and a runner that was given a memory.
   */
  public static Command remember(MemoryWrite memory, MemoryWrite... more) {
    List<MemoryWrite> all = new ArrayList<>();
    all.add(memory);
    all.addAll(Arrays.asList(more));
    return new Command(Update.NOTHING, List.of(), List.of(), false, all);
  }

  /** This command, which also writes {@code more}. */
  public Command with(Update more) {
    return new Command(update.and(more), goTo, sends, parent, memories);
  }

  /** What both commands say. */
  public Command and(Command other) {
    return all(List.of(this, other));
  }

  /** What all of {@code commands} say, one after the other. */
  public static Command all(Collection<Command> commands) {
    return new Command(
        Update.all(commands.stream().map(Command::update).toList()),
        commands.stream().flatMap(command -> command.goTo.stream()).toList(),
        commands.stream().flatMap(command -> command.sends.stream()).toList(),
        commands.stream().anyMatch(Command::parent),
        commands.stream().flatMap(command -> command.memories.stream()).toList());
  }

  /**
   * The same directions for the parent graph: the graph that has this one as a node. They end this
   * graph. The targets are those that {@code mayGoTo} of the parent graph declares for that node.
   *
   * <p>In a run of a graph without a parent the node that emits the command fails (SG-128).
   */
  public Command inParent() {
    return new Command(update, goTo, sends, true, memories);
  }
}
