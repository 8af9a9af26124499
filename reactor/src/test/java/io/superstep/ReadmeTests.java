package io.superstep;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.graph.Graph;
import io.superstep.message.Message;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.InMemoryCheckpointStore;
import io.superstep.reactor.RunResult;
import io.superstep.reactor.Tokens;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The code of the README, as it stands there. */
class ReadmeTests {

  // spotless:off
  static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  static final Channel<Integer> ROUND = Channel.value("round", Integer.class).startingAt(0);

  private static Graph debate() {
    Graph debate = Graph.builder("debate")
        .channels(MESSAGES, ROUND)
        .node("optimist", state -> Mono.just(Update.append(MESSAGES, Message.ai("Yes."))))
        .node("skeptic", state -> Tokens.from(Flux.just("N", "o.")).into(MESSAGES, Message::ai)
            .and(Update.of(ROUND, state.get(ROUND) + 1)))
        .compute("moderator", state -> Update.append(MESSAGES, Message.ai("It depends.")))
        .edge(START, "optimist").edge("optimist", "skeptic").edge("moderator", END)
        .route("skeptic", to("optimist", "moderator"), state -> state.get(ROUND) < 3 ? "optimist" : "moderator")
        .build();
    return debate;
  }
  // spotless:on

  @Test
  void theGraphRunsAsWritten() {
    Graph debate = debate();

    // spotless:off
    GraphRunner runner = GraphRunner.of(debate);
    Flux<GraphEvent> events = runner.stream(Update.append(MESSAGES, Message.human("Should AI be regulated?")));
    Mono<RunResult> result = runner.run(Update.append(MESSAGES, Message.human("Should AI be regulated?")));
    // spotless:on

    assertThat(events.blockLast(Duration.ofSeconds(10))).isInstanceOf(RunCompleted.class);
    assertThat(result.block(Duration.ofSeconds(10)).state().get(MESSAGES))
        .extracting(Message::content)
        .containsExactly(
            "Should AI be regulated?", "Yes.", "No.", "Yes.", "No.", "Yes.", "No.", "It depends.");
  }

  @Test
  void theThreadRunsAsWritten() {
    Graph debate = debate();

    // spotless:off
    InMemoryCheckpointStore memory = new InMemoryCheckpointStore();
    GraphRunner keeping = GraphRunner.builder(debate).checkpoints(memory).build();
    GraphThread thread = keeping.thread("thread-1");
    Mono<RunResult> turn = thread.run(Update.append(MESSAGES, Message.human("Should AI be regulated?")));
    Flux<GraphEvent> rest = thread.resume();
    Flux<Checkpoint> past = thread.history();
    Flux<GraphEvent> branch = thread.fork(CheckpointId.parse("3-1"), Update.of(ROUND, 0));
    // spotless:on

    assertThat(turn.block(Duration.ofSeconds(10)).isCompleted()).isTrue();
    assertThat(rest.collectList().block(Duration.ofSeconds(10))).hasSize(2);
    assertThat(past.collectList().block(Duration.ofSeconds(10))).hasSize(8);
    assertThat(branch.blockLast(Duration.ofSeconds(10))).isInstanceOf(RunCompleted.class);
    assertThat(past.collectList().block(Duration.ofSeconds(10))).hasSize(16);
  }

  @Test
  void thePictureIsTheOneTheGraphDraws() throws IOException {
    Graph debate = debate();

    assertThat(Files.readString(Path.of("../README.md"))).contains(debate.mermaid());
  }
}
