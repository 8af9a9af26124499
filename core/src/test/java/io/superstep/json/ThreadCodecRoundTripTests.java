package io.superstep.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.LogEntry;
import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.SavedThread;
import io.superstep.error.Attribution;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ThreadCodecRoundTripTests {

  private static final int THREADS = 150;
  private static final int STEPS = 12;
  private static final ThreadCodec CODEC = ThreadCodec.create();

  /** Each channel with what can be written to it. */
  private static final Map<Channel<?>, Function<RandomValues, @Nullable Object>> CHANNELS =
      new LinkedHashMap<>();

  static {
    CHANNELS.put(Channel.value("any", Object.class), RandomValues::any);
    CHANNELS.put(Channel.text("text"), RandomValues::text);
    CHANNELS.put(Channel.sum("sum", Integer.class), values -> values.size(9));
    CHANNELS.put(Channel.value("bytes", byte[].class), RandomValues::bytes);
    CHANNELS.put(Channel.value("record", RandomValues.Everything.class), RandomValues::everything);
    CHANNELS.put(Channel.deepMap("deep"), RandomValues::anything);
    CHANNELS.put(Channel.messages("messages"), values -> values.list(values::message));
    CHANNELS.put(Channel.set("names", String.class), values -> values.set(values::text));
    CHANNELS.put(Channel.list("log", String.class), values -> values.list(values::text));
    CHANNELS.put(Channel.value("next", Integer.class).ephemeral(), RandomValues::integer);
  }

  private static final StateSchema SCHEMA =
      StateSchema.of(CHANNELS.keySet().toArray(new Channel<?>[0]));
  private static final Schemas SCHEMAS = Schemas.of(SCHEMA);

  private static Transition step(State state, RandomValues values) {
    List<Contribution> contributions = new ArrayList<>();
    for (int writer = values.size(3); writer >= 0; writer--) {
      Update update = Update.NOTHING;
      for (Map.Entry<Channel<?>, Function<RandomValues, @Nullable Object>> entry :
          CHANNELS.entrySet()) {
        boolean once = writer == 0;
        if (values.size(3) == 0 && (once || entry.getKey().name().matches("sum|log|names|text"))) {
          update = update.and(Update.of(entry.getKey().name(), entry.getValue().apply(values)));
        }
      }
      contributions.add(new Contribution("seeded", update));
    }
    return state.fold(contributions);
  }

  private static Position position(State state, int step, RandomValues values) {
    return new Position(
        values.text() + "/1-1",
        step,
        state,
        values.list(() -> Due.by(values.text())),
        values.list(values::text),
        values.map(values::name, () -> values.set(values::text)),
        values.map(values::name, () -> values.size(5)),
        Pause.of(values.list(values::text), values.list(values::text)));
  }

  private static Commit commit(
      int number, @Nullable CheckpointId parent, Transition step, RandomValues values) {
    Instant time = Instant.ofEpochSecond(values.integer(), values.size(1_000_000_000));
    return new Commit(
        new CheckpointId(number, 1),
        parent,
        parent,
        Cause.update(
            Attribution.storedName(values.text()), Attribution.storedReason(values.text())),
        time,
        values.text(),
        step.changes(),
        position(step.state(), number, values),
        List.of(),
        List.of(),
        null,
        null,
        List.of());
  }

  @Test
  @DisplayName("S2.37 any thread is folded back from any snapshot, with any base, by any schema")
  void threadsComeBack() {
    for (long seed = 0; seed < THREADS; seed++) {
      RandomValues values = new RandomValues(seed);
      Random random = new Random(seed);
      List<byte[]> entries = new ArrayList<>();
      Transition step = step(SCHEMA.start(), values);
      Commit commit = commit(1, null, step, values);
      entries.add(CODEC.encode(commit, SCHEMAS));
      byte[] snapshot = null;
      int from = 0;
      for (int number = 2; number <= STEPS; number++) {
        if (random.nextInt(4) == 0) {
          snapshot = CODEC.encode(step.state(), SCHEMAS);
          from = entries.size();
        }
        step = step(step.state(), values);
        commit = commit(number, commit.id(), step, values);
        entries.add(CODEC.encode(commit, SCHEMAS));
      }

      String as = "thread of seed " + seed;
      requireSame(as, commit, loaded(null, entries));
      requireSame(as, commit, loaded(snapshot, entries.subList(from, entries.size())));
      requireSame(as, commit, loaded(null, List.of(rebased(entries))));
    }
  }

  private static SavedThread loaded(byte @Nullable [] snapshot, List<byte[]> entries) {
    return CODEC.decodeThread("t", snapshot, entries, List.of(), SCHEMAS);
  }

  /** Folded by somebody who knows no channel. */
  private static byte[] rebased(List<byte[]> entries) {
    State state = null;
    LogEntry last = null;
    for (byte[] entry : entries) {
      last = CODEC.decodeEntry(entry, Schemas.NONE);
      state = last.after(state);
    }
    return CODEC.encode(last.asBase(state), Schemas.NONE);
  }

  private static void requireSame(String as, Commit live, SavedThread read) {
    assertThat(read.position()).as(as).isEqualTo(live.position());
    assertThat(read.position().state().toString())
        .as(as)
        .isEqualTo(live.position().state().toString());
    assertThat(read.checkpoint().time()).as(as).isEqualTo(live.time());
  }
}
