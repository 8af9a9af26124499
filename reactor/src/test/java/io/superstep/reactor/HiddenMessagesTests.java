package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.checkpoint.TaskNote;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunFailed;
import io.superstep.event.GraphEvent.TaskCompleted;
import io.superstep.event.GraphEvent.TaskFailed;
import io.superstep.event.GraphEvent.TaskRetried;
import io.superstep.event.RecordedFailure;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.json.EventJson;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

@DisplayName("Messages of exceptions of user code")
class HiddenMessagesTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String SECRET = "password=swordfish";

  private final InMemoryCheckpointStore store = new InMemoryCheckpointStore();
  private final InMemoryEventLog log = new InMemoryEventLog();

  private static Mono<Update> fail() {
    return Mono.error(new IllegalStateException(SECRET, new IllegalArgumentException(SECRET)));
  }

  /** A node that fails and is handled, and then one in a subgraph that is retried and fails. */
  private static Graph failing() {
    Graph inner = graph()
        .node("bad", state -> fail())
        .policy("bad", NodePolicy.retry(2))
        .sequence(START, "bad", END)
        .build();
    return graph()
        .node("handled", state -> fail())
        .handler("handled", (state, failure) -> Mono.just(Update.NOTHING))
        .subgraph("sub", inner)
        .sequence(START, "handled", "sub", END)
        .build();
  }

  private GraphRunner.Builder runner() {
    return GraphRunner.builder(failing()).checkpoints(store).events(log);
  }

  private NodeFailedException failure(GraphRunner runner) {
    return catchThrowableOfType(
        NodeFailedException.class, () -> runner.thread("t").run(Update.NOTHING).block(PATIENCE));
  }

  private List<GraphEvent> events() {
    return log.read("t", 0, failing().schemas()).collectList().block(PATIENCE);
  }

  private static List<Throwable> errors(List<GraphEvent> events) {
    return events.stream()
        .<Throwable>mapMulti((event, errors) -> {
          if (event instanceof TaskRetried retried) {
            errors.accept(retried.error());
          } else if (event instanceof TaskFailed failed) {
            errors.accept(failed.error());
          } else if (event instanceof RunFailed failed) {
            errors.accept(failed.error());
          } else if (event instanceof TaskCompleted completed && completed.handled() != null) {
            errors.accept(completed.handled());
          }
        })
        .toList();
  }

  private List<String> recorded() {
    return store.load("t", failing().schemas()).block(PATIENCE).notes().stream()
        .filter(TaskNote.Failed.class::isInstance)
        .map(note -> ((TaskNote.Failed) note).error())
        .toList();
  }

  @Test
  @DisplayName("are shown in errors, events and stored records")
  void shown() {
    NodeFailedException failed = failure(runner().build());

    assertThat(failed)
        .hasMessageContaining(
            "Node 'sub/bad' failed with java.lang.IllegalStateException: " + SECRET);
    assertThat(errors(events()))
        .hasSize(5)
        .allSatisfy(error -> assertThat(error).hasStackTraceContaining(SECRET));
    assertThat(recorded()).isNotEmpty().allMatch(text -> text.contains(SECRET));
  }

  @Test
  @DisplayName("are hidden in errors, events and stored records on demand")
  void hidden() {
    NodeFailedException failed = failure(runner().hideExceptionMessages().build());

    assertThat(failed.getMessage())
        .contains("Node 'sub/bad' failed with java.lang.IllegalStateException.")
        .doesNotContain(SECRET);
    assertThat(failed).hasRootCauseMessage(SECRET);
    assertThat(errors(events())).hasSize(5).allSatisfy(error -> {
      assertThat(error).isInstanceOf(RecordedFailure.class);
      for (Throwable each = error; each != null; each = each.getCause()) {
        RecordedFailure known = (RecordedFailure) each;
        assertThat(known.type()).isNotBlank();
        assertThat(known.message().orElse("")).doesNotContain(SECRET);
      }
    });
    EventJson json = EventJson.of(failing());
    assertThat(events()).noneMatch(event -> json.text(event).contains(SECRET));
    assertThat(recorded()).isNotEmpty().noneMatch(text -> text.contains(SECRET));
  }
}
