package io.superstep.graph;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.graph.Told.NOTHING;
import static io.superstep.graph.Told.assertOnly;
import static io.superstep.graph.Told.assertProblems;
import static io.superstep.graph.Told.graph;
import static io.superstep.graph.Told.problems;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.superstep.error.Problem;
import io.superstep.question.Answers;
import io.superstep.question.Question;
import io.superstep.state.Channel;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.ListChannel;
import io.superstep.state.NodeOutput;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;

class GraphBuilderTests {

  private static final ListChannel<String> LOG = Channel.list("log", String.class);
  private static final Channel<@Nullable String> STATUS = Channel.value("status", String.class);
  private static final Channel<@Nullable String> SECRET = Channel.value("secret", String.class);

  @Nested
  class WhatIsBuilt {

    @Test
    void knowsItsNodesAndWays() {
      Router one = state -> "b";
      MultiRouter several = state -> List.of("c", END);
      SendRouter sends = state -> List.of(Send.to("e"));
      Graph graph = Graph.builder("ways")
          .compute("a", NOTHING)
          .compute("b", NOTHING)
          .compute("c", NOTHING)
          .compute("d", NOTHING)
          .compute("e", NOTHING)
          .edge(START, "a")
          .edge("a", END)
          .route("a", to("b", END), one)
          .routeAll("b", to("c", END), several)
          .sequence("c", "d", "e", END)
          .fanOut("d", to("e"), sends)
          .join(Graph.all("c", "b"), "e")
          .build();

      assertThat(graph.name()).isEqualTo("ways");
      assertThat(graph).hasToString("Graph ways");
      assertThat(graph.names()).containsExactly("a", "b", "c", "d", "e");
      assertThat(graph.nodes()).extracting(Node::ordinal).containsExactly(0, 1, 2, 3, 4);
      assertThat(graph.find("c")).containsSame(graph.nodes().get(2));
      assertThat(graph.find("x")).isEmpty();
      assertThat(graph.entry().edges()).containsExactly(graph.node("a"));
      assertThat(graph.entry().route()).isNull();
      assertThat(graph.exits(graph.node("a")).edges()).isEmpty();
      assertThat(graph.exits(graph.node("c")).edges()).containsExactly(graph.node("d"));
      assertThat(graph.exits(graph.node("b")).joins()).isEqualTo(graph.joins());
      assertThat(graph.joins()).extracting(Join::key).containsExactly("[b, c] -> e");
      State state = graph.schema().start();
      Route toOne = route(graph, "a");
      assertThat(toOne.kind()).isEqualTo(Route.Kind.ONE);
      assertThat(toOne.targets()).containsExactly("b", END);
      assertThat(toOne.choose(state).names()).containsExactly("b");
      Route toSeveral = route(graph, "b");
      assertThat(toSeveral.kind()).isEqualTo(Route.Kind.SEVERAL);
      assertThat(toSeveral.choose(state).names()).containsExactly("c", END);
      Route toTasks = route(graph, "d");
      assertThat(toTasks.kind()).isEqualTo(Route.Kind.SENDS);
      assertThat(toTasks.choose(state).sends()).containsExactly(Send.to("e"));
    }

    private Route route(Graph graph, String node) {
      return Objects.requireNonNull(graph.exits(graph.node(node)).route());
    }

    @Test
    void knowsWhatWasSaidAboutItsNodes() {
      Graph graph = graph("a", "b")
          .channels(LOG, STATUS)
          .sequence(START, "a", "b", "a")
          .mayGoTo("b", "a", END)
          .writes("a", LOG, STATUS)
          .writes("b")
          .maxVisits("a", 3, END)
          .defer("b")
          .interruptBefore("a")
          .interruptAfter("b")
          .build();

      Node a = graph.node("a");
      assertThat(a).hasToString("a");
      assertThat(a.mayGoTo()).isEmpty();
      assertThat(a.writes().orElseThrow()).containsExactly("log", "status");
      assertThat(a.limit()).contains(new VisitLimit(3, END));
      assertThat(a.isDeferred()).isFalse();
      assertThat(a.isPausedBefore()).isTrue();
      assertThat(a.isPausedAfter()).isFalse();
      Node b = graph.node("b");
      assertThat(b.mayGoTo()).containsExactly("a", END);
      assertThat(b.writes().orElseThrow()).isEmpty();
      assertThat(b.limit()).isEmpty();
      assertThat(b.isDeferred()).isTrue();
      assertThat(b.isPausedBefore()).isFalse();
      assertThat(b.isPausedAfter()).isTrue();
    }

    @Test
    void saysNothingThatWasNotSaid() {
      Node node = graph("a").sequence(START, "a", END).build().node("a");

      assertThat(node.writes()).isEmpty();
      assertThat(node.handler()).isEmpty();
      assertThat(node.limit()).isEmpty();
      assertThat(node.mayGoTo()).isEmpty();
      assertThat(node.isDeferred() || node.isPausedBefore() || node.isPausedAfter())
          .isFalse();
    }

    @Test
    void doesWhatItsFunctionsDo() throws Exception {
      Publisher<NodeOutput> plain = subscriber -> {};
      Publisher<NodeOutput> asking = subscriber -> {};
      Update computed = Update.append(LOG, "computed");
      Update aware = Update.append(LOG, "aware");
      Update blocked = Update.append(LOG, "blocked");
      Update patient = Update.append(LOG, "patient");
      Graph graph = Graph.builder("bodies")
          .channels(LOG)
          .node("plain", state -> plain)
          .node("asking", (state, context) -> asking)
          .compute("computed", state -> computed)
          .compute("aware", (state, context) -> aware)
          .blocking("blocked", state -> blocked)
          .blocking("patient", (state, context) -> patient)
          .sequence(START, "plain", "asking", "computed", "aware", "blocked", "patient", END)
          .build();
      State state = graph.schema().start();

      assertThat(reactive(graph, "plain").action().run(state, new NoContext())).isSameAs(plain);
      assertThat(reactive(graph, "asking").action().run(state, new NoContext())).isSameAs(asking);
      assertThat(computed(graph, "computed").function().compute(state, new NoContext()))
          .isSameAs(computed);
      assertThat(computed(graph, "aware").function().compute(state, new NoContext()))
          .isSameAs(aware);
      assertThat(blocking(graph, "blocked").function().compute(state, new NoContext()))
          .isSameAs(blocked);
      assertThat(blocking(graph, "patient").function().compute(state, new NoContext()))
          .isSameAs(patient);
    }

    private NodeBody.Reactive reactive(Graph graph, String node) {
      return (NodeBody.Reactive) graph.node(node).body();
    }

    private NodeBody.Computed computed(Graph graph, String node) {
      return (NodeBody.Computed) graph.node(node).body();
    }

    private NodeBody.Blocking blocking(Graph graph, String node) {
      return (NodeBody.Blocking) graph.node(node).body();
    }

    @Test
    void remembersItsChannelsViewsAndChecks() {
      Graph graph = graph("a")
          .sequence(START, "a", END)
          .input(STATUS)
          .channels(LOG)
          .output(LOG)
          .channels(STATUS, SECRET)
          .check("status", "A status is short.", state -> state.get(LOG).isEmpty())
          .build();

      assertThat(graph.schema().channels()).containsExactly(LOG, STATUS, SECRET);
      assertThat(graph.schema().isPrivate(SECRET)).isTrue();
      assertThat(graph.schema().isPrivate(STATUS)).isFalse();
      assertThat(graph.schema().output(graph.schema().start())).containsOnlyKeys("log");
      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> graph.schema().accept(Update.append(LOG, "x")))
          .extracting(InvalidUpdateException::code)
          .isEqualTo("SG-219");
    }

    @Test
    void mayTakeItsSchemaAsAWhole() {
      StateSchema schema = StateSchema.of(LOG, STATUS);

      Graph graph =
          graph("a").schema(schema).sequence(START, "a", END).writes("a", LOG).build();

      assertThat(graph.schema()).isSameAs(schema);
    }

    @Test
    void isNotTouchedByWhatIsSaidLater() {
      GraphBuilder builder = graph("a").sequence(START, "a", END);
      Graph before = builder.build();

      Graph after =
          builder.compute("b", NOTHING).sequence("a", "b", END).defer("a").build();

      assertThat(before.names()).containsExactly("a");
      assertThat(before.exits(before.node("a")).edges()).isEmpty();
      assertThat(before.node("a").isDeferred()).isFalse();
      assertThat(after.names()).containsExactly("a", "b");
      assertThat(after.node("a").isDeferred()).isTrue();
    }
  }

  @Nested
  class WhatIsSaidTwice {

    @Test
    void isToldOfEveryOption() {
      GraphBuilder graph = graph("a").channels(LOG).sequence(START, "a", END);
      for (int time = 0; time < 2; time++) {
        graph
            .mayGoTo("a", END)
            .writes("a", LOG)
            .maxVisits("a", 1, END)
            .defer("a")
            .interruptBefore("a")
            .interruptAfter("a")
            .policy("a", NodePolicy.NONE)
            .handler("a", (state, failure) -> subscriber -> {})
            .defaults(NodePolicy.NONE);
      }

      assertProblems(
          graph,
          repeated("mayGoTo(\"a\", END)"),
          repeated("writes(\"a\", \"log\")"),
          repeated("maxVisits(\"a\", 1, END)"),
          repeated("defer(\"a\")"),
          repeated("interruptBefore(\"a\")"),
          repeated("interruptAfter(\"a\")"),
          repeated("policy(\"a\", ...)"),
          repeated("handler(\"a\", ...)"),
          repeated("defaults(...)"));
    }

    private Tuple repeated(String call) {
      return tuple("SG-110", call, "Remove the call, or change " + call + ".");
    }

    @Test
    void isToldWithTheFirstCallAndMakesNothingUnreachable() {
      assertOnly(
          graph("a", "b", "c")
              .edge(START, "a")
              .mayGoTo("a", "b")
              .mayGoTo("a", "c")
              .edge("b", END)
              .edge("c", END),
          "SG-110",
          "mayGoTo(\"a\", \"c\")",
          "Remove the call, or change mayGoTo(\"a\", \"b\").");
    }

    @Test
    void isToldOfASchema() {
      StateSchema schema = StateSchema.of(LOG);

      assertOnly(
          graph("a").sequence(START, "a", END).schema(schema).schema(schema),
          "SG-110",
          "schema(...)",
          "Remove the call, or change schema(...).");
      assertOnly(
          graph("a").sequence(START, "a", END).schema(schema).channels(STATUS),
          "SG-110",
          "channels(\"status\")",
          "Remove this call, or remove schema(...).");
      assertOnly(
          graph("a").sequence(START, "a", END).check("x", "y", state -> true).schema(schema),
          "SG-110",
          "check(\"x\", \"y\", ...)",
          "Remove this call, or remove schema(...).");
    }

    @Test
    void isToldOfAView() {
      assertThat(problems(graph("a")
              .sequence(START, "a", END)
              .channels(LOG, STATUS)
              .input(LOG)
              .input(STATUS)
              .output(LOG)
              .output(LOG)))
          .extracting(Problem::code, Problem::where)
          .containsExactly(tuple("SG-232", "input(...)"), tuple("SG-232", "output(...)"));
    }

    @Test
    void isNoProblemOfDifferentNodes() {
      Told.assertLegal(graph("a", "b")
          .sequence(START, "a", "b", END)
          .interruptBefore("a")
          .interruptBefore("b")
          .policy("a", NodePolicy.NONE)
          .policy("b", NodePolicy.NONE)
          .mayGoTo("a", "b")
          .mayGoTo("b", "a"));
    }
  }

  @Nested
  class Nulls {

    @Test
    void areNoFunctions() {
      assertProblems(
          Graph.builder("graph")
              .node("a", (NodeAction) null)
              .node("b", (ContextualAction) null)
              .compute("c", (Computation) null)
              .compute("d", (ContextualComputation) null)
              .blocking("e", (Computation) null)
              .blocking("f", (ContextualComputation) null)
              .sequence(START, "a", "b", "c", "d", "e", "f", END)
              .policy("c", NodePolicy.retry(2)),
          tuple("SG-117", "node(\"a\", ...)", "Pass a function, or remove the call."),
          tuple("SG-117", "node(\"b\", ...)", "Pass a function, or remove the call."),
          tuple("SG-117", "compute(\"c\", ...)", "Pass a function, or remove the call."),
          tuple("SG-117", "compute(\"d\", ...)", "Pass a function, or remove the call."),
          tuple("SG-117", "blocking(\"e\", ...)", "Pass a function, or remove the call."),
          tuple("SG-117", "blocking(\"f\", ...)", "Pass a function, or remove the call."));
    }

    @Test
    void areNoGraphsOrMappings() {
      Graph inner = graph("x").sequence(START, "x", END).build();
      StateMapping mapping = state -> Update.NOTHING;

      assertProblems(
          Graph.builder("graph")
              .subgraph("a", null)
              .subgraph("b", null, mapping, mapping)
              .subgraph("c", inner, null, mapping)
              .subgraph("d", inner, mapping, null)
              .sequence(START, "a", "b", "c", "d", END),
          tuple("SG-117", "subgraph(\"a\", ...)", "Pass a graph or a mapping, or remove the call."),
          tuple("SG-117", "subgraph(\"b\", ...)", "Pass a graph or a mapping, or remove the call."),
          tuple("SG-117", "subgraph(\"c\", ...)", "Pass a graph or a mapping, or remove the call."),
          tuple(
              "SG-117", "subgraph(\"d\", ...)", "Pass a graph or a mapping, or remove the call."));
    }

    @Test
    void areNoRouters() {
      assertProblems(
          graph("a", "b", "c", "d")
              .edge(START, "a")
              .route("a", to("b"), null)
              .routeAll("b", to("c"), null)
              .fanOut("c", to("d"), null)
              .edge("d", END),
          tuple("SG-117", "route(\"a\", to(\"b\"), ...)", "Pass a router, or remove the call."),
          tuple("SG-117", "routeAll(\"b\", to(\"c\"), ...)", "Pass a router, or remove the call."),
          tuple("SG-117", "fanOut(\"c\", to(\"d\"), ...)", "Pass a router, or remove the call."));
    }

    @Test
    void areToldTogetherWithWhatElseIsWrongWithTheCall() {
      assertProblems(
          graph("a").route(START, to("a", "elsewhere"), null).edge("a", END),
          tuple(
              "SG-117",
              "route(START, to(\"a\", \"elsewhere\"), ...)",
              "Pass a router, or remove the call."),
          tuple(
              "SG-102",
              "route(START, to(\"a\", \"elsewhere\"), ...)",
              "Use one of [a], or add node(\"elsewhere\", ...)."));
    }

    @Test
    void areNoTargetsOrSources() {
      assertProblems(
          graph("a", "b", "c", "d")
              .edge(START, "a")
              .edge(START, "b")
              .edge(START, "c")
              .route("a", null, state -> END)
              .routeAll("b", null, state -> List.of())
              .fanOut("c", null, state -> List.of())
              .join(null, "d")
              .edge("d", END),
          tuple("SG-117", "route(\"a\", ..., ...)", "Pass to(...), or remove the call."),
          tuple("SG-117", "routeAll(\"b\", ..., ...)", "Pass to(...), or remove the call."),
          tuple("SG-117", "fanOut(\"c\", ..., ...)", "Pass to(...), or remove the call."),
          tuple("SG-117", "join(..., \"d\")", "Pass all(...), or remove the call."));
    }

    @Test
    void areNoOptions() {
      assertProblems(
          graph("a")
              .sequence(START, "a", END)
              .policy("a", null)
              .handler("a", null)
              .defaults(null)
              .writes("a", (Channel<?>) null)
              .writes("a", (Channel<?>[]) null),
          tuple("SG-117", "policy(\"a\", ...)", "Pass a value, or remove the call."),
          tuple("SG-117", "handler(\"a\", ...)", "Pass a value, or remove the call."),
          tuple("SG-117", "defaults(...)", "Pass a policy, or remove the call."),
          tuple("SG-117", "writes(\"a\")", "Pass a value, or remove the call."),
          tuple("SG-117", "writes(\"a\")", "Pass a value, or remove the call."));
    }

    @Test
    void areNoChannelsSchemasOrChecks() {
      assertProblems(
          graph("a")
              .sequence(START, "a", END)
              .channels(LOG, null)
              .channels((Channel<?>[]) null)
              .input((Channel<?>) null)
              .output((Channel<?>) null)
              .check(null, "message", state -> true)
              .check("path", null, state -> true)
              .check("path", "message", null)
              .schema(null),
          tuple("SG-117", "channels(\"log\")", "Pass a channel, or remove the call."),
          tuple("SG-117", "channels()", "Pass a channel, or remove the call."),
          tuple("SG-117", "input()", "Pass a channel, or remove the call."),
          tuple("SG-117", "output()", "Pass a channel, or remove the call."),
          tuple(
              "SG-117",
              "check(..., \"message\", ...)",
              "Pass a path, a message or a test, or remove the call."),
          tuple(
              "SG-117",
              "check(\"path\", ..., ...)",
              "Pass a path, a message or a test, or remove the call."),
          tuple(
              "SG-117",
              "check(\"path\", \"message\", ...)",
              "Pass a path, a message or a test, or remove the call."),
          tuple("SG-117", "schema(...)", "Pass a schema, or remove the call."));
    }

    @Test
    void areNoNamesOfNodes() {
      String[] none = null;

      assertThat(problems(graph("a")
              .sequence(START, "a", END)
              .edge("a", null)
              .edge(null, "a")
              .sequence(none)
              .route(null, to((String) null), state -> "a")
              .join(Graph.all("a", null), null)
              .mayGoTo(null, none)
              .mayGoTo("a", none)
              .writes(null)
              .maxVisits(null, 1, null)
              .defer(none)
              .interruptBefore((String) null)
              .interruptAfter(none)
              .policy(null, NodePolicy.NONE)
              .handler(null, (state, failure) -> subscriber -> {})))
          .extracting(Problem::code, Problem::where)
          .containsExactlyInAnyOrder(
              tuple("SG-109", "sequence(\"null\")"),
              tuple("SG-102", "edge(\"a\", \"null\")"),
              tuple("SG-102", "edge(\"null\", \"a\")"),
              tuple("SG-102", "route(\"null\", to(\"null\"), ...)"),
              tuple("SG-102", "join(all(\"a\", \"null\"), \"null\")"),
              tuple("SG-102", "mayGoTo(\"null\", \"null\")"),
              tuple("SG-102", "mayGoTo(\"a\", \"null\")"),
              tuple("SG-102", "writes(\"null\")"),
              tuple("SG-102", "maxVisits(\"null\", 1, \"null\")"),
              tuple("SG-102", "defer(\"null\")"),
              tuple("SG-102", "interruptBefore(\"null\")"),
              tuple("SG-102", "interruptAfter(\"null\")"),
              tuple("SG-102", "policy(\"null\", ...)"),
              tuple("SG-102", "handler(\"null\", ...)"));
    }
  }

  @Nested
  class AllProblemsAtOnce {

    @Test
    void areToldInOneException() {
      Channel<?> unknown = Channel.value("unknown", String.class);
      Graph strange =
          Graph.builder("strange").channels(unknown).edge(START, END).build();
      Graph folding = Graph.builder("folding")
          .channels(Channel.value("log", Integer.class))
          .edge(START, END)
          .build();
      GraphBuilder graph = graph("a", "b", "c", "d", "lost", "stuck", "bad name", "worker", "m")
          .channels(LOG, STATUS)
          .compute("a", NOTHING)
          .node("nobody", (NodeAction) null)
          .subgraph("strange", strange)
          .subgraph("folding", folding)
          .edge("a", "elsewhere")
          .edge(END, "a")
          .edge("a", "b")
          .edge("a", "c")
          .edge("a", "stuck")
          .edge("b", END)
          .edge("b", END)
          .edge("c", END)
          .sequence("a", "bad name", END)
          .sequence("a", "nobody", END)
          .sequence("a", "strange", END)
          .sequence("a", "folding", END)
          .route("d", to(), state -> "d")
          .sequence("lost", END)
          .fanOut("b", to("worker"), state -> List.of())
          .edge("worker", "d")
          .defer("worker")
          .join(Graph.all("a", "m"), "m")
          .edge("m", END)
          .writes("b", STATUS)
          .writes("c", STATUS, unknown)
          .maxVisits("m", 0, END)
          .policy("a", NodePolicy.retry(0));

      assertThat(problems(graph))
          .extracting(Problem::code)
          .contains(
              "SG-101", "SG-102", "SG-103", "SG-104", "SG-105", "SG-107", "SG-109", "SG-110",
              "SG-111", "SG-112", "SG-113", "SG-114", "SG-115", "SG-116", "SG-117", "SG-118");
      assertThat(problems(graph.edge(START, "a")))
          .extracting(Problem::code)
          .contains("SG-106", "SG-108")
          .doesNotContain("SG-101");
    }

    @Test
    void areToldWithThoseOfTheChannels() {
      assertProblems(
          graph("a").channels(LOG).input(STATUS).output(Channel.value("lgo", String.class)),
          tuple(
              "SG-235", "input(\"status\")", "Use one of [log], or declare it with channels(...)."),
          tuple("SG-235", "output(\"lgo\")", "Did you mean 'log'?"),
          tuple("SG-101", "the whole graph", "Add edge(START, \"a\")."),
          tuple(
              "SG-107",
              "compute(\"a\", ...)",
              "Add edge(\"a\", END), or an edge to another node."));
    }

    @Test
    void areWrittenOutForTheReader() {
      assertThatExceptionOfType(InvalidGraphException.class)
          .isThrownBy(() -> Graph.builder("support")
              .compute("triage", NOTHING)
              .compute("reviewer", NOTHING)
              .edge("triage", "reviwer")
              .edge("reviewer", END)
              .build())
          .satisfies(invalid -> assertThat(invalid.graph()).isEqualTo("support"))
          .withMessage("""
              Graph 'support' cannot be built: 2 problems.

              SG-102  Node 'reviwer' does not exist.
                      at  edge("triage", "reviwer")
                      fix Did you mean 'reviewer'?
                      see errors.md#sg-102

              SG-101  No node is connected to the start.
                      at  the whole graph
                      fix Add edge(START, "triage").
                      see errors.md#sg-101""");
    }

    @Test
    void areToldAgainIfNothingWasDoneAboutThem() {
      GraphBuilder graph = graph("a").edge(START, "a");

      assertThat(problems(graph)).hasSize(1);
      assertThat(problems(graph)).hasSize(1);
      Told.assertLegal(graph.edge("a", END));
    }
  }

  @Nested
  @Timeout(30)
  class AVeryLargeGraph {

    private static final int NODES = 10_000;

    @Test
    @DisplayName("a graph of 10,000 nodes and 50,000 edges can be built")
    void canBeBuilt() {
      GraphBuilder graph = Graph.builder("large").channels(LOG, STATUS);
      for (int node = 0; node < NODES; node++) {
        graph.compute("n" + node, NOTHING).writes("n" + node, LOG);
        for (int next = node + 1; next <= Math.min(node + 5, NODES - 1); next++) {
          graph.edge("n" + node, "n" + next);
        }
      }

      Graph large = graph.sequence(START, "n0").edge("n" + (NODES - 1), END).build();

      assertThat(large.nodes()).hasSize(NODES);
    }

    @Test
    void mayBeOneChainWithAWriterALimitAndAJoinAtEachNode() {
      GraphBuilder graph = graph("n0").channels(STATUS).edge(START, "n0");
      for (int node = 1; node < NODES; node++) {
        String name = "n" + node;
        graph.compute(name, NOTHING).writes(name, STATUS);
        if (node % 2 == 0) {
          graph.route("n" + (node - 1), to(name, END), state -> name);
        } else {
          graph.edge("n" + (node - 1), name);
        }
      }
      graph.compute("m", NOTHING).edge("m", END).edge("n" + (NODES - 1), END);
      for (int node = 1; node < NODES; node += 10) {
        graph.join(Graph.all("n" + (node - 1), "n" + node), "m");
      }
      for (int node = 0; node + 1 < NODES; node++) {
        graph
            .compute("x" + node, NOTHING)
            .maxVisits("x" + node, 1, "x" + (node + 1))
            .sequence("m", "x" + node, END);
      }
      graph.compute("x" + (NODES - 1), NOTHING).edge("x" + (NODES - 1), END);

      assertThat(graph.build().names()).hasSize(2 * NODES + 1);
    }

    @Test
    void mayBeWrongInEveryLine() {
      GraphBuilder graph = Graph.builder("large");
      for (int node = 0; node < NODES; node++) {
        graph.compute("node-" + node, NOTHING).sequence(START, "step-" + node, END);
      }

      assertThat(problems(graph)).hasSizeGreaterThan(NODES);
    }
  }

  /** What a node may know about a task that there is not. */
  private static final class NoContext implements NodeContext {

    @Override
    public String node() {
      return "node";
    }

    @Override
    public String taskId() {
      return "task";
    }

    @Override
    public int attempt() {
      return 1;
    }

    @Override
    public boolean isStopping() {
      return false;
    }

    @Override
    public void doNotCache() {}

    @Override
    public <T> Publisher<T> ask(String key, Question<T> question) {
      return subscriber -> {};
    }

    @Override
    public Publisher<Answers> askAll(Map<String, ? extends Question<?>> questions) {
      return subscriber -> {};
    }

    @Override
    public Publisher<Void> stopping() {
      return subscriber -> {};
    }

    @Override
    public int remainingSteps() {
      return 0;
    }

    @Override
    public <T> Optional<T> find(RunKey<T> key) {
      return Optional.empty();
    }
  }
}
