package io.superstep.json;

import static io.superstep.json.SampleEvents.FIRST;
import static io.superstep.json.Texts.bytes;
import static io.superstep.json.Texts.golden;
import static io.superstep.json.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.Task;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.OfTask;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.event.GraphEvent.TaskCompleted;
import io.superstep.event.GraphEvent.TaskFailed;
import io.superstep.event.GraphEvent.TaskRetried;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.event.GraphEvent.TaskUpdated;
import io.superstep.graph.Graph;
import io.superstep.message.Message;
import io.superstep.state.Update;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The executions of tasks in the JSON of events. */
class ExecutionTextTests {

  private static final EventCodec CODEC = EventCodec.create();
  private static final Task SPEAK = new Task("t/1-6", 1, 0, "speak", null);
  private static final Execution LATER = new Execution(7, 1);

  private static List<GraphEvent> events() {
    Execution begun = new Execution(6, 1);
    Exception failure = new IllegalStateException("secret");
    return List.of(
        new TaskStarted(FIRST, 3, SPEAK, begun),
        new TaskChunk(FIRST, 3, SPEAK, begun, 0, 0, "Y"),
        new TaskStarted(FIRST, 5, SPEAK, LATER),
        new TaskChunk(FIRST, 5, SPEAK, LATER, 0, 0, "Y"),
        new TaskChunk(FIRST, 5, SPEAK, LATER, 1, 0, Message.ai("es").withId("m-7")),
        new TaskUpdated(FIRST, 5, SPEAK, LATER, Update.of(SampleEvents.ROUND, 1)),
        new TaskRetried(FIRST, 6, SPEAK, LATER, failure),
        new TaskChunk(FIRST, 6, SPEAK, LATER.at(2), 0, 1, "Y"),
        new TaskCompleted(FIRST, 7, SPEAK, new Execution(7, List.of(1, 3), 2), false, null),
        new TaskFailed(FIRST, 8, SPEAK, LATER.at(3), failure));
  }

  private static GraphEvent decoded(String stored) {
    return CODEC
        .decode(bytes(stored), Footing.NONE, SampleEvents.GRAPH.schemas())
        .event();
  }

  private static String stored(GraphEvent event) {
    return text(CODEC.encode(event, Footing.NONE, SampleEvents.GRAPH.schemas()).bytes());
  }

  @Test
  @DisplayName("E19 task events and chunks show their execution, and chunks their message")
  void external() {
    EventJson json = EventJson.of(SampleEvents.GRAPH);

    assertThat(events().stream().map(json::text).collect(Collectors.joining(",", "[", "]")))
        .isEqualTo(golden("executions-v1.json"));
  }

  @Test
  @DisplayName("S2.10 stored events keep their execution")
  void storedForm() {
    List<String> golden =
        List.of(golden("stored-executions-v1.json").split("(?<=\\})(?=\\{\"v\":1)"));
    List<GraphEvent> read = new ArrayList<>();
    Footing footing = Footing.NONE;
    List<String> written = new ArrayList<>();
    for (GraphEvent event : events()) {
      EncodedEvent encoded = CODEC.encode(event, footing, SampleEvents.GRAPH.schemas());
      footing = encoded.footing();
      written.add(text(encoded.bytes()));
      read.add(decoded(text(encoded.bytes())));
    }

    assertThat(written).isEqualTo(golden);
    assertThat(read)
        .extracting(event -> ((OfTask) event).execution())
        .isEqualTo(events().stream().map(event -> ((OfTask) event).execution()).toList());
    assertThat(((TaskChunk) read.get(7)).message()).isEqualTo(1);
  }

  @Test
  @DisplayName("S2.10 stored events without an execution load with fence 0")
  void withoutExecution() {
    String task = "\"task\":{\"origin\":\"t/1-6\",\"step\":1,\"index\":0,\"node\":\"speak\"}";
    String head = "\"sequence\":3,\"step\":1,\"time\":\"2026-01-02T03:04:05.678Z\"," + task;

    TaskStarted started = (TaskStarted) decoded("{\"v\":1,\"type\":\"task-started\"," + head + "}");
    TaskChunk chunk = (TaskChunk) decoded("{\"v\":1,\"type\":\"task-chunk\"," + head
        + ",\"attempt\":2,\"index\":0,\"content\":\"Y\"}");

    assertThat(started.execution()).isEqualTo(Execution.FIRST);
    assertThat(chunk.execution()).isEqualTo(new Execution(0, 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"fence\":-1", "\"attempt\":0", "\"enclosing\":[0]", "\"enclosing\":2"})
  @DisplayName("Promise 8: an execution that cannot be is a typed error")
  void impossible(String part) {
    String stored = stored(new TaskStarted(FIRST, 3, SPEAK, Execution.FIRST));

    assertThat(catchThrowableOfType(
            InvalidJsonException.class,
            () -> decoded(stored.replace("\"step\":1,\"time\"", part + ",\"step\":1,\"time\""))))
        .isNotNull();
  }

  @Test
  @DisplayName("E19 a chunk shows no message where there is none")
  void withoutMessage() {
    Graph counting = Graph.builder("counting")
        .channels(SampleEvents.ROUND)
        .compute("speak", state -> Update.NOTHING)
        .sequence(Graph.START, "speak", Graph.END)
        .build();
    Map<String, Integer> usage = Map.of("tokens", 3);

    assertThat(EventJson.of(counting).text(new TaskChunk(FIRST, 3, SPEAK, LATER, 0, 0, "Y")))
        .doesNotContain("\"message\"");
    assertThat(EventJson.of(SampleEvents.GRAPH)
            .text(new TaskChunk(FIRST, 3, SPEAK, LATER, 0, 0, usage)))
        .doesNotContain("\"message\"");
  }
}
