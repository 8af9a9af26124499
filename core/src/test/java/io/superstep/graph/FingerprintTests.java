package io.superstep.graph;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;
import static io.superstep.graph.Graph.to;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.state.Channel;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import io.superstep.value.TypeRef;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;

class FingerprintTests {

  private static final Channel<Integer> COUNT = Channel.sum("count", Integer.class);
  private static final Publisher<NodeOutput> NONE = subscriber -> {};

  /** A graph like {@link #base()}, but for one thing. */
  record Variant(String name, UnaryOperator<GraphBuilder> change) {

    String fingerprint() {
      return change.apply(base()).build().fingerprint();
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** Called like the one of the JDK. */
  private record Duration(long seconds) {}

  private static GraphBuilder base() {
    return Graph.builder("sample")
        .channels(COUNT)
        .compute("a", state -> Update.NOTHING)
        .compute("b", state -> Update.NOTHING)
        .compute("c", state -> Update.NOTHING)
        .sequence(START, "a", "b")
        .route("b", to("a", "c"), state -> "c")
        .edge("c", END);
  }

  private static GraphBuilder nested(UnaryOperator<GraphBuilder> change) {
    Graph inner = change.apply(base()).build();
    return Graph.builder("outer")
        .channels(COUNT)
        .subgraph("inner", inner)
        .sequence(START, "inner", END);
  }

  @Test
  @DisplayName("E25 a fingerprint is the same in every JVM and release")
  void isTheSameForEver() {
    assertThat(base().build().fingerprint()).isEqualTo("8b811b9fdbbf8319385b936d2840c913");
    assertThat(nested(inner -> inner).build().fingerprint())
        .isEqualTo("2928ac10feb35237c1c7cb56daa7fdd3");
  }

  static Stream<Variant> sameStructure() {
    return Stream.of(
        new Variant("built again", graph -> graph),
        new Variant("a policy", graph -> graph.policy("a", NodePolicy.retry(3))),
        new Variant("defaults", graph -> graph.defaults(NodePolicy.retry(3))),
        new Variant("a handler", graph -> graph.handler("a", (state, failure) -> NONE)),
        new Variant("interrupts", graph -> graph.interruptBefore("a").interruptAfter("b")),
        new Variant("writes", graph -> graph.writes("a", COUNT)),
        new Variant("views", graph -> graph.input().output(COUNT)),
        new Variant("a check", graph -> graph.check("count", "is small", state -> true)));
  }

  @ParameterizedTest
  @MethodSource("sameStructure")
  @DisplayName("E25 what is not structure leaves the fingerprint as it is")
  void doesNotDependOn(Variant variant) {
    assertThat(variant.fingerprint()).isEqualTo(base().build().fingerprint());
  }

  @Test
  @DisplayName("E25 the name of the graph and its code are not structure")
  void doesNotDependOnNameOrCode() {
    Graph other = Graph.builder("renamed")
        .channels(COUNT)
        .compute("a", (state, context) -> Update.of(COUNT, 1))
        .compute("b", state -> Update.of(COUNT, 2))
        .compute("c", state -> Update.of(COUNT, 3))
        .sequence(START, "a", "b")
        .route("b", to("a", "c"), state -> "a")
        .edge("c", END)
        .build();

    assertThat(other.fingerprint()).isEqualTo(base().build().fingerprint());
  }

  @Test
  @DisplayName("E25 the order counts of nodes, and of nothing else")
  void dependsOnTheOrderOfNodesOnly() {
    Channel<String> text = Channel.text("text");
    GraphBuilder one = nodes("a", "b", "c", "d")
        .channels(COUNT, text)
        .edge(START, "a")
        .edge(START, "b")
        .route("a", to("c", "d"), state -> "c")
        .join(all("a", "b"), "c")
        .join(all("b", "c"), "d")
        .mayGoTo("c", "a", "b")
        .edge("d", END);
    GraphBuilder other = nodes("a", "b", "c", "d")
        .edge("d", END)
        .mayGoTo("c", "b", "a")
        .join(all("c", "b"), "d")
        .join(all("b", "a"), "c")
        .route("a", to("d", "c"), state -> "c")
        .edge(START, "b")
        .edge(START, "a")
        .channels(text, COUNT);

    assertThat(other.build().fingerprint()).isEqualTo(one.build().fingerprint());
    assertThat(chain(nodes("a", "b")).fingerprint())
        .isNotEqualTo(chain(nodes("b", "a")).fingerprint());
  }

  private static GraphBuilder nodes(String... names) {
    GraphBuilder builder = Graph.builder("sample");
    Stream.of(names).forEach(name -> builder.compute(name, state -> Update.NOTHING));
    return builder;
  }

  private static Graph chain(GraphBuilder nodes) {
    return nodes.sequence(START, "a", "b", END).build();
  }

  static Stream<Variant> otherStructures() {
    return Stream.of(
        new Variant("no change", graph -> graph),
        new Variant(
            "a node more",
            graph -> graph.compute("d", state -> Update.NOTHING).sequence("a", "d", END)),
        new Variant("an edge more", graph -> graph.edge("a", "c")),
        new Variant("another edge more", graph -> graph.edge("b", "c")),
        new Variant("an edge from the start", graph -> graph.edge(START, "c")),
        new Variant("an edge to the end", graph -> graph.edge("a", END)),
        new Variant("a route", graph -> graph.route("a", to("c"), state -> "c")),
        new Variant("a wider route", graph -> graph.route("a", to("c", "b"), state -> "c")),
        new Variant("a route from the start", graph -> graph.route(START, to("c"), state -> "c")),
        new Variant("routeAll", graph -> graph.routeAll("a", to("c"), state -> List.of())),
        new Variant("fanOut", graph -> graph.fanOut("a", to("c"), state -> List.of())),
        new Variant("a join", graph -> graph.join(all("a", "b"), "c")),
        new Variant("a command", graph -> graph.mayGoTo("a", "c")),
        new Variant("a command of another", graph -> graph.mayGoTo("b", "c")),
        new Variant("a command to the end", graph -> graph.mayGoTo("a", END)),
        new Variant("a limit", graph -> graph.maxVisits("a", 2, "c")),
        new Variant("a higher limit", graph -> graph.maxVisits("a", 3, "c")),
        new Variant("another exit", graph -> graph.maxVisits("a", 2, END)),
        new Variant("a deferred node", graph -> graph.defer("a")),
        new Variant("another deferred node", graph -> graph.defer("b")),
        new Variant("a channel", graph -> graph.channels(Channel.list("text", String.class))),
        new Variant(
            "a channel of another name",
            graph -> graph.channels(Channel.list("texts", String.class))),
        new Variant(
            "a channel of other elements",
            graph -> graph.channels(Channel.list("text", Integer.class))),
        new Variant(
            "a channel of lists of them",
            graph -> graph.channels(Channel.list("text", new TypeRef<List<String>>() {}))),
        new Variant(
            "a channel of sets", graph -> graph.channels(Channel.set("text", String.class))),
        new Variant(
            "a channel of another lifetime",
            graph -> graph.channels(Channel.list("text", String.class).ephemeral())),
        new Variant(
            "a channel of a value",
            graph -> graph.channels(Channel.value("text", java.time.Duration.class))),
        new Variant(
            "a channel of a value whose type is called alike",
            graph -> graph.channels(Channel.value("text", Duration.class))));
  }

  @Test
  @DisplayName("E25 every other structure has another fingerprint")
  void tellsAllStructuresApart() {
    assertThat(otherStructures()
            .collect(groupingBy(Variant::fingerprint, mapping(Variant::toString, toList())))
            .values())
        .hasSizeGreaterThan(1)
        .allSatisfy(alike -> assertThat(alike).hasSize(1));
  }

  @Test
  @DisplayName("E25 that a node is a graph counts, and how it is connected to it")
  void dependsOnWhichNodesAreGraphs() {
    Graph inner = base().build();
    assertThat(Stream.of(
                single().compute("a", state -> Update.NOTHING),
                single().subgraph("a", inner),
                single().subgraph("a", inner, state -> Update.NOTHING, state -> Update.NOTHING))
            .map(graph -> graph.build().fingerprint()))
        .doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("E25 how a function is called does not count")
  void doesNotDependOnTheKindOfFunction() {
    assertThat(Stream.of(
                single().compute("a", state -> Update.NOTHING),
                single().blocking("a", state -> Update.NOTHING),
                single().node("a", state -> NONE))
            .map(graph -> graph.build().fingerprint())
            .distinct())
        .hasSize(1);
  }

  private static GraphBuilder single() {
    return Graph.builder("single").channels(COUNT).sequence(START, "a", END);
  }

  @Test
  @DisplayName("E25 the structure of a graph inside counts, its name and code do not")
  void dependsOnTheGraphsInside() {
    String plain = nested(inner -> inner).build().fingerprint();

    assertThat(nested(inner -> inner.interruptBefore("a")).build().fingerprint())
        .isEqualTo(plain);
    assertThat(nested(inner -> inner.defer("a")).build().fingerprint()).isNotEqualTo(plain);
  }

  @Test
  @DisplayName("E25 names that run into each other do not make graphs alike")
  void isNotFooledByNames() {
    assertThat(Stream.of(to("ab", "c"), to("a", "bc"), to("abc"), to("a", "b", "c"))
            .map(targets -> targeting(targets).fingerprint()))
        .doesNotHaveDuplicates();
  }

  private static Graph targeting(Targets targets) {
    GraphBuilder builder = nodes("first", "a", "ab", "abc", "b", "bc", "c");
    Stream.of("first", "a", "ab", "abc", "b", "bc", "c")
        .forEach(name -> builder.edge(START, name).edge(name, END));
    return builder.route("first", targets, state -> END).build();
  }

  @Test
  @DisplayName("E25 ten thousand nodes have a fingerprint as short as any")
  void isShortForLargeGraphs() {
    assertThat(DiagramTests.large().fingerprint()).matches("[0-9a-f]{32}");
  }
}
