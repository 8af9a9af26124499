package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Cause.Source;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.MergeConflictException;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.UnknownCheckpointException;
import io.superstep.checkpoint.UnknownThreadException;
import io.superstep.checkpoint.UnmergeableException;
import io.superstep.graph.Graph;
import io.superstep.state.Channel;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.ListChannel;
import io.superstep.state.Merge.Winner;
import io.superstep.state.State;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MergingTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ListChannel<String> ITEMS = Channel.list("items", String.class);
  private static final Channel<@Nullable String> TITLE = Channel.value("title", String.class);
  private static final Channel<@Nullable String> OWNER = Channel.value("owner", String.class);
  private static final Channel<Integer> SIZE =
      Channel.sum("size", Integer.class).validated("up to 100", size -> size <= 100);

  private final AtomicInteger calls = new AtomicInteger();
  private final Graph graph = Graph.builder("shop")
      .channels(ITEMS, TITLE, OWNER, SIZE)
      .check(
          "title",
          "a title has an owner of its own",
          state -> state.get(TITLE) == null || !state.get(TITLE).equals(state.get(OWNER)))
      .compute("a", state -> Update.append(ITEMS, "a"))
      .compute("b", state -> {
        calls.incrementAndGet();
        return Update.append(ITEMS, "b");
      })
      .sequence(START, "a", "b", END)
      .interruptBefore("b")
      .build();
  private final GraphThread thread = GraphRunner.builder(graph)
      .checkpoints(new InMemoryCheckpointStore())
      .build()
      .thread("t");

  private CheckpointId update(Update change) {
    return thread.update(change, "ada", null).block(PATIENCE).id();
  }

  /** Forks without going on: a graph that pauses before b pauses again. */
  private CheckpointId fork(CheckpointId from, Update change) {
    RunOptions options = RunOptions.NONE.stoppedBy(stopped());
    thread.fork(from, change, "ada", null, options).blockLast(PATIENCE);
    return thread.state().block(PATIENCE).checkpoint().id();
  }

  private static Stop stopped() {
    Stop stop = new Stop();
    stop.request();
    return stop;
  }

  private CheckpointId begun() {
    thread.run(Update.NOTHING).block(PATIENCE);
    return thread.state().block(PATIENCE).checkpoint().id();
  }

  private State state() {
    return thread.state().block(PATIENCE).position().state();
  }

  @Test
  @DisplayName("S2.35 a adds item 1, b adds item 2, and the merge has both")
  void bothItems() {
    CheckpointId base = begun();
    CheckpointId a = update(Update.append(ITEMS, "1").and(SIZE, 1));
    CheckpointId b = fork(base, Update.append(ITEMS, "2").and(SIZE, 1).and(TITLE, "two"));

    Checkpoint merge = thread.merge(a, "ada", "both were right").block(PATIENCE);

    assertThat(merge.parent()).isEqualTo(b);
    assertThat(merge.cause()).isEqualTo(Cause.merge(new Source("t", a), "ada", "both were right"));
    assertThat(merge.changes().effects()).containsOnlyKeys("items", "size");
    assertThat(state().get(ITEMS)).containsExactly("a", "2", "1");
    assertThat(state().get(SIZE)).isEqualTo(2);
    assertThat(state().get(TITLE)).isEqualTo("two");
    assertThat(thread.state(a).block(PATIENCE).position().state().get(ITEMS))
        .containsExactly("a", "1");
  }

  @Test
  @DisplayName(
      "S2.35 two edits of a last-value field are told, all of them, and nothing is written")
  void conflicts() {
    CheckpointId base = begun();
    CheckpointId a = update(
        Update.of(TITLE, "private a").and(OWNER, "private c").and(Update.append(ITEMS, "1")));
    CheckpointId b = fork(base, Update.of(TITLE, "private b").and(OWNER, "private d"));

    assertThatExceptionOfType(MergeConflictException.class)
        .isThrownBy(() -> thread.merge(a, "ada", null).block(PATIENCE))
        .withMessageContaining("SG-410")
        .withMessageContaining(a.toString())
        .withMessageContaining(b.toString())
        .withMessageContaining("since checkpoint " + base)
        .withMessageNotContaining("private")
        .satisfies(conflict -> assertThat(conflict.channels()).containsExactly("title", "owner"));
    assertThat(thread.state().block(PATIENCE).checkpoint().id()).isEqualTo(b);

    thread
        .merge(a, Map.of("title", Winner.THEIRS, "owner", Winner.OURS), "ada", null)
        .block(PATIENCE);
    assertThat(state().get(TITLE)).isEqualTo("private a");
    assertThat(state().get(OWNER)).isEqualTo("private d");
    assertThat(state().get(ITEMS)).containsExactly("a", "1");
  }

  @Test
  @DisplayName("S2.35 what is due stays that of the head, and runs once")
  void due() {
    CheckpointId base = begun();
    thread.resume().blockLast(PATIENCE);
    CheckpointId done = thread.state().block(PATIENCE).checkpoint().id();
    fork(base, Update.append(ITEMS, "mine"));

    thread.merge(done, "ada", null).block(PATIENCE);

    SavedThread merged = thread.state().block(PATIENCE);
    assertThat(merged.position().nodes()).containsExactly("b");
    assertThat(merged.position().state().get(ITEMS)).containsExactly("a", "mine", "b");
    thread.resume().blockLast(PATIENCE);
    assertThat(state().get(ITEMS)).containsExactly("a", "mine", "b", "b");
    assertThat(calls).hasValue(2);
  }

  @Test
  @DisplayName("E12 S2.35 what has ended of a failed step stays so when a branch is merged into it")
  void keepsOutcomes() {
    AtomicBoolean broken = new AtomicBoolean(true);
    Graph failing = Graph.builder("shop")
        .channels(ITEMS, TITLE, OWNER, SIZE)
        .compute("good", state -> {
          calls.incrementAndGet();
          return Update.append(ITEMS, "good");
        })
        .compute("bad", state -> {
          if (broken.get()) {
            throw new IllegalStateException("broken");
          }
          return Update.NOTHING;
        })
        .edge(START, "good")
        .edge(START, "bad")
        .edge("good", END)
        .edge("bad", END)
        .build();
    GraphThread thread = GraphRunner.builder(failing)
        .checkpoints(new InMemoryCheckpointStore())
        .build()
        .thread("t");
    thread.run(Update.NOTHING).onErrorComplete().block(PATIENCE);
    CheckpointId a =
        thread.update(Update.append(ITEMS, "a"), "ada", null).block(PATIENCE).id();
    thread.fork(CheckpointId.parse("1-1"), Update.NOTHING).onErrorComplete().blockLast(PATIENCE);
    assertThat(calls).hasValue(2);

    thread.merge(a, "ada", null).block(PATIENCE);
    broken.set(false);
    thread.resume().blockLast(PATIENCE);

    assertThat(calls).hasValue(2);
    assertThat(thread.state().block(PATIENCE).position().state().get(ITEMS))
        .containsExactly("a", "good");
  }

  @Test
  @DisplayName("S2.35 a branch that has grown is merged again, without what was taken before")
  void mergedAgain() {
    CheckpointId base = begun();
    CheckpointId a = update(Update.append(ITEMS, "1").and(TITLE, "one"));
    CheckpointId more = update(Update.append(ITEMS, "2").and(TITLE, "two"));
    fork(base, Update.append(ITEMS, "mine"));
    thread.merge(a, "ada", null).block(PATIENCE);

    assertThatExceptionOfType(UnmergeableException.class)
        .isThrownBy(() -> thread.merge(a, "ada", null).block(PATIENCE))
        .withMessageContaining("SG-411");
    thread.merge(more, "ada", null).block(PATIENCE);

    assertThat(state().get(ITEMS)).containsExactly("a", "mine", "1", "2");
    assertThat(state().get(TITLE)).isEqualTo("two");
  }

  @Test
  @DisplayName("S2.35 what cannot be merged is refused, and nothing is written")
  void refusals() {
    assertThatExceptionOfType(UnknownThreadException.class)
        .isThrownBy(() -> thread.merge(CheckpointId.parse("1-1"), "ada", null).block(PATIENCE));
    CheckpointId base = begun();
    CheckpointId a = update(Update.of(SIZE, 60));
    CheckpointId b = fork(base, Update.of(SIZE, 60));

    assertThatExceptionOfType(UnknownCheckpointException.class)
        .isThrownBy(() -> thread.merge(CheckpointId.parse("77-1"), "ada", null).block(PATIENCE));
    assertThatExceptionOfType(UnmergeableException.class)
        .isThrownBy(() -> thread.merge(b, "ada", null).block(PATIENCE));
    assertThatExceptionOfType(UnmergeableException.class)
        .isThrownBy(() -> thread.merge(base, "ada", null).block(PATIENCE));
    assertThatExceptionOfType(InvalidUpdateException.class)
        .as("the check of the channel")
        .isThrownBy(() -> thread.merge(a, "ada", null).block(PATIENCE))
        .withMessageContaining("up to 100");
    CheckpointId c = fork(base, Update.of(TITLE, "eve"));
    CheckpointId d = fork(base, Update.of(OWNER, "eve"));
    assertThatExceptionOfType(InvalidUpdateException.class)
        .as("the check of the schema")
        .isThrownBy(() -> thread.merge(c, "ada", null).block(PATIENCE))
        .withMessageContaining("SG-220");
    thread.prune(Retention.last(2)).block(PATIENCE);
    assertThatExceptionOfType(UnmergeableException.class)
        .as("where they parted is gone")
        .isThrownBy(() -> thread.merge(c, "ada", null).block(PATIENCE))
        .withMessageContaining("or a checkpoint that one of them merged, was removed.");
    assertThat(thread.state().block(PATIENCE).checkpoint().id()).isEqualTo(d);
  }

  @Test
  @DisplayName("S2.35 a branch that was told who wins is merged or in conflict, never a crash")
  void mergedAfterWinners() {
    CheckpointId base = begun();
    CheckpointId a = update(Update.overwrite(ITEMS, List.of("1", "2", "3")));
    fork(base, Update.append(ITEMS, "mine"));
    CheckpointId merged = thread
        .merge(a, Map.of("items", Winner.OURS), "ada", null)
        .block(PATIENCE)
        .id();
    CheckpointId more = fork(a, Update.append(ITEMS, "more"));

    assertThatExceptionOfType(MergeConflictException.class)
        .isThrownBy(() -> thread.merge(merged, "ada", null).block(PATIENCE))
        .satisfies(conflict -> assertThat(conflict.channels()).containsExactly("items"));
    assertThat(thread.state().block(PATIENCE).checkpoint().id()).isEqualTo(more);
  }

  @Test
  @DisplayName("S2.34 S2.35 what a merge took over may have lost its beginning")
  void mergedAfterPruning() {
    CheckpointId base = begun();
    CheckpointId y0 = update(Update.append(ITEMS, "y0"));
    CheckpointId x1 = fork(base, Update.append(ITEMS, "x1"));
    CheckpointId y1 = fork(y0, Update.append(ITEMS, "y1"));
    CheckpointId z1 = fork(x1, Update.append(ITEMS, "z1").and(TITLE, "z"));
    fork(x1, Update.append(ITEMS, "x2"));
    CheckpointId merge = thread.merge(y1, "ada", null).block(PATIENCE).id();
    int left = (int) (merge.sequence() - x1.sequence() + 1);
    thread.prune(Retention.last(left)).block(PATIENCE);

    thread.merge(z1, "ada", null).block(PATIENCE);

    assertThat(state().get(ITEMS)).containsExactly("a", "x1", "x2", "y0", "y1", "z1");
    assertThat(state().get(TITLE)).isEqualTo("z");
  }

  @Test
  @DisplayName("S2.35 branches that have taken over from each other are refused")
  void crossed() {
    CheckpointId base = begun();
    CheckpointId a = update(Update.append(ITEMS, "1"));
    CheckpointId b = fork(base, Update.append(ITEMS, "2"));
    CheckpointId merged = thread.merge(a, "ada", null).block(PATIENCE).id();
    fork(a, Update.NOTHING);
    thread.merge(b, "ada", null).block(PATIENCE);

    assertThatExceptionOfType(UnmergeableException.class)
        .isThrownBy(() -> thread.merge(merged, "ada", null).block(PATIENCE))
        .withMessageContaining("from each other");
  }
}
