package io.superstep.graph;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.graph.Told.assertLegal;
import static io.superstep.graph.Told.assertOnly;
import static io.superstep.graph.Told.graph;
import static io.superstep.graph.Told.problems;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.error.Problem;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class WritersTests {

  @Test
  void aKeyOfAnotherTypeIsNotTheChannel() {
    GraphBuilder graph = Told.graph("a")
        .channels(io.superstep.state.Channel.value("status", String.class))
        .sequence(Graph.START, "a", Graph.END)
        .writes("a", io.superstep.state.Channel.value("status", Integer.class));

    Told.assertOnly(
        graph,
        "SG-118",
        "writes(\"a\", \"status\")",
        "Use the Channel constant with which the channel was declared.");
  }

  private static final Channel<@Nullable String> STATUS = Channel.value("status", String.class);
  private static final Channel<@Nullable String> OTHER = Channel.value("other", String.class);
  private static final ListChannel<String> LOG = Channel.list("log", String.class);

  private static final String SAY_HOW =
      "Give the channel a reducer, or declare it lastWins() to keep the last write in plan"
          + " order.";

  @Nested
  class TwoWritersOfOneStep {

    @Test
    void areTold() {
      GraphBuilder graph = forked().writes("a", STATUS).writes("b", STATUS);

      assertOnly(graph, "SG-112", "writes(\"b\", \"status\")", SAY_HOW);
      assertThat(problems(graph))
          .extracting(Problem::what)
          .containsExactly(
              "Nodes [a, b] run in the same step and all write channel 'status', which has"
                  + " no reducer.");
    }

    @Test
    void areToldDeepInTheirBranches() {
      assertOnly(
          graph("f", "a", "b", "a2", "b2")
              .channels(STATUS)
              .edge(START, "f")
              .sequence("f", "a", "a2", END)
              .sequence("f", "b", "b2", END)
              .writes("a2", STATUS)
              .writes("b2", STATUS),
          "SG-112",
          "writes(\"b2\", \"status\")",
          SAY_HOW);
    }

    @Test
    void areToldAtTheStart() {
      assertOnly(
          graph("a", "b")
              .channels(STATUS)
              .sequence(START, "a", END)
              .sequence(START, "b", END)
              .writes("a", STATUS)
              .writes("b", OTHER, STATUS)
              .channels(OTHER),
          "SG-112",
          "writes(\"b\", \"other\", \"status\")",
          SAY_HOW);
    }

    @Test
    void areToldAfterAnythingThatLeadsToBoth() {
      GraphBuilder graph = graph("r", "j", "w", "a", "b")
          .channels(STATUS)
          .edge(START, "r")
          .fanOut("r", to("w", "j"), state -> List.of())
          .join(Graph.all("r", "w"), "j")
          .edge("w", END)
          .defer("r")
          .sequence("j", "a", END)
          .sequence("j", "b", END)
          .writes("a", STATUS)
          .writes("b", STATUS);

      assertOnly(graph, "SG-112", "writes(\"b\", \"status\")", SAY_HOW);
    }

    @Test
    void areToldThoughTheirSourceMayGoElsewhere() {
      assertOnly(
          forked().mayGoTo("f", END).writes("a", STATUS).writes("b", STATUS),
          "SG-112",
          "writes(\"b\", \"status\")",
          SAY_HOW);
    }

    private GraphBuilder forked() {
      return WritersTests.forked(STATUS);
    }
  }

  @Nested
  class TwoWritersThatNeedNotMeet {

    @Test
    void mayWriteDifferentChannels() {
      assertLegal(forked(STATUS, OTHER).writes("a", STATUS).writes("b", OTHER));
    }

    @Test
    void mayShareAChannelThatHasAReducer() {
      assertLegal(forked(LOG).writes("a", LOG).writes("b", LOG));
    }

    @Test
    void mayShareAChannelWhoseLastWriterWinsOrWhichIsWrittenOnce() {
      Channel<?> last = STATUS.lastWins();
      Channel<?> once = OTHER.writeOnce();

      assertLegal(forked(last, once).writes("a", last, once).writes("b", once, last));
    }

    @Test
    void areJudgedByTheChannelOfTheSchemaNotByTheKey() {
      assertLegal(forked(STATUS.lastWins()).writes("a", STATUS).writes("b", STATUS));
    }

    @Test
    void mayRunInDifferentSteps() {
      assertLegal(graph("f", "a", "b", "b2")
          .channels(STATUS)
          .edge(START, "f")
          .sequence("f", "a", END)
          .sequence("f", "b", "b2", END)
          .writes("a", STATUS)
          .writes("b2", STATUS)
          .writes("f", STATUS));
    }

    @Test
    void mayBeDeferredOrFollowOneThatIs() {
      assertLegal(forked(STATUS).defer("b").writes("a", STATUS).writes("b", STATUS));
      assertLegal(graph("f", "a", "b", "a2", "b2")
          .channels(STATUS)
          .edge(START, "f")
          .sequence("f", "a", "a2", END)
          .sequence("f", "b", "b2", END)
          .defer("b")
          .writes("a2", STATUS)
          .writes("b2", STATUS));
    }

    @Test
    void mayBeAlternatives() {
      assertLegal(graph("f", "a", "b")
          .channels(STATUS)
          .edge(START, "f")
          .route("f", to("a", "b"), state -> "a")
          .edge("a", END)
          .edge("b", END)
          .writes("a", STATUS)
          .writes("b", STATUS));
    }

    @Test
    void mayBeReachedByOtherWaysToo() {
      assertLegal(graph("f", "a", "b", "c")
          .channels(STATUS)
          .edge(START, "f")
          .sequence("f", "a", END)
          .sequence("f", "b", END)
          .route("f", to("c", END), state -> END)
          .edge("c", "b")
          .writes("a", STATUS)
          .writes("b", STATUS));
    }

    @Test
    void mayFollowNodesThatGoElsewhereByCommand() {
      assertLegal(graph("f", "a", "b", "a2", "b2")
          .channels(STATUS)
          .edge(START, "f")
          .sequence("f", "a", "a2", END)
          .sequence("f", "b", "b2", END)
          .mayGoTo("a", END)
          .mayGoTo("b", END)
          .writes("a2", STATUS)
          .writes("b2", STATUS));
    }

    @Test
    void mayBeOneWriterThatSaysItTwice() {
      assertLegal(forked(STATUS).writes("a", STATUS, STATUS));
    }

    @Test
    void mayHaveSaidNothingAboutIt() {
      assertLegal(forked(STATUS).writes("a", STATUS));
    }
  }

  @Nested
  class AWrittenChannel {

    @Test
    void exists() {
      Channel<?> misspelt = Channel.value("sttaus", String.class);

      assertOnly(
          forked(STATUS).writes("a", misspelt),
          "SG-118",
          "writes(\"a\", \"sttaus\")",
          "Did you mean 'status'?");
      assertOnly(
          forked(STATUS).writes("a", LOG),
          "SG-118",
          "writes(\"a\", \"log\")",
          "Add it to channels(...).");
    }

    @Test
    void isNoArgument() {
      Channel<?> argument = OTHER.argument();

      assertOnly(
          forked(argument).writes("a", argument),
          "SG-118",
          "writes(\"a\", \"other\")",
          "Remove the channel from writes(...); sends carry arguments.");
      assertOnly(
          forked(argument).writes("a", OTHER),
          "SG-118",
          "writes(\"a\", \"other\")",
          "Remove the channel from writes(...); sends carry arguments.");
    }

    @Test
    void mayBeMissingFromTheViewsOrAltogether() {
      assertLegal(
          forked(STATUS, LOG).input(STATUS).output(STATUS).writes("a", LOG).writes("b"));
    }

    @Test
    void isNotMissedWhereTheChannelsThemselvesAreWrong() {
      assertThat(problems(forked(STATUS, STATUS).writes("a", STATUS).writes("b", STATUS)))
          .extracting(Problem::code)
          .containsExactly("SG-234");
    }
  }

  /** From one node to two. */
  private static GraphBuilder forked(Channel<?>... channels) {
    return graph("f", "a", "b")
        .channels(channels)
        .edge(START, "f")
        .sequence("f", "a", END)
        .sequence("f", "b", END);
  }
}
