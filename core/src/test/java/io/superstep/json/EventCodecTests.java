package io.superstep.json;

import static io.superstep.json.Texts.bytes;
import static io.superstep.json.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunResumed;
import io.superstep.event.GraphEvent.StepCommitted;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.event.GraphEvent.TaskFailed;
import io.superstep.event.Moment;
import io.superstep.event.RecordedFailure;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EventCodecTests {

  private static final EventCodec CODEC = EventCodec.create();
  private static final ListChannel<String> LOG = Channel.list("log", String.class);
  private static final Channel<Long> COUNT = Channel.sum("count", Long.class);
  private static final Channel<@Nullable Object> CLIENT =
      Channel.value("client", Object.class).runtimeOnly();
  private static final StateSchema SCHEMA = StateSchema.of(LOG, COUNT, CLIENT);
  private static final Schemas SCHEMAS = Schemas.of(SCHEMA, Map.of("inner", Schemas.of(SCHEMA)));
  private static final Moment TOP = new Moment("", 1, Instant.EPOCH);
  private static final Moment INNER = new Moment("inner/", 1, Instant.EPOCH);

  /** A log as one on disk would keep it. */
  private static final class Log {

    private final List<EncodedEvent> facts = new ArrayList<>();
    private Footing footing = Footing.NONE;

    void append(GraphEvent event) {
      EncodedEvent encoded = CODEC.encode(event, footing, SCHEMAS);
      facts.add(encoded);
      footing = encoded.footing();
    }

    long size() {
      return facts.stream().mapToLong(fact -> fact.bytes().length).sum();
    }

    List<GraphEvent> read(int after) {
      int start = Math.min(after, facts.size() - 1);
      while (!facts.get(start).isKeyFrame()) {
        start--;
      }
      List<GraphEvent> events = new ArrayList<>();
      Footing footing = Footing.NONE;
      for (int index = start; index < facts.size(); index++) {
        DecodedEvent decoded = CODEC.decode(facts.get(index).bytes(), footing, SCHEMAS);
        footing = decoded.footing();
        if (index >= after) {
          events.add(decoded.event());
        }
      }
      return events;
    }
  }

  private static Position position(State state) {
    return new Position("t/1-1", 1, state, List.of(), List.of(), Map.of(), Map.of(), Pause.NONE);
  }

  private static Transition step(State state, Update update) {
    return SampleThread.step(state, update);
  }

  private static void requireSame(List<GraphEvent> events, Log log, int after) {
    List<GraphEvent> read = log.read(after);
    assertThat(read).isEqualTo(events.subList(after, events.size()));
    for (int index = 0; index < read.size(); index++) {
      State live = FactText.state(events.get(after + index));
      if (live != null) {
        assertThat(FactText.state(read.get(index)).toString()).isEqualTo(live.toString());
      }
    }
  }

  @Test
  @DisplayName("X.19 an event comes back with the time at which it was appended, if it has one")
  void appended() {
    GraphEvent event = new RunResumed(TOP, 3);
    GraphEvent appended = event.appendedAt(Instant.parse("2026-01-02T03:14:05.000678Z"));
    EncodedEvent encoded = CODEC.encode(appended, Footing.NONE, SCHEMAS);

    assertThat(text(encoded.bytes()))
        .isEqualTo("{\"v\":1,\"type\":\"run-resumed\",\"sequence\":3,\"key\":true,\"step\":1,"
            + "\"time\":\"1970-01-01T00:00:00Z\",\"appended\":\"2026-01-02T03:14:05.000678Z\"}");
    assertThat(CODEC.decode(encoded.bytes(), Footing.NONE, SCHEMAS).event()).isEqualTo(appended);
    assertThat(text(CODEC.encode(event, Footing.NONE, SCHEMAS).bytes())).doesNotContain("appended");
  }

  @Test
  @DisplayName("X.19 every kind of event comes back, errors as what was recorded of them")
  void everyKind() {
    Schemas schemas = SampleEvents.GRAPH.schemas();
    for (GraphEvent event : SampleEvents.all()) {
      EncodedEvent encoded = CODEC.encode(event, Footing.NONE, schemas);
      GraphEvent read = CODEC.decode(encoded.bytes(), Footing.NONE, schemas).event();
      EncodedEvent again = CODEC.encode(read, Footing.NONE, schemas);

      assertThat(text(again.bytes())).isEqualTo(text(encoded.bytes()));
      if (!text(encoded.bytes()).contains("\"error\"")) {
        assertThat(read).isEqualTo(event);
      }
    }
  }

  @Test
  @DisplayName(
      "X.19 a thread of many steps and turns costs what it told, and is read from anywhere")
  void linear() {
    Log log = new Log();
    List<GraphEvent> events = new ArrayList<>();
    State state = SCHEMA.start();
    for (int turn = 0; turn < 20; turn++) {
      events.add(new RunResumed(TOP, events.size() + 1));
      // as from a store on disk: equal, and not the same
      state = JsonCodec.of(SCHEMA).decode(JsonCodec.of(SCHEMA).encode(state)).stored();
      state = step(state, Update.append(LOG, "input " + turn)).state();
      for (int step = 0; step < 50; step++) {
        Transition next =
            step(state, Update.append(LOG, "x".repeat(100) + turn + "/" + step).and(COUNT, 1L));
        state = next.state();
        events.add(new StepCommitted(TOP, events.size() + 1, null, null, next.changes(), state));
      }
      events.add(new RunCompleted(TOP, events.size() + 1, position(state), null, List.of()));
    }
    events.forEach(log::append);

    long whole = JsonCodec.of(SCHEMA).encode(state).length;
    assertThat(log.size()).isLessThan(whole * 6);
    for (int after = 0; after < events.size(); after += 37) {
      requireSame(events, log, after);
    }
  }

  @Test
  @DisplayName("X.19 who begins to read does not have to read all of a long log")
  void keyFrames() {
    Log log = new Log();
    State state = SCHEMA.start();
    for (int step = 1; step <= 4_000; step++) {
      Transition next = step(state, Update.overwrite(LOG, List.of("x".repeat(90) + step)));
      state = next.state();
      log.append(new StepCommitted(TOP, step, null, null, next.changes(), state));
    }

    long keys = log.facts.stream().filter(EncodedEvent::isKeyFrame).count();
    assertThat(keys).isBetween(10L, 200L);
    int last = log.facts.size() - 1;
    while (!log.facts.get(last).isKeyFrame()) {
      last--;
    }
    assertThat(log.facts.size() - last).isLessThan(400);
  }

  @Test
  @DisplayName("X.19 graphs that run side by side at one path are each told by what they changed")
  void sideBySide() {
    Log log = new Log();
    List<GraphEvent> events = new ArrayList<>(List.of(new RunResumed(TOP, 1)));
    List<State> states = new ArrayList<>();
    for (int task = 0; task < 8; task++) {
      states.add(step(SCHEMA.start(), Update.append(LOG, "y".repeat(1_000) + task))
          .state());
    }
    Random random = new Random(1);
    for (int round = 0; round < 800; round++) {
      int task = random.nextInt(8);
      Transition next = step(states.get(task), Update.append(LOG, round + " by " + task));
      states.set(task, next.state());
      events.add(
          new StepCommitted(INNER, events.size() + 1, null, null, next.changes(), next.state()));
    }
    events.forEach(log::append);

    assertThat(log.size()).isLessThan(800 * 250);
    requireSame(events, log, 0);
    requireSame(events, log, 500);
  }

  @Test
  @DisplayName(
      "X.19 a state that does not follow is told so that it comes back, after a fork as well")
  void forks() {
    Log log = new Log();
    State base = step(SCHEMA.start(), Update.append(LOG, "a", "b")).state();
    Transition ours = step(base, Update.append(LOG, "ours"));
    Transition theirs = step(base, Update.overwrite(LOG, List.of("theirs")));
    Transition next = step(theirs.state(), Update.append(LOG, "next"));
    List<GraphEvent> events = List.of(
        new RunResumed(TOP, 1),
        new StepCommitted(TOP, 2, null, null, ours.changes(), ours.state()),
        new RunResumed(TOP, 3),
        new StepCommitted(TOP, 4, null, null, next.changes(), next.state()),
        new RunCompleted(TOP, 5, position(base), null, List.of()));
    events.forEach(log::append);

    for (int after = 0; after < events.size(); after++) {
      requireSame(events, log, after);
    }
  }

  @Test
  @DisplayName("X.19 what lives only as long as a run is not kept")
  void runtimeChannels() {
    Transition next = step(SCHEMA.start(), Update.of(CLIENT, new Object()).and(COUNT, 1L));
    Log log = new Log();
    log.append(new StepCommitted(TOP, 1, null, null, next.changes(), next.state()));

    StepCommitted read = (StepCommitted) log.read(0).get(0);

    assertThat(read.state()).isEqualTo(next.state().stored());
    assertThat(read.changes().effects()).containsOnlyKeys("count");
  }

  @Test
  @DisplayName("Promise 9: a failure comes back as what is known of it, and no class is loaded")
  void failures() {
    Task task = new Task("t/1-1", 1, 0, "a", null);
    Exception failure = new IllegalStateException("broken", new OutOfMemoryError());
    EncodedEvent encoded = CODEC.encode(
        new TaskFailed(TOP, 1, task, new Execution(0, 2), failure), Footing.NONE, SCHEMAS);

    TaskFailed read =
        (TaskFailed) CODEC.decode(encoded.bytes(), Footing.NONE, SCHEMAS).event();
    TaskFailed strange = (TaskFailed) CODEC
        .decode(
            bytes(text(encoded.bytes())
                .replace("java.lang.IllegalStateException", "com.example.Gadget")),
            Footing.NONE,
            SCHEMAS)
        .event();

    RecordedFailure recorded = (RecordedFailure) read.error();
    assertThat(recorded.type()).isEqualTo("java.lang.IllegalStateException");
    assertThat(recorded.message()).contains("broken");
    assertThat(recorded.code()).isEqualTo("SG-424");
    assertThat(recorded.getCause().type()).isEqualTo("java.lang.OutOfMemoryError");
    assertThat(recorded.getCause().message()).isEmpty();
    assertThat(recorded).isEqualTo(RecordedFailure.of(failure)).isNotEqualTo(strange.error());
    assertThat(RecordedFailure.of(recorded)).isSameAs(recorded);
    assertThat(strange.error()).isInstanceOf(RecordedFailure.class);
  }

  @Test
  @DisplayName("Promise 8: a chunk that cannot be kept is a typed error that says what can")
  void chunks() {
    Task task = new Task("t/1-1", 1, 0, "a", null);
    TaskChunk chunk = new TaskChunk(TOP, 1, task, Execution.FIRST, 0, 0, List.of(new Object()));

    InvalidJsonException refused = catchThrowableOfType(
        InvalidJsonException.class, () -> CODEC.encode(chunk, Footing.NONE, SCHEMAS));

    assertThat(refused.code()).isEqualTo("SG-307");
  }

  @Test
  @DisplayName("Promise 8: an event that builds on one that was not read is a typed error")
  void groundless() {
    Log log = new Log();
    Transition first = step(SCHEMA.start(), Update.of(COUNT, 1L));
    Transition second = step(first.state(), Update.of(COUNT, 1L));
    log.append(new StepCommitted(TOP, 1, null, null, first.changes(), first.state()));
    log.append(new StepCommitted(TOP, 2, null, null, second.changes(), second.state()));

    InvalidJsonException refused = catchThrowableOfType(
        InvalidJsonException.class,
        () -> CODEC.decode(log.facts.get(1).bytes(), Footing.NONE, SCHEMAS));

    assertThat(refused.code()).isEqualTo("SG-310");
  }

  @Test
  @DisplayName("Promise 8: text that is cut off or tampered with is read, or is a typed error")
  void hostile() {
    Random random = new Random(5);
    Schemas schemas = SampleEvents.GRAPH.schemas();
    String[] parts = {"{", "}", "[", "null", "-1", "\"x\"", "true", ",", "9999999999"};
    for (GraphEvent event : SampleEvents.all()) {
      byte[] bytes = CODEC.encode(event, Footing.NONE, schemas).bytes();
      for (int length = 0; length < bytes.length; length++) {
        byte[] cut = Arrays.copyOf(bytes, length);
        assertThat(catchThrowable(() -> CODEC.decode(cut, Footing.NONE, schemas)))
            .isInstanceOf(InvalidJsonException.class);
      }
      for (int round = 0; round < 200; round++) {
        String text = text(bytes);
        int from = random.nextInt(text.length());
        int to = Math.min(text.length(), from + random.nextInt(12));
        String other =
            text.substring(0, from) + parts[random.nextInt(parts.length)] + text.substring(to);
        Throwable refused = catchThrowable(() -> CODEC.decode(bytes(other), Footing.NONE, schemas));
        if (refused != null) {
          assertThat(refused).as(other).isInstanceOf(InvalidJsonException.class);
        }
      }
    }
  }
}
