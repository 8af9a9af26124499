package io.superstep.graph;

import io.superstep.error.Problem;
import io.superstep.state.Channel;
import io.superstep.state.InvalidSchemaException;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Describes a graph: its channels, its nodes and the ways between them.
 *
 * <p>The order of calls does not matter, except that nodes are folded in the order in which they
 * are declared. Nothing is checked before {@link #build()}, which tells all problems at once.
 * Without options a node is tried once, without timeout, and may write every channel. Not
 * thread-safe; what it builds is.
 */
public final class GraphBuilder {

  private final Blueprint blueprint;
  private final StateSchema.Builder channels = StateSchema.builder();
  private @Nullable StateSchema schema;
  private @Nullable String channelCall;

  GraphBuilder(String name) {
    this.blueprint = new Blueprint(name);
  }

  /** Adds channels to what the graph remembers. */
  public GraphBuilder channels(Channel<?>... more) {
    List<Channel<?>> known = known("channels", more);
    channels.channels(known.toArray(Channel<?>[]::new));
    return this;
  }

  /** Lets callers write these channels only. */
  public GraphBuilder input(Channel<?>... view) {
    channels.input(names(known("input", view)).toArray(String[]::new));
    return this;
  }

  /** Lets callers see these channels only. */
  public GraphBuilder output(Channel<?>... view) {
    channels.output(names(known("output", view)).toArray(String[]::new));
    return this;
  }

  /**
   * Refuses a state that does not pass {@code test}, before it is committed.
   *
   * @param path what the check is about, for the reader of the error
   */
  public GraphBuilder check(String path, String message, Predicate<State> test) {
    channelCall = Call.of("check", path, message, Optional.empty());
    if (path == null || message == null || test == null) {
      blueprint.missing("a path, a message or a test", channelCall);
    } else {
      channels.check(path, message, test);
    }
    return this;
  }

  /** Takes channels, views and checks from {@code whole}, in place of the four calls above. */
  public GraphBuilder schema(StateSchema whole) {
    if (whole == null) {
      blueprint.missing("a schema", "schema(...)");
    } else if (schema != null) {
      blueprint.repeated("schema(...)", "schema(...)");
    } else {
      schema = whole;
    }
    return this;
  }

  /** A node that returns a {@code Mono} or a {@code Flux}. */
  public GraphBuilder node(String name, NodeAction action) {
    return node(
        "node",
        name,
        action == null ? null : new NodeBody.Reactive((state, context) -> action.run(state)));
  }

  /** A node that returns a {@code Mono} or a {@code Flux}, and asks about its task. */
  public GraphBuilder node(String name, ContextualAction action) {
    return node("node", name, action == null ? null : new NodeBody.Reactive(action));
  }

  /** A node that is a plain function: quick, and never blocking. */
  public GraphBuilder compute(String name, Computation function) {
    return node(
        "compute",
        name,
        function == null
            ? null
            : new NodeBody.Computed((state, context) -> function.compute(state)));
  }

  /** A node that is a plain function, quick and never blocking, and asks about its task. */
  public GraphBuilder compute(String name, ContextualComputation function) {
    return node("compute", name, function == null ? null : new NodeBody.Computed(function));
  }

  /** A node that may block the thread it is called on, which will be one made for that. */
  public GraphBuilder blocking(String name, Computation function) {
    return node(
        "blocking",
        name,
        function == null
            ? null
            : new NodeBody.Blocking((state, context) -> function.compute(state)));
  }

  /** A node that may block the thread it is called on, and asks about its task. */
  public GraphBuilder blocking(String name, ContextualComputation function) {
    return node("blocking", name, function == null ? null : new NodeBody.Blocking(function));
  }

  /** A node that is a graph and shares the channels that both call by the same name. */
  public GraphBuilder subgraph(String name, Graph graph) {
    return node(
        "subgraph", name, graph == null ? null : new NodeBody.Nested(Subgraph.sharing(graph)));
  }

  /**
   * A node that is a graph with a state of its own.
   *
   * @param into what it starts with, from the state around it
   * @param outOf what it gives back, from its own last state
   */
  public GraphBuilder subgraph(String name, Graph graph, StateMapping into, StateMapping outOf) {
    return node(
        "subgraph",
        name,
        graph == null || into == null || outOf == null
            ? null
            : new NodeBody.Nested(Subgraph.mapped(graph, into, outOf)));
  }

  private GraphBuilder node(String method, String name, @Nullable NodeBody body) {
    String node = String.valueOf(name);
    String call = Call.of(method, node, Optional.empty());
    if (body == null) {
      blueprint.missing(method.equals("subgraph") ? "a graph or a mapping" : "a function", call);
    }
    blueprint.node(node, body, call);
    return this;
  }

  /** When {@code from} completes, {@code to} is due. */
  public GraphBuilder edge(String from, String to) {
    String source = String.valueOf(from);
    String target = String.valueOf(to);
    blueprint.edge(source, target, Call.of("edge", source, target));
    return this;
  }

  /** An edge from each of {@code names} to the next. */
  public GraphBuilder sequence(String... names) {
    List<String> path = texts(names);
    String call = Call.of("sequence", path);
    if (path.size() < 2) {
      blueprint.tooShort(call);
    }
    for (int next = 1; next < path.size(); next++) {
      blueprint.edge(path.get(next - 1), path.get(next), call);
    }
    return this;
  }

  /**
   * When all of {@code sources} have completed since {@code target} was last due this way, however
   * many steps apart, {@code target} is due.
   */
  public GraphBuilder join(Sources sources, String target) {
    String node = String.valueOf(target);
    String call = Call.of("join", sources, node);
    if (sources == null) {
      blueprint.missing("all(...)", call);
      blueprint.aside(Graph.START, List.of(node), call);
    } else {
      blueprint.join(sources, node, call);
    }
    return this;
  }

  /** When {@code from} completes, {@code router} chooses one of {@code targets}. */
  public GraphBuilder route(String from, Targets targets, Router router) {
    boolean complete = targets != null && router != null;
    return route("route", from, targets, complete ? Route.one(targets, router) : null);
  }

  /** When {@code from} completes, {@code router} chooses some of {@code targets}. */
  public GraphBuilder routeAll(String from, Targets targets, MultiRouter router) {
    boolean complete = targets != null && router != null;
    return route("routeAll", from, targets, complete ? Route.several(targets, router) : null);
  }

  /** When {@code from} completes, {@code router} sends out tasks of {@code targets}. */
  public GraphBuilder fanOut(String from, Targets targets, SendRouter router) {
    boolean complete = targets != null && router != null;
    return route("fanOut", from, targets, complete ? Route.sends(targets, router) : null);
  }

  private GraphBuilder route(
      String method, String from, @Nullable Targets targets, @Nullable Route route) {
    String source = String.valueOf(from);
    String call = Call.of(method, source, targets, Optional.empty());
    if (route == null) {
      blueprint.missing(targets == null ? "to(...)" : "a router", call);
      blueprint.aside(source, targets == null ? List.of() : targets.names(), call);
    } else {
      blueprint.route(source, route, call);
    }
    return this;
  }

  /** Lets {@code node} answer with commands that name {@code targets}. */
  public GraphBuilder mayGoTo(String node, String... targets) {
    List<String> names = texts(targets);
    String call = Call.of("mayGoTo", String.valueOf(node), names);
    return option(node, "mayGoTo", new Targets(names), call);
  }

  /** Says that {@code node} writes these channels and no others. */
  public GraphBuilder writes(String node, Channel<?>... written) {
    List<Channel<?>> channels = present(written);
    String call = Call.of("writes", String.valueOf(node), names(channels));
    boolean complete = written != null && channels.size() == written.length;
    return option(node, "writes", complete ? channels : null, call);
  }

  /**
   * Lets {@code node} run {@code most} times in a turn; when it would be due once more,
   * {@code exit} is due in its place.
   */
  public GraphBuilder maxVisits(String node, int most, String exit) {
    String target = String.valueOf(exit);
    String call = "maxVisits(" + Call.name(String.valueOf(node)) + ", " + most + ", "
        + Call.name(target) + ")";
    return option(node, "maxVisits", new VisitLimit(most, target), call);
  }

  /** Lets these nodes wait until nothing else is due. */
  public GraphBuilder defer(String... nodes) {
    return each("defer", nodes);
  }

  /** Stops a run before these nodes, until it is resumed. */
  public GraphBuilder interruptBefore(String... nodes) {
    return each("interruptBefore", nodes);
  }

  /** Stops a run after these nodes, until it is resumed. */
  public GraphBuilder interruptAfter(String... nodes) {
    return each("interruptAfter", nodes);
  }

  private GraphBuilder each(String option, String... nodes) {
    List<String> names = texts(nodes);
    String call = Call.of(option, names);
    names.forEach(node -> option(node, option, true, call));
    return this;
  }

  /** Says how {@code node} is run; what the policy does not say comes from the defaults. */
  public GraphBuilder policy(String node, NodePolicy policy) {
    return option(
        node, "policy", policy, Call.of("policy", String.valueOf(node), Optional.empty()));
  }

  /** Says how nodes are run that have nothing else to say about it. */
  public GraphBuilder defaults(NodePolicy policy) {
    blueprint.defaults(policy, "defaults(...)");
    return this;
  }

  /** Says what to do when the last attempt of {@code node} has failed. */
  public GraphBuilder handler(String node, ErrorHandler handler) {
    return option(
        node, "handler", handler, Call.of("handler", String.valueOf(node), Optional.empty()));
  }

  private GraphBuilder option(String node, String option, @Nullable Object value, String call) {
    blueprint.option(String.valueOf(node), option, value, call);
    return this;
  }

  /**
   * The graph that was described.
   *
   * @throws InvalidGraphException with all that is wrong with it
   */
  public Graph build() {
    List<Problem> problems = new ArrayList<>(blueprint.problems());
    StateSchema remembered = remembered(problems);
    Ways ways = new Ways(blueprint);
    problems.addAll(new GraphChecks(blueprint, ways, remembered).problems());
    if (remembered == null || !problems.isEmpty()) {
      throw new InvalidGraphException(blueprint.name(), problems);
    }
    return new Graph(blueprint, ways, remembered);
  }

  /** What the graph remembers; null if that is not known for all the problems it has. */
  private @Nullable StateSchema remembered(List<Problem> problems) {
    if (schema != null && channelCall != null) {
      problems.add(new Problem(
          "SG-110",
          "The schema is declared twice, by schema(...) and by this call.",
          channelCall,
          "Remove this call, or remove schema(...)."));
    }
    try {
      return schema != null ? schema : channels.build();
    } catch (InvalidSchemaException invalid) {
      problems.addAll(invalid.problems());
      return null;
    }
  }

  /** Those of {@code named} that are there; that others are not is noted. */
  private List<Channel<?>> known(String method, Channel<?>... named) {
    List<Channel<?>> channels = present(named);
    channelCall = Call.of(method, names(channels));
    if (named == null || channels.size() < named.length) {
      blueprint.missing("a channel", channelCall);
    }
    return channels;
  }

  private static List<Channel<?>> present(Channel<?> @Nullable ... channels) {
    return channels == null
        ? List.of()
        : Stream.<Channel<?>>of(channels).filter(Objects::nonNull).toList();
  }

  private static List<String> names(List<Channel<?>> channels) {
    return channels.stream().map(Channel::name).toList();
  }

  private static List<String> texts(String @Nullable ... names) {
    return names == null
        ? List.of("null")
        : Arrays.stream(names).map(String::valueOf).toList();
  }
}
