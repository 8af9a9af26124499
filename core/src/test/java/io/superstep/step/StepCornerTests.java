package io.superstep.step;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.Send;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import io.superstep.step.Outcome.Completed;
import io.superstep.step.StepResult.Committed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Corners of the rows that take several of them to get into, each as small as it can be. */
class StepCornerTests {

  private static final Channel<Integer> COUNT = Channel.sum("count", Integer.class);

  private static GraphBuilder nodes(String... names) {
    GraphBuilder builder = Graph.builder("corner").channels(COUNT);
    for (String name : names) {
      builder.compute(name, state -> Update.NOTHING);
    }
    return builder;
  }

  private static Position open(Graph graph) {
    return Superstep.open(graph, "run", graph.schema().start(), Update.NOTHING).position();
  }

  private static Position step(Graph graph, Position position) {
    return step(graph, position, Map.of());
  }

  private static Position step(Graph graph, Position position, Map<String, NodeOutput> said) {
    List<Completed> outcomes = new ArrayList<>();
    for (Task task : Superstep.plan(position)) {
      outcomes.add(Outcome.completed(task, said.getOrDefault(task.node(), Update.NOTHING)));
    }
    return ((Committed) Superstep.commit(graph, position, outcomes)).position();
  }

  private static Committed actAs(Graph graph, Position position, String node) {
    return Superstep.updateAs(graph, position, node, new Contribution("somebody", Update.NOTHING));
  }

  @ParameterizedTest
  @CsvSource({"early, late", "late, early"})
  @DisplayName("E2 a source that completes beside the last one is used up by the same firing")
  void aSourceThatCompletesBesideTheLastOneIsUsedUp(String one, String other) {
    Graph graph = nodes(one, other, "before", "meet")
        .edge(START, "early")
        .edge(START, "before")
        .edge("before", "late")
        .edge("before", "early")
        .join(Graph.all("early", "late"), "meet")
        .edge("meet", END)
        .build();

    Position first = step(graph, open(graph));
    Position second = step(graph, first);

    assertThat(first.arrivals().values()).containsExactly(Set.of("early"));
    assertThat(second.nodes()).containsExactly("meet");
    assertThat(second.arrivals()).isEmpty();
  }

  @Test
  @DisplayName("E4 a run stops after a node that went elsewhere by a command, too")
  void aRunStopsAfterANodeThatWentElsewhere() {
    Graph graph = nodes("asks", "elsewhere")
        .edge(START, "asks")
        .mayGoTo("asks", "elsewhere")
        .edge("elsewhere", END)
        .interruptAfter("asks")
        .build();

    Position after = step(graph, open(graph), Map.of("asks", Command.goTo("elsewhere")));

    assertThat(after.pause().after()).containsExactly("asks");
    assertThat(Superstep.plan(after)).isEmpty();
    assertThat(Superstep.plan(after.resumed())).extracting(Task::node).containsExactly("elsewhere");
  }

  @Test
  @DisplayName("E7 E12 a visit that somebody outside replaced before it ran was no visit")
  void aVisitThatWasReplacedWasNoVisit() {
    Graph graph = nodes("writes", "reviews", "gives-up")
        .edge(START, "writes")
        .edge("writes", "reviews")
        .edge("reviews", END)
        .maxVisits("reviews", 1, "gives-up")
        .edge("gives-up", END)
        .build();
    Position due = step(graph, open(graph));

    Position acted = actAs(graph, due, "writes").position();

    assertThat(due.nodes()).containsExactly("reviews");
    assertThat(acted.nodes()).containsExactly("reviews");
    assertThat(acted.visits()).isEqualTo(Map.of("reviews", 1));
    assertThat(actAs(graph, step(graph, acted), "writes").position().nodes())
        .containsExactly("gives-up");
  }

  @Test
  @DisplayName("E5 E12 a pending send is a task of its own, and dropped though the same is sent")
  void aPendingSendIsDroppedThoughTheSameIsSent() {
    Graph graph = nodes("fans", "works", "beside")
        .edge(START, "fans")
        .edge("fans", "beside")
        .fanOut("fans", Graph.to("works"), state -> List.of(Send.to("works")))
        .edge("works", END)
        .edge("beside", END)
        .build();
    Position pending = step(graph, open(graph));

    Committed acted = actAs(graph, pending, "fans");

    assertThat(acted.position().due()).isEqualTo(pending.due());
    assertThat(acted.dropped()).containsExactly(new Due("works", Update.NOTHING));
  }

  @Test
  @DisplayName("E4 all that a task emits is one command, in the order in which it was emitted")
  void allThatATaskEmitsIsOneCommand() {
    Task task = new Task("run", 1, 0, "node", null);
    List<NodeOutput> outputs = new ArrayList<>();
    List<String> targets = new ArrayList<>();
    Update written = Update.NOTHING;
    for (int each = 0; each < 13; each++) {
      outputs.add(each % 3 == 0 ? Command.goTo("n" + each) : Update.of(COUNT, each));
      if (each % 3 == 0) {
        targets.add("n" + each);
      } else {
        written = written.and(COUNT, each);
      }
    }

    Command said = Outcome.completed(task, outputs).said();

    assertThat(said).isEqualTo(new Command(written, targets, List.of(), false));
    assertThat(Outcome.completed(task, List.of()).said().update()).isEqualTo(Update.NOTHING);
  }
}
