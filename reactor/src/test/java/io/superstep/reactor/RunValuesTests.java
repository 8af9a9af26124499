package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.graph.Graph;
import io.superstep.graph.MissingRunValueException;
import io.superstep.graph.RunKey;
import io.superstep.state.Update;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class RunValuesTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final RunKey<String> USER = RunKey.of("user", String.class);
  private static final RunKey<Integer> LEVEL = RunKey.of("level", int.class);

  private static final Graph GREETING = graph()
      .node(
          "greet", (state, context) -> Mono.just(Update.append(LOG, "Hello " + context.get(USER))))
      .compute(
          "rate",
          (state, context) -> Update.append(LOG, "level " + context.find(LEVEL).orElse(0)))
      .sequence(START, "greet", "rate", END)
      .build();

  @Test
  @DisplayName("E23 what a run is given reaches every node, typed, and no other run")
  void valuesReachNodes() {
    GraphRunner runner = GraphRunner.of(GREETING);
    RunOptions ada = RunOptions.NONE.with(USER, "Ada").with(LEVEL, 3);

    assertThat(runner.run(Update.NOTHING, ada).block(PATIENCE).state().get(LOG))
        .containsExactly("Hello Ada", "level 3");
    assertThat(runner
            .run(Update.NOTHING, RunOptions.NONE.with(USER, "Bob"))
            .block(PATIENCE)
            .state()
            .get(LOG))
        .containsExactly("Hello Bob", "level 0");
  }

  @Test
  @DisplayName("E23 what a run is given reaches the nodes of nested graphs")
  void valuesReachNestedNodes() {
    Graph outer =
        graph().subgraph("inner", GREETING).sequence(START, "inner", END).build();

    RunResult result = GraphRunner.of(outer)
        .run(Update.NOTHING, RunOptions.NONE.with(USER, "Ada"))
        .block(PATIENCE);

    assertThat(result.state().get(LOG)).containsExactly("Hello Ada", "level 0");
  }

  @Test
  @DisplayName("E23 a node that asks for what its run was not given says which and how to give it")
  void aMissingValueIsTold() {
    StepVerifier.create(GraphRunner.of(GREETING).run(Update.NOTHING))
        .expectErrorSatisfies(error -> assertThat(error.getCause())
            .isInstanceOf(MissingRunValueException.class)
            .hasMessageContaining("user: String")
            .hasMessageContaining("node 'greet'"))
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("E23 what a run is given is not part of its state, and no text shows it")
  void valuesAreNotShown() {
    RunOptions options = RunOptions.NONE.with(USER, "secret");

    RunResult result = GraphRunner.of(GREETING).run(Update.NOTHING, options).block(PATIENCE);

    assertThat(options.toString()).contains("user: String").doesNotContain("secret");
    assertThat(result.toString()).doesNotContain("secret");
    assertThat(result.state().asMap()).containsOnlyKeys("count", "log");
  }

  @Test
  void keysAreTheSameByNameAndType() {
    assertThat(RunKey.of("user", String.class)).isEqualTo(USER).hasSameHashCodeAs(USER);
    assertThat(RunKey.of("user", Integer.class)).isNotEqualTo(USER);
    assertThat(RunKey.of("level", Integer.class)).isEqualTo(LEVEL);
  }
}
