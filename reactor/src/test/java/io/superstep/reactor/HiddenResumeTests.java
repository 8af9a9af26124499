package io.superstep.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.graph.Graph;
import io.superstep.message.Message;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class HiddenResumeTests {

  private static final String SECRET = "s3cr3t";
  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");

  @Test
  @DisplayName("toString of resumes, results and views shows no contents")
  void hidden() {
    Graph graph = Graph.builder("graph")
        .channels(MESSAGES)
        .compute("work", state -> Update.append(MESSAGES, Message.ai(SECRET)))
        .sequence(Graph.START, "work", Graph.END)
        .build();
    RunResult result = GraphRunner.of(graph)
        .run(Update.append(MESSAGES, Message.human(SECRET)))
        .block();

    for (Object value : List.of(
        Resume.answer("publish", SECRET),
        Resume.answers(Map.of("a", List.of(SECRET))),
        Resume.ended("work", Update.append(MESSAGES, Message.ai(SECRET))),
        result,
        result.position(),
        new ApprovalView(
            "t",
            new CheckpointId(1, 1),
            "work",
            Instant.EPOCH,
            true,
            0,
            true,
            false,
            null,
            Map.of("plan", SECRET)))) {
      assertThat(value.toString()).doesNotContain(SECRET);
    }
  }
}
