package io.superstep.json;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.json.SampleEvents.FIRST;
import static io.superstep.json.SampleEvents.SPEAK;
import static io.superstep.json.Texts.golden;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.superstep.checkpoint.Execution;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Provisional;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunResumed;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.event.GraphEvent.TaskRetried;
import io.superstep.event.Moment;
import io.superstep.graph.Graph;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import io.superstep.step.Superstep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.ToStringSerializer;

class EventJsonTests {

  private static final EventJson JSON = EventJson.of(SampleEvents.GRAPH);
  private static final JsonMapper PLAIN = JsonMapper.shared();

  /** A type that would have the names of classes in the text. */
  @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
  record ByClass(String name) {}

  record Named(String name) {}

  private static JsonNode read(GraphEvent event) {
    return PLAIN.readTree(JSON.text(event));
  }

  private static TaskChunk chunk(Object content) {
    return new TaskChunk(FIRST, 4, SPEAK, Execution.FIRST, 3, 0, content);
  }

  private static InvalidJsonException refusal(EventJson json, GraphEvent event) {
    return catchThrowableOfType(InvalidJsonException.class, () -> json.text(event));
  }

  private static Graph holding(Channel<?> channel) {
    return Graph.builder("holding")
        .channels(channel)
        .compute("a", state -> Update.NOTHING)
        .sequence(START, "a", END)
        .build();
  }

  private static RunCompleted completed(Graph graph, Update input) {
    return new RunCompleted(
        FIRST,
        9,
        Superstep.open(graph, "t", graph.schema().start(), input).position(),
        null,
        List.of());
  }

  @Test
  @DisplayName("E19 the events of the golden file are written as they stand there")
  void theEventsOfFormatOne() {
    String written =
        SampleEvents.shown().stream().map(JSON::text).collect(Collectors.joining(",", "[", "]"));

    assertThat(written).isEqualTo(golden("events-v1.json"));
  }

  @Test
  @DisplayName("E19 an event of a log shows when it was appended beside the time of its step")
  void appended() {
    GraphEvent event = new RunResumed(FIRST, 2);

    assertThat(JSON.text(event.appendedAt(Instant.parse("2026-01-02T03:14:05Z"))))
        .isEqualTo("{\"v\":1,\"type\":\"run-resumed\",\"sequence\":2,\"step\":1,"
            + "\"time\":\"2026-01-02T03:04:05.678Z\",\"appended\":\"2026-01-02T03:14:05Z\"}");
    assertThat(JSON.text(event)).doesNotContain("appended");
  }

  @Test
  @DisplayName("E19 there is a word, and a line in the golden file, for every kind of event")
  void everyKindOfEventIsWritten() {
    assertThat(kinds(GraphEvent.class))
        .hasSizeGreaterThan(13)
        .allSatisfy(kind -> assertThat(SampleEvents.shown()).hasAtLeastOneElementOfType(kind));
    assertThat(SampleEvents.shown()).allSatisfy(event -> {
      assertThat(read(event).path("v").intValue()).isEqualTo(1);
      assertThat(read(event).path("type").stringValue())
          .isEqualTo(EventJson.type(event))
          .matches("[a-z]+(-[a-z]+)*");
    });
  }

  private static List<Class<?>> kinds(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses())
            .flatMap(permitted -> kinds(permitted).stream())
            .toList()
        : List.of(type);
  }

  @Test
  @DisplayName("E19 only facts have a cursor, and provisional events say that they are")
  void onlyFactsHaveACursor() {
    assertThat(SampleEvents.shown()).allSatisfy(event -> {
      boolean provisional = event instanceof Provisional;
      assertThat(read(event).path("provisional").booleanValue(false)).isEqualTo(provisional);
      if (provisional) {
        assertThat(EventJson.cursor(event)).isEmpty();
      } else {
        assertThat(EventJson.cursor(event)).hasValue(event.sequence());
      }
    });
  }

  @Test
  @DisplayName("E19 where an event happened is said unless it is at the top")
  void thePathIsSaidUnlessItIsEmpty() {
    Graph around = Graph.builder("around")
        .channels(SampleEvents.ROUND)
        .subgraph("inner", holding(SampleEvents.ROUND))
        .sequence(START, "inner", END)
        .build();

    String text =
        EventJson.of(around).text(new RunResumed(new Moment("inner/", 0, Instant.EPOCH), 4));

    assertThat(text)
        .isEqualTo("{\"v\":1,\"type\":\"run-resumed\",\"sequence\":4,\"step\":0,"
            + "\"path\":\"inner/\",\"time\":\"1970-01-01T00:00:00Z\"}");
  }

  @Test
  @DisplayName("E19 a text is one line, whatever a chunk holds")
  void aTextIsOneLine() {
    assertThat(JSON.text(chunk("a\nb\rc\u2028d"))).doesNotContain("\n", "\r");
  }

  @Test
  @DisplayName("E19 a character that was cut in two comes together again")
  void halfACharacterIsKept() {
    assertThat(JSON.text(chunk("\ud83d"))).contains("\"content\":\"\\uD83D\"");
    assertThat(Stream.of("\ud83d", "\ude00")
            .map(half -> read(chunk(half)).path("content").stringValue())
            .collect(Collectors.joining()))
        .isEqualTo("😀");
  }

  @Test
  @DisplayName("E19 a chunk that cannot be written is told with its place, and without values")
  void aChunkThatCannotBeWrittenIsTold() {
    record Token(String text) {}

    InvalidJsonException refused =
        refusal(JSON, chunk(Map.of("list", List.of("secret", new Token("secret")))));

    assertThat(refused.code()).isEqualTo("SG-307");
    assertThat(refused.path()).isEqualTo(".list[1]");
    assertThat(refused)
        .hasMessageContaining(Token.class.getName())
        .hasMessageContaining("chunk 3 of task t-1/1/0/speak, at .list[1]")
        .hasMessageNotContaining("secret");
  }

  @Test
  @DisplayName("E19 a chunk that contains itself is told")
  void aChunkThatContainsItselfIsTold() {
    List<Object> loop = new ArrayList<>();
    loop.add(loop);

    assertThat(refusal(JSON, chunk(loop)).code()).isEqualTo("SG-307");
  }

  @Test
  @DisplayName("E19 an event of another graph is told")
  void anEventOfAnotherGraphIsTold() {
    InvalidJsonException refused =
        refusal(JSON, new RunResumed(new Moment("speak/", 0, Instant.EPOCH), 1));

    assertThat(refused.code()).isEqualTo("SG-308");
    assertThat(refused).hasMessageContaining("'speak/'").hasMessageContaining("'debate'");
  }

  @Test
  @DisplayName("E19 a value of the state that cannot be written is told with its channel")
  void aValueThatCannotBeWrittenIsTold() {
    record Token(String text) {}

    Channel<@Nullable Object> any = Channel.value("any", Object.class);
    Graph graph = holding(any);

    InvalidJsonException refused = refusal(
        EventJson.of(graph).withOutput(),
        completed(graph, Update.of(any, List.of(new Token("secret")))));

    assertThat(refused.code()).isEqualTo("SG-301");
    assertThat(refused.channel()).contains("any");
    assertThat(refused).hasMessageNotContaining("secret");
  }

  @Test
  @DisplayName("E19 only what is shown needs a JSON form")
  void onlyWhatIsShownNeedsAJsonForm() {
    Channel<@Nullable ByClass> odd = Channel.value("odd", ByClass.class);
    Graph hiding = Graph.builder("hiding")
        .channels(odd, SampleEvents.ROUND)
        .compute("a", state -> Update.NOTHING)
        .sequence(START, "a", END)
        .output(SampleEvents.ROUND)
        .build();

    InvalidJsonException refused =
        catchThrowableOfType(InvalidJsonException.class, () -> EventJson.of(holding(odd)));

    assertThat(refused.code()).isEqualTo("SG-306");
    assertThat(EventJson.of(hiding)
            .withOutput()
            .text(completed(hiding, Update.of(odd, new ByClass("x")))))
        .contains("\"output\":{\"round\":0}");
  }

  @Test
  @DisplayName("E19 a module says how a type is written")
  void aModuleSaysHowATypeIsWritten() {
    Channel<@Nullable Named> named = Channel.value("named", Named.class);
    SimpleModule module =
        new SimpleModule().addSerializer(Named.class, ToStringSerializer.instance);

    String text = EventJson.of(holding(named), module)
        .withOutput()
        .text(completed(holding(named), Update.of(named, new Named("x"))));

    assertThat(text).contains("\"output\":{\"named\":\"Named[name=x]\"}");
  }

  @Test
  @DisplayName("E19 an error without a name of its own is called by what it extends")
  void anErrorIsCalledByAName() {
    Throwable anonymous = new IllegalStateException("secret") {
      private static final long serialVersionUID = 1L;
    };

    assertThat(JSON.text(new TaskRetried(FIRST, 5, SPEAK, Execution.FIRST, anonymous)))
        .contains("\"error\":{\"type\":\"IllegalStateException\"}");
  }
}
