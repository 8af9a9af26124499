package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.SavedThread;
import io.superstep.error.SuperstepException;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.NodePolicy;
import io.superstep.graph.Send;
import io.superstep.state.Update;
import io.superstep.step.InvalidRouteException;
import io.superstep.step.NodeFailedException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Commands that a node addresses to the parent graph. */
class ParentCommandTests extends OnAThread {

  private static final Command UP = Command.goTo("escalate").inParent();

  private static GraphBuilder emitting(Command command) {
    return graph()
        .compute("a", state -> command.with(Update.append(LOG, "a")))
        .compute("b", state -> Update.append(LOG, "b"))
        .sequence(START, "a", "b", END);
  }

  private static Graph around(Graph inner) {
    return graph()
        .subgraph("inner", inner)
        .compute("escalate", state -> Update.append(LOG, "escalated"))
        .compute("last", state -> Update.append(LOG, "last"))
        .sequence(START, "inner", END)
        .edge("escalate", "last")
        .edge("last", END)
        .defer("last")
        .mayGoTo("inner", "escalate", "last", END)
        .build();
  }

  private static Throwable errorOf(Mono<RunResult> run) {
    AtomicReference<Throwable> error = new AtomicReference<>();
    run.doOnError(error::set).onErrorComplete().block(PATIENCE);
    return error.get();
  }

  private static InvalidRouteException refusalIn(Throwable failed, String node) {
    assertThat(failed).isInstanceOf(NodeFailedException.class);
    assertThat(((NodeFailedException) failed).node()).isEqualTo(node);
    assertThat(failed.getCause()).isInstanceOf(InvalidRouteException.class);
    return (InvalidRouteException) failed.getCause();
  }

  @ParameterizedTest
  @ValueSource(strings = {"compute", "node", "retried", "no target"})
  @DisplayName("E14 a command to the parent in a graph without one is a failure of its node")
  void withoutAParent(String kind) {
    GraphBuilder graph = switch (kind) {
      case "compute" -> emitting(UP);
      case "no target" -> emitting(Command.of(Update.NOTHING).inParent());
      case "retried" -> emitting(UP).policy("a", NodePolicy.retry(2));
      default ->
        graph()
            .node("a", state -> Flux.just(UP.with(Update.of(COUNT, 1))))
            .sequence(START, "a", END);
    };

    InvalidRouteException refused =
        refusalIn(errorOf(GraphRunner.of(graph.build()).run(Update.NOTHING)), "a");

    assertThat(refused.code()).isEqualTo("SG-128");
    assertThat(refused.node()).isEqualTo("a");
  }

  @Test
  @DisplayName("E14 after a command to a missing parent nothing of the step is committed")
  void nothingIsCommitted() {
    Graph graph = emitting(UP).build();

    assertThat(errorOf(thread(graph).run(Update.of(COUNT, 1)))).isNotNull();

    SavedThread saved = thread(graph).state().block(PATIENCE);
    assertThat(log(saved)).isEmpty();
    assertThat(saved.position().nodes()).containsExactly("a");
  }

  @Test
  @DisplayName("E14 the handler of a node takes over when the node addresses a missing parent")
  void aHandlerTakesOver() {
    Graph graph = emitting(UP)
        .handler(
            "a",
            (state, failed) ->
                Mono.just(Update.append(LOG, ((SuperstepException) failed.error()).code())))
        .build();

    assertThat(GraphRunner.of(graph).run(Update.NOTHING).block(PATIENCE).state().get(LOG))
        .containsExactly("SG-128", "b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"goTo", "send", "end", "deferred", "argument"})
  @DisplayName(
      "E14 the targets of a command to the parent are those of the node that is the subgraph")
  void targetsOfTheParent(String kind) {
    Command command = switch (kind) {
      case "goTo" -> Command.goTo("escalte");
      case "send" -> Command.send(Send.to("inner"));
      case "end" -> Command.send(Send.to(END));
      case "deferred" -> Command.send(Send.to("last"));
      default -> Command.send(Send.to("escalate", COUNT, 1));
    };
    Throwable failed =
        errorOf(thread(around(emitting(command.inParent()).build())).run(Update.NOTHING));

    assertThat(((NodeFailedException) failed).node()).isEqualTo("inner");
    NodeFailedException inside = (NodeFailedException) failed.getCause();
    assertThat(inside.node()).isEqualTo("a");
    SuperstepException refused = (SuperstepException) inside.getCause();
    assertThat(refused.code())
        .isEqualTo(
            kind.equals("deferred") ? "SG-125" : kind.equals("argument") ? "SG-218" : "SG-123");
    if (kind.equals("goTo")) {
      assertThat(refused)
          .hasMessageContaining("mayGoTo(\"inner\"")
          .hasMessageContaining("Did you mean 'escalate'?");
    }
  }

  @Test
  @DisplayName("E14 a command to the parent may end the parent's branch")
  void toTheEnd() {
    Graph graph = around(emitting(Command.goTo(END).inParent()).build());

    assertThat(GraphRunner.of(graph).run(Update.NOTHING).block(PATIENCE).state().get(LOG))
        .containsExactly("a");
  }
}
