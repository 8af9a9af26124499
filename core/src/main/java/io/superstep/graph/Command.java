package io.superstep.graph;

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
 */
public record Command(Update update, List<String> goTo, List<Send> sends, boolean parent)
    implements NodeOutput {

  public Command {
    goTo = List.copyOf(goTo);
    sends = List.copyOf(sends);
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

  /** This command, which also writes {@code more}. */
  public Command with(Update more) {
    return new Command(update.and(more), goTo, sends, parent);
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
        commands.stream().anyMatch(Command::parent));
  }

  /** The same directions for the graph that has this one as a node. */
  public Command inParent() {
    return new Command(update, goTo, sends, true);
  }
}
