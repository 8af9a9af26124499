package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;
import static io.superstep.graph.Graph.to;

import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.Send;
import io.superstep.question.Question;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.State;
import io.superstep.state.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import reactor.core.publisher.Mono;

/**
 * A graph of random stages, one after the other: nodes, fan-outs that join, sends, shared and
 * mapped subgraphs, questions and overwrites. Its nodes depend on the state only.
 */
final class RandomGraph {

  static final ListChannel<String> LOG = Channel.list("log", String.class);
  static final Channel<Integer> SUM = Channel.sum("sum", Integer.class);
  static final Channel<String> NOTE = Channel.value("note", String.class);

  /** Not in the output view. All its elements begin with {@link #HIDDEN}. */
  static final ListChannel<String> SECRET = Channel.list("secret", String.class);

  static final String HIDDEN = "hidden-";

  /** The names of the channels in the output view. */
  static final Set<String> VISIBLE = Set.of(LOG.name(), SUM.name(), NOTE.name());

  private static final Channel<Integer> TASK =
      Channel.value("task", Integer.class).startingAt(0).argument();
  private static final Channel<String> PASSING =
      Channel.value("passing", String.class).lastWins().runtimeOnly();

  private static final int STAGES = 4;
  private static final int DEPTH = 2;

  private final Random random;
  private final StringBuilder plan = new StringBuilder();
  private final Graph graph;
  private int names;

  RandomGraph(Random random) {
    this.random = random;
    this.graph = sequence(0).output(LOG, SUM, NOTE).build();
  }

  Graph graph() {
    return graph;
  }

  /** The stages of the graph. */
  @Override
  public String toString() {
    return plan.toString();
  }

  /** The first and the last node of a stage. */
  private record Stage(String entry, String exit) {

    Stage(String only) {
      this(only, only);
    }
  }

  private GraphBuilder sequence(int depth) {
    GraphBuilder builder =
        Graph.builder("random" + depth).channels(LOG, SUM, NOTE, SECRET, TASK, PASSING);
    String last = START;
    int stages = depth == 0 ? 2 + random.nextInt(STAGES - 1) : 1 + random.nextInt(2);
    for (int index = 0; index < stages; index++) {
      Stage stage = stage(builder, depth);
      builder.edge(last, stage.entry());
      last = stage.exit();
    }
    return builder.edge(last, END);
  }

  private Stage stage(GraphBuilder builder, int depth) {
    String name = "n" + names++;
    switch (random.nextInt(depth < DEPTH ? 7 : 5)) {
      case 0 -> {
        plan.append(" node");
        builder.compute(name, state -> written(name, state));
      }
      case 1 -> {
        return fanned(builder, name);
      }
      case 2 -> {
        return sent(builder, name);
      }
      case 3 -> {
        plan.append(" question");
        builder.node(
            name,
            (state, context) -> Mono.from(context.ask("go", Question.yesNo("Go?")))
                .map(yes -> written(name + (yes ? " yes" : " no"), state)));
      }
      case 4 -> {
        plan.append(" overwrite");
        builder.compute(name, state -> overwritten(name));
      }
      case 5 -> {
        plan.append(" shared(");
        builder.subgraph(name, sequence(depth + 1).build());
        plan.append(" )");
      }
      default -> {
        plan.append(" mapped(");
        builder.subgraph(
            name,
            sequence(depth + 1).build(),
            state -> Update.append(LOG, "given " + state.get(LOG).size()),
            state -> Update.append(LOG, "returned " + state.get(LOG).size())
                .and(Update.of(SUM, state.get(SUM))));
        plan.append(" )");
      }
    }
    return new Stage(name);
  }

  private Stage fanned(GraphBuilder builder, String name) {
    int width = 2 + random.nextInt(2);
    boolean isOverwriting = random.nextBoolean();
    plan.append(" fan").append(width).append(isOverwriting ? "!" : "");
    String end = name + "join";
    builder.compute(name, state -> Update.of(NOTE, name));
    List<String> branches = new ArrayList<>();
    for (int index = 0; index < width; index++) {
      String branch = name + "b" + index;
      boolean overwrites = isOverwriting && index == 1;
      builder.compute(branch, state -> overwrites ? overwritten(branch) : written(branch, state));
      builder.edge(name, branch);
      branches.add(branch);
    }
    builder.join(all(branches.toArray(String[]::new)), end);
    builder.compute(end, state -> written(end, state));
    return new Stage(name, end);
  }

  private Stage sent(GraphBuilder builder, String name) {
    int most = 1 + random.nextInt(3);
    plan.append(" sends").append(most);
    String work = name + "work";
    String end = name + "end";
    builder
        .compute(name, state -> Update.of(NOTE, name))
        .compute(work, state -> written(work + state.get(TASK), state))
        .compute(end, state -> written(end, state))
        .fanOut(
            name,
            to(work),
            state -> IntStream.rangeClosed(1, most)
                .mapToObj(task -> Send.to(work, Update.of(TASK, task)))
                .toList())
        .edge(work, end);
    return new Stage(name, end);
  }

  private static Update written(String text, State state) {
    return Update.append(LOG, text + " " + state.get(SUM))
        .and(Update.of(SUM, 1))
        .and(Update.append(SECRET, HIDDEN + text))
        .and(Update.of(PASSING, HIDDEN + text));
  }

  private static Update overwritten(String text) {
    return Update.overwrite(LOG, List.of("only " + text))
        .and(Update.overwrite(SUM, 7))
        .and(Update.overwrite(SECRET, List.of(HIDDEN + text)));
  }
}
