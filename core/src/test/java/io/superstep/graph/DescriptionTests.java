package io.superstep.graph;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;
import static io.superstep.graph.Graph.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;

class DescriptionTests {

  private static final Channel<@Nullable String> QUESTION = Channel.value("question", String.class);
  private static final Channel<@Nullable String> ANSWER = Channel.value("answer", String.class);
  private static final Channel<Integer> DEPTH =
      Channel.value("depth", Integer.class).startingAt(1);
  private static final Channel<@Nullable String> PAGE =
      Channel.value("page", String.class).argument();
  private static final ListChannel<String> NOTES = Channel.list("notes", String.class);

  private static final Publisher<NodeOutput> NONE = subscriber -> {};

  private static GraphBuilder answering() {
    return Graph.builder("answering")
        .compute("reply", state -> Update.NOTHING)
        .sequence(START, "reply", END);
  }

  @Test
  void tellsWhatTheGraphTakesDoesAndGivesBack() {
    Graph web = Graph.builder("web")
        .channels(NOTES)
        .compute("search", state -> Update.NOTHING)
        .sequence(START, "search", END)
        .build();
    Graph graph = Graph.builder("research")
        .channels(QUESTION, ANSWER, DEPTH, PAGE, NOTES)
        .input(QUESTION, DEPTH)
        .output(ANSWER)
        .compute("plan", state -> Update.NOTHING)
        .node("fetch", state -> NONE)
        .blocking("index", state -> Update.NOTHING)
        .subgraph("look", web)
        .compute("reply", state -> Update.NOTHING)
        .edge(START, "plan")
        .edge("plan", "index")
        .fanOut("plan", to("fetch"), state -> List.of())
        .join(all("fetch", "index"), "look")
        .routeAll("look", to("plan", "reply"), state -> List.of())
        .route("reply", to("plan", END), state -> END)
        .mayGoTo("index", "reply", END)
        .maxVisits("plan", 3, "reply")
        .defer("reply")
        .interruptBefore("look")
        .interruptAfter("look")
        .policy("fetch", NodePolicy.retry(4))
        .handler("fetch", (state, failure) -> NONE)
        .build();

    assertThat(graph.describe()).isEqualTo("""
            Graph research
            Required input
              question: String
            Optional input
              depth: Integer
            Nodes
              plan: compute; after 3 visits reply
              fetch: node; up to 4 attempts; handles failures
              index: blocking; may go to reply, END
              look: subgraph web; interrupt before; interrupt after
              reply: compute; deferred
            Ways
              START -> plan
              plan -> index
              plan -> sends to fetch
              look -> any of plan, reply
              reply -> one of plan, END
              all of fetch, index -> look
            Output
              answer: String
            """);
  }

  @Test
  void requiresNoInputThatANodeWrites() {
    Graph graph = answering().channels(QUESTION, ANSWER).writes("reply", ANSWER).build();

    assertThat(graph.describe()).contains("""
        Required input
          question: String
        Optional input
          answer: String
        Nodes
        """);
  }

  @Test
  void takesEveryChannelThatNobodyWritesForRequired() {
    Graph graph = answering().channels(QUESTION, ANSWER).build();

    assertThat(graph.describe()).contains("""
        Required input
          question: String
          answer: String
        Nodes
        """);
  }

  @Test
  void neitherTakesNorGivesArguments() {
    Graph graph = answering().channels(PAGE, NOTES).build();

    assertThat(graph.describe()).doesNotContain("page").contains("""
            Optional input
              notes: List<String>
            """, """
            Output
              notes: List<String>
            """);
  }

  @Test
  void leavesOutWhatThereIsNothingToSayAbout() {
    assertThat(answering().build().describe()).isEqualTo("""
            Graph answering
            Nodes
              reply: compute
            Ways
              START -> reply
              reply -> END
            """);
  }

  @Test
  void tellsOneAttemptNowhere() {
    Graph graph = answering().defaults(NodePolicy.retry(1)).build();

    assertThat(graph.describe()).contains("  reply: compute\n");
  }

  @Test
  void fitsOnOneScreenHoweverLargeTheGraph() {
    String text = DiagramTests.large().describe();

    assertThat(text.lines()).hasSizeLessThan(40);
    assertThat(text).contains("""
          node11: compute
          … and 9,988 more
        """, "  … and 9,989 more\n");
  }

  @Test
  void fitsOnOneLineHoweverManyTargets() {
    String[] names = IntStream.range(0, 1_200).mapToObj(n -> "n" + n).toArray(String[]::new);
    GraphBuilder builder = Graph.builder("wide").route(START, to(names), state -> END);
    for (String name : names) {
      builder.compute(name, state -> Update.NOTHING).edge(name, END);
    }

    assertThat(builder.build().describe())
        .contains("  START -> one of n0, n1, n2, n3, n4, n5, n6, n7, … and 1,192 more\n");
  }

  @Test
  void cutsNothingOffWhereItWouldSaveNothing() {
    String[] names = IntStream.range(0, 13).mapToObj(n -> "n" + n).toArray(String[]::new);
    GraphBuilder builder = Graph.builder("thirteen").edge(START, "n0").sequence(names);
    for (String name : names) {
      builder.compute(name, state -> Update.NOTHING);
    }

    assertThat(builder.edge("n12", END).build().describe()).contains("  n12: compute\nWays\n");
  }
}
