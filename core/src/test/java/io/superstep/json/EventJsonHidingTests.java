package io.superstep.json;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.Task;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunStarted;
import io.superstep.event.GraphEvent.StateSnapshot;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.StepStarted;
import io.superstep.event.GraphEvent.TaskCompleted;
import io.superstep.event.GraphEvent.TaskFailed;
import io.superstep.event.GraphEvent.TaskRetried;
import io.superstep.event.GraphEvent.TaskStarted;
import io.superstep.event.GraphEvent.TaskUpdated;
import io.superstep.event.GraphEvent.ThreadUpdated;
import io.superstep.event.Moment;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.Send;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import io.superstep.step.Superstep;
import io.superstep.value.Seeds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is hidden from callers is hidden from those who watch. */
class EventJsonHidingTests {

  private static final Channel<@Nullable Object> A = Channel.value("a", Object.class);
  private static final Channel<@Nullable Object> B = Channel.value("b", Object.class);
  private static final Channel<@Nullable Object> C = Channel.value("c", Object.class);
  private static final Channel<@Nullable Object> ARGUMENT =
      Channel.<Object>value("argument", Object.class).argument();
  private static final Channel<@Nullable Object> LIVE =
      Channel.<Object>value("live", Object.class).runtimeOnly();

  private static GraphBuilder graph(Channel<?>... channels) {
    return Graph.builder("sample")
        .channels(channels)
        .compute("work", state -> Update.NOTHING)
        .sequence(START, "work", END);
  }

  private static GraphBuilder around(Graph inner, Channel<?>... channels) {
    return graph(channels).subgraph("inner", inner).sequence(START, "inner", END);
  }

  private static GraphBuilder mappedAround(Graph inner, Channel<?>... channels) {
    return graph(channels)
        .subgraph("inner", inner, state -> Update.NOTHING, state -> Update.NOTHING)
        .sequence(START, "inner", END);
  }

  private static Moment at(String path) {
    return new Moment(path, 1, Instant.EPOCH);
  }

  private static Task task(@Nullable Update arguments) {
    return new Task("t", 1, 0, "work", arguments);
  }

  /** Every event that has something of the state in it, after {@code update}. */
  private static List<GraphEvent> events(String path, StateSchema schema, Update update) {
    Transition step = schema.start().fold(List.of(new Contribution("work", update)));
    return List.of(
        new TaskUpdated(at(path), 1, task(null), Execution.FIRST, update),
        new RunStarted(at(path), 1, null, null, step.changes(), step.state()),
        new StepCommitted(at(path), 2, null, null, step.changes(), step.state()),
        new ThreadUpdated(
            at(path),
            2,
            new CheckpointId(2, 1),
            new CheckpointId(1, 1),
            Cause.fork("ada", "a reason"),
            step.changes(),
            step.state(),
            new GraphEvent.Rebase(new CheckpointId(1, 1), step.changes())),
        new StateSnapshot(at(path), 2, new CheckpointId(2, 1), step.state()),
        completed(path, step.state()));
  }

  private static RunCompleted completed(String path, State state) {
    Graph any = Graph.builder("any")
        .schema(state.schema())
        .compute("work", seen -> Update.NOTHING)
        .sequence(START, "work", END)
        .build();
    return new RunCompleted(
        at(path), 3, Superstep.open(any, "t", state, Update.NOTHING).position(), null, List.of());
  }

  /** Which of the channels that {@code inner} has are shown in its events. */
  private static Set<String> shown(Graph top, String path, Graph inner) {
    Update update = inner.schema().channels().stream()
        .filter(channel -> channel.lifetime() != Channel.Lifetime.ARGUMENT)
        .map(channel -> Update.of(channel.name(), "<" + channel.name() + ">"))
        .reduce(Update.NOTHING, Update::and);
    List<Set<String>> each = new ArrayList<>();
    for (GraphEvent event : events(path, inner.schema(), update)) {
      String text = EventJson.of(top).withOutput().text(event);
      Set<String> seen = new TreeSet<>();
      inner.schema().channels().stream()
          .map(Channel::name)
          .filter(name -> text.contains("\"" + name + "\"") || text.contains("<" + name + ">"))
          .forEach(seen::add);
      each.add(seen);
    }
    assertThat(each).as("the same in every kind of event").containsOnly(each.get(0));
    return each.get(0);
  }

  @Test
  @DisplayName("E19 without an output view every channel is shown, with one only those it names")
  void theOutputViewDecides() {
    Graph open = graph(A, B).build();
    Graph narrow = graph(A, B).output(B).build();

    assertThat(shown(open, "", open)).containsExactly("a", "b");
    assertThat(shown(narrow, "", narrow)).containsExactly("b");
  }

  @Test
  @DisplayName("E19 what lives only as long as a run is never shown, not even by a view")
  void whatIsNeverStoredIsNeverShown() {
    Graph open = graph(A, LIVE).build();
    Graph naming = graph(A, LIVE).output(A, LIVE).build();

    assertThat(shown(open, "", open)).containsExactly("a");
    assertThat(shown(naming, "", naming)).containsExactly("a");
  }

  @Test
  @DisplayName("E19 arguments of sends are never shown, not even by a view")
  void argumentsAreNeverShown() {
    Graph naming = graph(A, ARGUMENT).output(A, ARGUMENT).build();
    Task sent = task(Update.of(ARGUMENT, "secret"));
    State seen = sent.sees(naming.schema().start());

    List<GraphEvent> events = List.of(
        new StepStarted(at(""), 1, List.of(sent)),
        new TaskStarted(at(""), 2, sent, Execution.FIRST),
        new TaskUpdated(at(""), 3, sent, Execution.FIRST, Update.of(ARGUMENT, "secret")),
        new TaskRetried(at(""), 3, sent, Execution.FIRST, new IllegalStateException()),
        new TaskFailed(at(""), 3, sent, Execution.FIRST, new IllegalStateException()),
        new TaskCompleted(at(""), 3, sent, Execution.FIRST, false, null),
        completed("", seen));

    assertThat(events)
        .extracting(EventJson.of(naming).withOutput()::text)
        .allSatisfy(text -> assertThat(text).doesNotContain("secret", "argument"));
  }

  @Test
  @DisplayName("E19 where a run stands is not shown: sends that are due carry arguments")
  void thePositionIsNotShown() {
    Graph sending = Graph.builder("sending")
        .channels(A, ARGUMENT)
        .compute("work", state -> Update.NOTHING)
        .fanOut(START, Graph.to("work"), state -> List.of(Send.to("work", ARGUMENT, "secret")))
        .edge("work", END)
        .build();
    RunCompleted ended = new RunCompleted(
        at(""),
        1,
        Superstep.open(sending, "t", sending.schema().start(), Update.NOTHING).position(),
        null,
        List.of());

    assertThat(ended.position().due()).hasSize(1);
    assertThat(EventJson.of(sending).withOutput().text(ended)).doesNotContain("secret");
  }

  @Test
  @DisplayName("E19 stored channels that the schema does not know are not shown")
  void strangersAreNotShown() {
    JsonCodec wider = JsonCodec.of(StateSchema.of(A, B));
    State stored = Texts.fold(StateSchema.of(A, B).start(), Update.of(A, 1).and(B, "secret"));
    Graph graph = graph(A).build();
    State state = JsonCodec.of(graph.schema()).decode(wider.encode(stored));

    assertThat(EventJson.of(graph).withOutput().text(completed("", state)))
        .contains("\"output\":{\"a\":1}")
        .doesNotContain("secret");
  }

  @Test
  @DisplayName("E19 of a nested graph its own view counts")
  void theViewOfANestedGraphCounts() {
    Graph inner = graph(A, B).output(A).build();

    assertThat(shown(around(inner, A, B).build(), "inner/", inner)).containsExactly("a");
    assertThat(shown(mappedAround(inner, A, B).build(), "inner/", inner)).containsExactly("a");
  }

  @Test
  @DisplayName("E19 of a nested graph the view of the graph around it counts as well")
  void theViewAroundANestedGraphCounts() {
    Graph inner = graph(A, B, C).build();

    assertThat(shown(around(inner, A).build(), "inner/", inner)).containsExactly("a", "b", "c");
    assertThat(shown(around(inner, A, B).output(A).build(), "inner/", inner)).containsExactly("a");
    assertThat(shown(mappedAround(inner, A, B).output(B).build(), "inner/", inner))
        .containsExactly("b");
  }

  @Test
  @DisplayName("E19 a view that names all channels of its graph hides what only a nested graph has")
  void aFullViewIsAViewAllTheSame() {
    Graph inner = graph(A, B).build();

    assertThat(shown(around(inner, A).output(A).build(), "inner/", inner)).containsExactly("a");
  }

  @Test
  @DisplayName("E19 the views of all graphs around a nested graph count, however deep it is")
  void allViewsAroundCount() {
    Graph leaf = graph(A, B, C).build();
    Graph middle = around(leaf, A, B, C).build();
    Graph top = around(middle, A, B, C).output(C).build();
    Graph narrowMiddle = around(leaf, A, B, C).output(A, B).build();

    assertThat(shown(top, "inner/inner/", leaf)).containsExactly("c");
    assertThat(shown(around(narrowMiddle, A, B, C).output(B, C).build(), "inner/inner/", leaf))
        .containsExactly("b");
  }

  @Test
  @DisplayName("E19 of a foreign error only the type is shown, never a message")
  void theMessagesOfForeignErrorsAreNotShown() {
    Graph graph = graph(A).build();
    IllegalStateException error =
        new IllegalStateException("secret", new IllegalArgumentException("secret"));
    error.addSuppressed(new IllegalArgumentException("secret"));

    List<GraphEvent> events = List.of(
        new TaskRetried(at(""), 1, task(null), Execution.FIRST, error),
        new TaskCompleted(at(""), 1, task(null), Execution.FIRST, false, error),
        new TaskFailed(at(""), 1, task(null), Execution.FIRST, error));

    assertThat(events)
        .extracting(EventJson.of(graph)::text)
        .allSatisfy(text -> assertThat(text)
            .contains("{\"type\":\"IllegalStateException\"}")
            .doesNotContain("secret"));
  }

  @Test
  @DisplayName("E19 what a check says is not shown, since it may quote a value")
  void complaintsAreNotShown() {
    Channel<@Nullable String> mail =
        Channel.value("mail", String.class).refusing(value -> "No address: " + value);
    Graph open = graph(A, mail).build();
    InvalidUpdateException refused = catchThrowableOfType(
        InvalidUpdateException.class,
        () -> open.schema()
            .start()
            .fold(List.of(new Contribution("work", Update.of(mail, "secret")))));
    TaskFailed failed = new TaskFailed(at(""), 1, task(null), Execution.FIRST, refused);

    assertThat(EventJson.of(open).text(failed))
        .contains("{\"type\":\"InvalidUpdateException\",\"codes\":[\"SG-214\"]}")
        .doesNotContain("secret");
  }

  @Test
  @DisplayName("E19 whatever the views and values are, a value is shown where all views show it")
  void exactlyWhatAllViewsShowIsShown() {
    Seeds.each(400, random -> {
      List<Level> levels = levels(random);
      EventJson json = EventJson.of(levels.get(0).graph()).withOutput();
      String path = "";
      for (int depth = 0; depth < levels.size(); depth++) {
        Level level = levels.get(depth);
        Map<String, String> marks = new LinkedHashMap<>();
        Update update = Update.NOTHING;
        for (Channel<?> channel : level.graph().schema().channels()) {
          String mark = "mark" + depth + channel.name() + random.nextInt(1000);
          marks.put(channel.name(), mark);
          if (channel != ARGUMENT) {
            update = update.and(Update.of(channel.name(), around(mark, random)));
          }
        }
        Set<String> shown = new TreeSet<>(marks.keySet());
        shown.removeAll(Set.of("argument", "live"));
        levels.subList(0, depth + 1).forEach(each -> each.narrow(shown));
        for (GraphEvent event : events(path, level.graph().schema(), update)) {
          String text = json.text(event);
          Set<String> seen = new TreeSet<>(marks.keySet());
          seen.removeIf(name -> !text.contains(marks.get(name)));
          assertThat(seen).isEqualTo(shown);
        }
        path += "inner/";
      }
    });
  }

  /** One graph of a nest. */
  private record Level(Graph graph, @Nullable Set<String> view) {

    void narrow(Set<String> shown) {
      if (view != null) {
        shown.retainAll(view);
      }
    }
  }

  /** Graphs in each other, outermost first, with views by chance. */
  private static List<Level> levels(Random random) {
    List<Level> levels = new ArrayList<>();
    for (int left = 1 + random.nextInt(4); left > 0; left--) {
      List<Channel<?>> channels = new ArrayList<>(List.of(A, B, C, ARGUMENT, LIVE));
      channels.removeIf(channel -> channel != A && random.nextInt(4) == 0);
      Channel<?>[] declared = channels.toArray(Channel<?>[]::new);
      GraphBuilder builder = graph(declared);
      if (!levels.isEmpty()) {
        Graph inner = levels.get(0).graph();
        builder = random.nextBoolean() ? around(inner, declared) : mappedAround(inner, declared);
      }
      Set<String> view = null;
      if (random.nextBoolean()) {
        channels.removeIf(channel -> random.nextInt(3) == 0);
        view = channels.stream().map(Channel::name).collect(Collectors.toSet());
        builder.output(channels.toArray(Channel<?>[]::new));
      }
      levels.add(0, new Level(builder.build(), view));
    }
    return levels;
  }

  /** A value with {@code mark} somewhere in it. */
  private static Object around(String mark, Random random) {
    return switch (random.nextInt(5)) {
      case 0 -> mark;
      case 1 -> List.of(1, around(mark, random));
      case 2 -> Map.of("key", around(mark, random));
      case 3 -> Map.of(mark, 1);
      default -> Set.of(mark);
    };
  }
}
