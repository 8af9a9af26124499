package io.superstep;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.graph.Graph;
import io.superstep.message.Message;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import io.superstep.step.Superstep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The code of the README, as it stands there. */
class ReadmeTests {

  // spotless:off
  static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  static final Channel<Integer> ROUND = Channel.value("round", Integer.class).startingAt(0);

  private static Graph debate() {
    Graph debate = Graph.builder("debate")
        .channels(MESSAGES, ROUND)
        .compute("optimist", state -> Update.append(MESSAGES, Message.ai("Yes.")))
        .compute("skeptic", state -> Update.append(MESSAGES, Message.ai("No.")).and(ROUND, state.get(ROUND) + 1))
        .compute("moderator", state -> Update.append(MESSAGES, Message.ai("It depends.")))
        .edge(START, "optimist").edge("optimist", "skeptic").edge("moderator", END)
        .route("skeptic", to("optimist", "moderator"), state -> state.get(ROUND) < 3 ? "optimist" : "moderator")
        .build();
    return debate;
  }
  // spotless:on

  @Test
  void theGraphSaysWhatIsDueFirst() {
    Graph debate = debate();

    // spotless:off
    Position start = Superstep.open(debate, "thread-1", debate.schema().start(), Update.NOTHING).position();
    // spotless:on

    assertThat(Superstep.plan(start)).extracting(Task::node).containsExactly("optimist");
  }

  @Test
  void thePictureIsTheOneTheGraphDraws() throws IOException {
    Graph debate = debate();

    assertThat(Files.readString(Path.of("../README.md"))).contains(debate.mermaid());
  }
}
