package io.superstep.step;

import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.Task;
import io.superstep.graph.Chunk;
import io.superstep.graph.Command;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a task came to. That it asks a question is an outcome like any other, and no error. */
public sealed interface Outcome {

  Task task();

  /**
   * The task said all it had to say.
   *
   * @param said all its updates and commands as one, in the order in which they were emitted
   */
  record Completed(Task task, Command said) implements Outcome {

    /**
     * Returns the same outcome with ids for messages that have none: those of the execution.
     *
     * @see Execution#messageId
     */
    public Completed withMessageIds(Execution execution) {
      if (!said.update().lacksMessageIds()) {
        return this;
      }
      Update update = said.update().withMessageIds(execution.messageIds(task));
      return new Completed(
          task, new Command(update, said.goTo(), said.sends(), said.parent(), said.memories()));
    }
  }

  /**
   * The last attempt failed, and there was no handler, or it failed too.
   *
   * @param attempts the number of attempts of the node
   * @param error the error of the node, or of its handler
   * @param handled the error of the node that the handler received; null if there was no handler
   */
  record Failed(
      Task task, int attempts, Throwable error, @Nullable Throwable handled) implements Outcome {

    public Failed {
      Objects.requireNonNull(error, "error");
    }

    /** Creates the outcome of a node without a handler. */
    public Failed(Task task, int attempts, Throwable error) {
      this(task, attempts, error, null);
    }

    /** Returns whether the handler failed with an error of its own. */
    boolean isOfHandler() {
      return handled != null && handled != error;
    }
  }

  /**
   * The task waits for an answer.
   *
   * @param question the key under which it asked
   */
  record Interrupted(Task task, String question) implements Outcome {}

  /** The outcome of a task that emitted {@code outputs} and completed; chunks leave no trace. */
  static Completed completed(Task task, List<? extends NodeOutput> outputs) {
    if (outputs.size() == 1 && outputs.get(0) instanceof Update update) {
      return new Completed(task, Command.of(update));
    }
    List<Command> said = new ArrayList<>(outputs.size());
    for (NodeOutput output : outputs) {
      if (!(output instanceof Chunk)) {
        said.add(command(output));
      }
    }
    requireOneAddressee(task, said);
    return new Completed(task, said.size() == 1 ? said.get(0) : Command.all(said));
  }

  private static void requireOneAddressee(Task task, List<Command> said) {
    boolean here = false;
    boolean parent = false;
    for (Command command : said) {
      if (!command.goTo().isEmpty() || !command.sends().isEmpty()) {
        here |= !command.parent();
        parent |= command.parent();
      }
    }
    if (here && parent) {
      throw InvalidRouteException.mixed(task.node());
    }
  }

  /** The outcome of a task that emitted {@code output} and completed. */
  static Completed completed(Task task, NodeOutput output) {
    return completed(task, List.of(output));
  }

  private static Command command(NodeOutput output) {
    if (output instanceof Command command) {
      return command;
    }
    if (output instanceof Update update) {
      return Command.of(update);
    }
    throw new IllegalArgumentException("A node emits updates, chunks and commands, and not "
        + output.getClass().getName() + ".");
  }
}
