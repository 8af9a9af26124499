package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.event.GraphEvent;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.graph.Send;
import io.superstep.json.EventJson;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class EventJsonStreamTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ListChannel<String> REPORT = Channel.list("report", String.class);
  private static final ListChannel<String> SOURCES = Channel.list("sources", String.class);
  private static final Channel<@Nullable String> KEY =
      Channel.value("key", String.class).argument();

  /** A graph that has secrets in hidden channels, in arguments and in errors. */
  private static Graph research() {
    Graph inner = Graph.builder("inner")
        .channels(REPORT, SOURCES)
        .node(
            "search",
            (state, context) -> context.attempt() == 1
                ? Mono.error(new IllegalStateException("secret"))
                : Flux.just(
                    new Chunk("found"),
                    Update.append(SOURCES, "secret").and(REPORT, List.of("inside"))))
        .policy("search", NodePolicy.retry(2))
        .sequence(START, "search", END)
        .build();
    return Graph.builder("research")
        .channels(REPORT, SOURCES, KEY)
        .subgraph("inner", inner)
        .compute("read", state -> Update.append(SOURCES, state.get(KEY)))
        .compute("write", state -> Update.append(REPORT, "outside"))
        .edge(START, "inner")
        .fanOut("inner", to("read"), state -> List.of(Send.to("read", KEY, "secret")))
        .sequence("read", "write", END)
        .output(REPORT)
        .build();
  }

  @Test
  @DisplayName(
      "E19 a run can be watched as JSON from its first event to its last, hidden state not")
  void aRunCanBeWatchedAsJson() {
    Graph graph = research();
    EventJson json = EventJson.of(graph).withOutput();

    List<GraphEvent> events =
        GraphRunner.of(graph).stream(Update.NOTHING).collectList().block(PATIENCE);

    assertThat(events).extracting(GraphEvent::path).contains("", "inner/");
    assertThat(events)
        .extracting(json::text)
        .allSatisfy(text -> assertThat(text).doesNotContain("secret"))
        .anySatisfy(text -> assertThat(text).contains("\"content\":\"found\""))
        .anySatisfy(text -> assertThat(text)
            .contains("\"path\":\"inner/\"", "{\"report\":{\"append\":[\"inside\"]}}"))
        .last()
        .asString()
        .contains("\"type\":\"run-completed\"", "\"output\":{\"report\":[\"inside\",\"outside\"]}");
  }

  @Test
  @DisplayName("E19 the ids of server-sent events are the facts, without a gap")
  void theIdsAreTheFacts() {
    Graph graph = research();

    long[] ids = GraphRunner.of(graph).stream(Update.NOTHING)
        .map(EventJson::cursor)
        .filter(OptionalLong::isPresent)
        .map(OptionalLong::getAsLong)
        .collectList()
        .block(PATIENCE)
        .stream()
        .mapToLong(Long::longValue)
        .toArray();

    assertThat(ids).isEqualTo(LongStream.rangeClosed(1, ids.length).toArray());
  }
}
