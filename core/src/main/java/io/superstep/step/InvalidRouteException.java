package io.superstep.step;

import io.superstep.error.DidYouMean;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import io.superstep.graph.Graph;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Thrown if a router or a command names an invalid target; the step is not committed. */
public final class InvalidRouteException extends SuperstepException {

  private static final long serialVersionUID = 1L;
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{M}\\p{N}_.-]{1,100}");

  private final String node;

  private InvalidRouteException(Problem problem, String node, @Nullable Throwable cause) {
    super(problem, cause);
    this.node = node;
  }

  static InvalidRouteException undeclared(
      String node, @Nullable String target, Collection<String> declared) {
    String what = target == null
        ? "The router returned null."
        : "The router returned " + quoted(target) + ", which is not among its declared targets.";
    return new InvalidRouteException(
        new Problem("SG-121", what, route(node), use(target, declared)), node, null);
  }

  static InvalidRouteException failed(String node, Throwable failure) {
    return new InvalidRouteException(
        new Problem(
            "SG-122",
            "The router failed with " + failure.getClass().getSimpleName() + "; see the cause.",
            route(node),
            "Correct the router, then call thread.resume(): the router is evaluated again, and no"
                + " node runs again."),
        node,
        failure);
  }

  static InvalidRouteException undeclaredCommand(
      String node, String target, Collection<String> declared) {
    return new InvalidRouteException(
        new Problem(
            "SG-123",
            "The command of node '" + node + "' names " + quoted(target)
                + ", which is not among its declared targets.",
            "the command of node '" + node + "'",
            declare(node, target, declared)),
        node,
        null);
  }

  /** @param subgraph the node of the parent graph whose body is the graph of {@code node} */
  static InvalidRouteException undeclaredInParent(
      String node, String target, String subgraph, Collection<String> declared) {
    return new InvalidRouteException(
        new Problem(
            "SG-123",
            "The command of node '" + node + "' to the parent graph names " + quoted(target)
                + ", which is not among the declared targets of node '" + subgraph
                + "' of that graph.",
            "the command of node '" + node + "'",
            declare(subgraph, target, declared)),
        node,
        null);
  }

  /** A command to the parent graph, emitted in a graph that runs without one. */
  public static InvalidRouteException withoutParent(String node) {
    return new InvalidRouteException(
        new Problem(
            "SG-128",
            "The command of node '" + node + "' addresses the parent graph, and the run of this"
                + " graph has none.",
            "node '" + node + "'",
            "Leave out inParent(), or run the graph as a subgraph."),
        node,
        null);
  }

  static InvalidRouteException mixed(String node) {
    return new InvalidRouteException(
        new Problem(
            "SG-124",
            "Node '" + node + "' emitted commands for its own graph and for the parent graph.",
            "node '" + node + "'",
            "Emit only one of the two: a command to the parent graph ends the subgraph."),
        node,
        null);
  }

  static InvalidRouteException nowhere(String node, Collection<String> declared) {
    return new InvalidRouteException(
        new Problem(
            "SG-127",
            "Node '" + node + "' has no edge, join or route, and completed without a command.",
            "mayGoTo(\"" + node + "\", ...)",
            "Emit Command.goTo(...) with one of " + names(declared) + ", or add edge(\"" + node
                + "\", ...)."),
        node,
        null);
  }

  static InvalidRouteException deferredSend(String node, String target) {
    return deferredSend(node, target, node);
  }

  /** @param declared the node whose declaration allows the target */
  static InvalidRouteException deferredSend(String node, String target, String declared) {
    return new InvalidRouteException(
        new Problem(
            "SG-125",
            "Node '" + node + "' sent a task to node '" + target
                + "', which is deferred and runs as a single task.",
            "mayGoTo(\"" + declared + "\", ...)",
            "Use Command.goTo(\"" + target + "\"), or remove defer(\"" + target + "\")."),
        node,
        null);
  }

  static InvalidRouteException unknownNode(String node, Collection<String> known) {
    return new InvalidRouteException(
        new Problem(
            "SG-126",
            "There is no node " + quoted(node) + ", as which the update is to be applied.",
            "the update from outside",
            use(node, known)),
        node,
        null);
  }

  private static String route(String node) {
    return node.equals("START") ? "the route of START" : "the route of node '" + node + "'";
  }

  /** Returns the fix for a target that is not declared: correct the name, or declare it. */
  private static String declare(String node, String target, Collection<String> declared) {
    String declaration =
        "declare the target in the graph: mayGoTo(\"" + node + "\", " + literal(target) + ").";
    if (declared.isEmpty()) {
      return "D" + declaration.substring(1);
    }
    List<String> names = names(declared);
    return DidYouMean.among(names, shown(target))
        .map(meant -> "Did you mean " + quoted(meant) + "? Otherwise " + declaration)
        .orElse("Use one of " + names + ", or " + declaration);
  }

  private static String literal(String target) {
    if (target.equals(Graph.END)) {
      return "END";
    }
    return NAME.matcher(target).matches() ? '"' + target + '"' : "...";
  }

  private static String use(@Nullable String target, Collection<String> declared) {
    List<String> names = names(declared);
    String all = "Use one of " + names + ".";
    return target == null
        ? all
        : DidYouMean.among(names, shown(target))
            .map(meant -> "Did you mean " + quoted(meant) + "? " + all)
            .orElse(all);
  }

  private static List<String> names(Collection<String> declared) {
    return declared.stream().map(InvalidRouteException::shown).sorted().toList();
  }

  private static String shown(String name) {
    return name.equals(Graph.END) ? "END" : name;
  }

  /** What could be a name, as it is; any other text may be private, and is not shown. */
  private static String quoted(String text) {
    if (text.equals(Graph.END) || text.equals(Graph.START)) {
      return text.equals(Graph.END) ? "END" : "START";
    }
    return NAME.matcher(text).matches()
        ? "'" + text + "'"
        : "a text of " + text.length() + " characters that is no name";
  }

  /**
   * Returns the node whose router or command is wrong, {@code START} for the route at the beginning
   * of a run, and for SG-126 the name that the update from outside gave.
   */
  public String node() {
    return node;
  }
}
