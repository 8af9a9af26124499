package io.superstep.graph;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Told.NOTHING;
import static io.superstep.graph.Told.assertLegal;
import static io.superstep.graph.Told.assertOnly;
import static io.superstep.graph.Told.assertProblems;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SubgraphsTests {

  private static final ListChannel<String> LOG = Channel.list("log", String.class);
  private static final Channel<Integer> COUNT = Channel.sum("count", Integer.class);
  private static final Channel<@Nullable String> STATUS = Channel.value("status", String.class);

  private static final String SAME_IN_BOTH =
      "Use the same Channel constant in both graphs, rename one of the two, or map input and"
          + " output with subgraph(name, graph, into, outOf).";

  @Test
  @DisplayName("E14 a graph can be a node that shares channels")
  void sharesChannels() {
    Graph inner = inner(LOG, COUNT);

    Graph outer = outer(LOG, STATUS).subgraph("inner", inner).build();

    Subgraph subgraph = ((NodeBody.Nested) outer.node("inner").body()).subgraph();
    assertThat(subgraph.graph()).isSameAs(inner);
    assertThat(subgraph.isMapped()).isFalse();
    assertThat(subgraph.sharedWith(outer.schema())).containsExactly(LOG);
    assertThatExceptionOfType(NullPointerException.class).isThrownBy(subgraph::into);
    assertThatExceptionOfType(NullPointerException.class).isThrownBy(subgraph::outOf);
  }

  @Test
  @DisplayName("E14 channels that live differently in both graphs are problems, arguments included")
  void lifetimesCount() {
    Graph argued = inner(LOG.argument());
    Graph fading = inner(LOG.ephemeral());

    assertThat(Told.problems(outer(LOG).subgraph("inner", argued)))
        .extracting(io.superstep.error.Problem::code)
        .containsExactly("SG-111");
    assertThat(Told.problems(outer(LOG).subgraph("inner", fading)))
        .extracting(io.superstep.error.Problem::code)
        .containsExactly("SG-111");
  }

  @Test
  @DisplayName("E5 E14 an argument of both graphs is passed in, and no channel that flows up")
  void sharesArguments() {
    Channel<?> argument = COUNT.argument();
    Graph inner = inner(LOG, argument);

    Graph outer = outer(LOG, argument).subgraph("inner", inner).build();

    Subgraph subgraph = ((NodeBody.Nested) outer.node("inner").body()).subgraph();
    assertThat(subgraph.sharedWith(outer.schema())).containsExactly(LOG);
    assertThat(subgraph.argumentsFrom(outer.schema())).containsExactly(argument);
    assertLegal(outer(argument).subgraph("inner", inner(argument)));
  }

  @Test
  @DisplayName("E14 a graph can be a node with mappings")
  void isMapped() {
    Graph inner = inner(STATUS);
    StateMapping into = state -> Update.of(STATUS, "in");
    StateMapping outOf = state -> Update.append(LOG, "out");

    Graph outer = outer(LOG).subgraph("inner", inner, into, outOf).build();

    Subgraph subgraph = ((NodeBody.Nested) outer.node("inner").body()).subgraph();
    assertThat(subgraph.graph()).isSameAs(inner);
    assertThat(subgraph.isMapped()).isTrue();
    assertThat(subgraph.into()).isSameAs(into);
    assertThat(subgraph.outOf()).isSameAs(outOf);
    assertThat(subgraph.sharedWith(outer.schema())).isEmpty();
  }

  @Test
  @DisplayName("E14 a mapped graph may call other channels by the same names")
  void mappingsPartTheStates() {
    Channel<?> otherLog = Channel.value("log", Integer.class);

    assertLegal(outer(LOG)
        .subgraph("inner", inner(otherLog), state -> Update.NOTHING, state -> Update.NOTHING));
  }

  @Test
  @DisplayName("E14 a shared channel has one type")
  void aSharedChannelHasOneType() {
    assertOnly(
        outer(LOG).subgraph("inner", inner(Channel.list("log", Integer.class))),
        "SG-111",
        "subgraph(\"inner\", ...)",
        SAME_IN_BOTH);
  }

  @Test
  @DisplayName("E14 a shared channel has one reducer")
  void aSharedChannelHasOneReducer() {
    assertProblems(
        outer(COUNT, STATUS)
            .subgraph(
                "inner",
                inner(Channel.reduced("count", Integer.class, 0, Math::max), STATUS.lastWins())),
        tuple("SG-111", "subgraph(\"inner\", ...)", SAME_IN_BOTH),
        tuple("SG-111", "subgraph(\"inner\", ...)", SAME_IN_BOTH));
  }

  @Test
  @DisplayName("E14 a shared channel may be declared twice in the same way")
  void aSharedChannelMayBeDeclaredTwice() {
    assertLegal(outer(LOG, COUNT, STATUS)
        .subgraph(
            "inner",
            inner(
                Channel.list("log", String.class),
                Channel.sum("count", Integer.class),
                Channel.value("status", String.class).startingAt("new"))));
  }

  @Test
  @DisplayName("E14 a graph that shares channels has at least one in common")
  void sharesSomething() {
    assertOnly(
        outer(LOG).subgraph("inner", inner(STATUS)),
        "SG-116",
        "subgraph(\"inner\", ...)",
        "Declare a channel in both graphs, or map input and output with subgraph(name, graph,"
            + " into, outOf).");
  }

  @Test
  @DisplayName("E14 a graph without channels has nothing to share")
  void mayHaveNothingToShare() {
    assertLegal(outer(LOG).subgraph("inner", inner()));
    assertLegal(outer().subgraph("inner", inner()));
  }

  @Test
  void areNotJudgedWhereTheChannelsAroundThemAreWrong() {
    assertThat(Told.problems(outer(LOG, LOG).subgraph("inner", inner(STATUS))))
        .extracting(problem -> problem.code())
        .containsExactly("SG-234");
  }

  private static Graph inner(Channel<?>... channels) {
    return Graph.builder("within")
        .channels(channels)
        .compute("a", NOTHING)
        .sequence(START, "a", END)
        .build();
  }

  private static GraphBuilder outer(Channel<?>... channels) {
    return Graph.builder("around").channels(channels).sequence(START, "inner", END);
  }
}
