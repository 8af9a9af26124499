package io.superstep.step;

import io.superstep.checkpoint.Task;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.Send;
import io.superstep.graph.Targets;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.NodeOutput;
import io.superstep.state.State;
import io.superstep.state.Update;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A graph as plain names and sets, and what its nodes and routers say: pure functions of the seed
 * and of what they see. A {@link Graph} and a {@link ReferenceRun} are both made of it.
 */
record Sketch(
    long seed,
    List<String> nodes,
    List<List<String>> sequences,
    Set<Edge> singleEdges,
    Set<Wait> joins,
    Map<String, Fork> forks,
    Map<String, Set<String>> commands,
    Map<String, Limit> limits,
    Set<String> deferred,
    Set<String> before,
    Set<String> after) {

  static final Channel<Integer> COUNT = Channel.sum("count", Integer.class);
  static final ListChannel<String> LOG = Channel.list("log", String.class);
  static final Channel<@Nullable Integer> PARCEL =
      Channel.value("parcel", Integer.class).argument();

  /** From this count on nobody sends more than one task, lest they multiply without end. */
  private static final int WEARY = 120;

  record Edge(String from, String to) {}

  record Wait(Set<String> sources, String target) {}

  enum Kind {
    ONE,
    SEVERAL,
    SENDS
  }

  record Fork(Kind kind, Set<String> targets) {}

  record Limit(int most, String exit) {}

  record Sent(String node, int parcel) {}

  record Said(int adds, List<String> goTo, List<Sent> sends) {}

  /** All edges, however they were declared. */
  Set<Edge> edges() {
    Set<Edge> all = new LinkedHashSet<>(singleEdges);
    for (List<String> path : sequences) {
      for (int next = 1; next < path.size(); next++) {
        all.add(new Edge(path.get(next - 1), path.get(next)));
      }
    }
    return all;
  }

  /** All ways that a run can take, joins as one from each source. */
  Set<Edge> ways() {
    Set<Edge> all = edges();
    joins.forEach(join ->
        join.sources().forEach(source -> all.add(new Edge(source, join.target()))));
    forks.forEach((from, fork) -> fork.targets().forEach(to -> all.add(new Edge(from, to))));
    commands.forEach((from, targets) -> targets.forEach(to -> all.add(new Edge(from, to))));
    limits.forEach((from, limit) -> all.add(new Edge(from, limit.exit())));
    return all;
  }

  /** What can be reached from {@code from} in one step or more. */
  Set<String> reachable(String from) {
    Set<Edge> ways = ways();
    Set<String> reached = new LinkedHashSet<>();
    boolean more = true;
    while (more) {
      more = false;
      for (Edge way : ways) {
        if (way.from().equals(from) || reached.contains(way.from())) {
          more |= reached.add(way.to());
        }
      }
    }
    return reached;
  }

  Sketch withoutPauses() {
    return new Sketch(
        seed,
        nodes,
        sequences,
        singleEdges,
        joins,
        forks,
        commands,
        limits,
        deferred,
        Set.of(),
        Set.of());
  }

  /** What a router of one or several names chooses when it sees {@code count}. */
  List<String> chosen(String from, int count) {
    Fork fork = forks.get(from);
    List<String> targets = new ArrayList<>(fork.targets());
    SplittableRandom dice = dice(from, count, null);
    if (fork.kind() == Kind.ONE) {
      return List.of(targets.get(dice.nextInt(targets.size())));
    }
    targets.removeIf(target -> dice.nextInt(3) == 0);
    return targets;
  }

  /** What a router that sends sends when it sees {@code count}. */
  List<Sent> sent(String from, int count) {
    List<String> targets = new ArrayList<>(forks.get(from).targets());
    SplittableRandom dice = dice(from, count, null);
    List<Sent> sends = new ArrayList<>();
    for (int left = dice.nextInt(count < WEARY ? 4 : 2); left > 0; left--) {
      sends.add(new Sent(targets.get(dice.nextInt(targets.size())), dice.nextInt(5)));
    }
    return sends;
  }

  /** What a task says when it sees {@code count} and was sent {@code parcel}, if it was sent. */
  Said said(String node, int count, @Nullable Integer parcel) {
    SplittableRandom dice = dice(node, count, parcel);
    int adds = 1 + dice.nextInt(3);
    List<String> targets = new ArrayList<>(commands.getOrDefault(node, Set.of()));
    List<String> goTo = new ArrayList<>();
    if (!targets.isEmpty() && (dice.nextInt(5) < 2 || !hasExits(node))) {
      for (int more = 1 + dice.nextInt(2); more > 0; more--) {
        goTo.add(targets.get(dice.nextInt(targets.size())));
      }
    }
    targets.removeIf(target -> target.equals(Graph.END) || deferred.contains(target));
    List<Sent> sends = new ArrayList<>();
    if (!targets.isEmpty() && count < WEARY) {
      for (int more = dice.nextInt(3); more > 0; more--) {
        sends.add(new Sent(targets.get(dice.nextInt(targets.size())), dice.nextInt(5)));
      }
    }
    return new Said(adds, goTo, sends);
  }

  private boolean hasExits(String node) {
    return forks.containsKey(node)
        || singleEdges.stream().anyMatch(edge -> edge.from().equals(node))
        || joins.stream().anyMatch(join -> join.sources().contains(node))
        || sequences.stream()
            .anyMatch(path -> path.contains(node) && path.indexOf(node) < path.size() - 1);
  }

  private SplittableRandom dice(String node, int count, @Nullable Integer parcel) {
    long mixed = (seed * 31 + node.hashCode()) * 1_000_003 + count;
    return new SplittableRandom(mixed * 31 + (parcel == null ? -1 : parcel));
  }

  /** What a task leaves in the log. */
  static String entry(String node, int count, @Nullable Integer parcel) {
    return node + " saw " + count + (parcel == null ? "" : " with " + parcel);
  }

  /** Runs a task on what it sees of {@code state}. */
  Outcome.Completed run(Task task, State state) {
    return Outcome.completed(task, outputs(task.node(), task.sees(state)));
  }

  private List<NodeOutput> outputs(String node, State seen) {
    int count = seen.get(COUNT);
    Integer parcel = seen.get(PARCEL);
    Said said = said(node, count, parcel);
    Update noted = Update.append(LOG, entry(node, count, parcel));
    Update added = Update.of(COUNT, said.adds());
    return said.goTo().isEmpty() && said.sends().isEmpty()
        ? List.of(noted, added)
        : List.of(noted, new Command(added, said.goTo(), sends(said.sends()), false));
  }

  private static List<Send> sends(List<Sent> sent) {
    return sent.stream()
        .map(each -> Send.to(each.node(), PARCEL, each.parcel()))
        .toList();
  }

  Graph graph() {
    return graph(node -> {});
  }

  /**
   * The graph, with somebody to watch its routers.
   *
   * @param asked is told the node whose router is asked, and may throw in its place
   */
  Graph graph(Consumer<String> asked) {
    GraphBuilder builder = Graph.builder("random").channels(COUNT, LOG, PARCEL);
    nodes.forEach(node -> builder.compute(node, state -> Update.NOTHING));
    sequences.forEach(path -> builder.sequence(path.toArray(String[]::new)));
    singleEdges.forEach(edge -> builder.edge(edge.from(), edge.to()));
    joins.forEach(
        join -> builder.join(Graph.all(join.sources().toArray(String[]::new)), join.target()));
    forks.forEach((from, fork) -> fork(builder, from, fork, asked));
    commands.forEach((node, targets) -> builder.mayGoTo(node, targets.toArray(String[]::new)));
    limits.forEach((node, limit) -> builder.maxVisits(node, limit.most(), limit.exit()));
    builder.defer(deferred.toArray(String[]::new));
    builder.interruptBefore(before.toArray(String[]::new));
    builder.interruptAfter(after.toArray(String[]::new));
    return builder.build();
  }

  private void fork(GraphBuilder builder, String from, Fork fork, Consumer<String> asked) {
    ToIntFunction<State> seen = state -> {
      asked.accept(from);
      return state.get(COUNT);
    };
    Targets targets = Graph.to(fork.targets().toArray(String[]::new));
    switch (fork.kind()) {
      case ONE ->
        builder.route(
            from, targets, state -> chosen(from, seen.applyAsInt(state)).get(0));
      case SEVERAL ->
        builder.routeAll(from, targets, state -> chosen(from, seen.applyAsInt(state)));
      case SENDS ->
        builder.fanOut(from, targets, state -> sends(sent(from, seen.applyAsInt(state))));
    }
  }
}
