package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.UnmergeableException;
import io.superstep.graph.Graph;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.State;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Merges against a model: a checkpoint holds what was added on all ways to it, each once. */
class RandomMergesTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final ListChannel<String> ITEMS = Channel.list("items", String.class);
  private static final Channel<String> TEXT = Channel.text("text");
  private static final Channel<Integer> SUM = Channel.sum("sum", Integer.class);
  private static final Channel<Set<String>> SET = Channel.set("set", String.class);
  private static final Channel<Map<String, Integer>> MAP =
      Channel.map("map", String.class, Integer.class);
  private static final Graph GRAPH = Graph.builder("sample")
      .channels(ITEMS, TEXT, SUM, SET, MAP)
      .compute("a", state -> Update.NOTHING)
      .compute("b", state -> Update.NOTHING)
      .sequence(START, "a", "b", END)
      .interruptBefore("b")
      .build();

  private GraphThread thread = thread();
  private CheckpointId head = CheckpointId.parse("1-1");

  /** By checkpoint that is left, what was added on all ways to it. */
  private final Map<CheckpointId, Set<String>> added = new LinkedHashMap<>();

  private int merges;

  private static GraphThread thread() {
    return GraphRunner.builder(GRAPH)
        .checkpoints(new InMemoryCheckpointStore())
        .build()
        .thread("t");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName(
      "S2.34 S2.35 however branches are forked, merged and pruned, nothing is lost or twice")
  void likeTheModel(boolean pruned) {
    for (int seed = 0; seed < 200; seed++) {
      thread = thread();
      thread.run(Update.NOTHING).block(PATIENCE);
      added.clear();
      thread.history().toIterable().forEach(each -> added.put(each.id(), Set.of()));
      head = thread.state().block(PATIENCE).checkpoint().id();
      Random random = new Random(seed);
      StringBuilder tale = new StringBuilder("seed " + seed + ":");
      for (int move = 0; move < 14; move++) {
        tale.append(' ').append(moved(random, "i" + move + ".", pruned));
        requireAsAdded(thread.state().block(PATIENCE).position().state(), tale.toString());
      }
    }
    assertThat(merges).isGreaterThan(100);
  }

  /** Does something with the thread, and says what. */
  private String moved(Random random, String item, boolean pruned) {
    List<CheckpointId> ids = new ArrayList<>(added.keySet());
    CheckpointId other = ids.get(random.nextInt(ids.size()));
    Update update = Update.append(ITEMS, item)
        .and(TEXT, item)
        .and(SUM, 1)
        .and(SET, Set.of(item))
        .and(MAP, Map.of(item, 1));
    int kind = random.nextInt(10);
    if (kind < 3) {
      stands(thread.update(update, "ada", null).block(PATIENCE).id(), head, Set.of(item));
      return "update " + head;
    }
    if (kind < 6) {
      Stop stop = new Stop();
      stop.request();
      thread.fork(other, update, "ada", null, RunOptions.NONE.stoppedBy(stop)).blockLast(PATIENCE);
      stands(thread.state().block(PATIENCE).checkpoint().id(), other, Set.of(item));
      return "fork " + other + " " + head;
    }
    if (kind < 9) {
      return merged(other);
    }
    if (pruned) {
      thread.prune(Retention.last(2 + random.nextInt(6))).block(PATIENCE);
      added
          .keySet()
          .retainAll(
              thread.history().map(Checkpoint::id).collect(Collectors.toSet()).block(PATIENCE));
    }
    return "prune";
  }

  private String merged(CheckpointId other) {
    try {
      CheckpointId id = thread.merge(other, "ada", null).block(PATIENCE).id();
      stands(id, head, added.get(other));
      merges++;
      return "merge " + other + " " + head;
    } catch (UnmergeableException refused) {
      return "refused " + other;
    }
  }

  private void stands(CheckpointId id, CheckpointId parent, Set<String> more) {
    Set<String> all = new TreeSet<>(added.get(parent));
    all.addAll(more);
    added.put(id, all);
    head = id;
  }

  private void requireAsAdded(State state, String tale) {
    Set<String> expected = added.get(head);
    assertThat(state.get(ITEMS)).as(tale).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(state.get(TEXT).split("(?<=\\.)"))
        .as(tale)
        .containsExactlyInAnyOrder(
            expected.isEmpty() ? new String[] {""} : expected.toArray(new String[0]));
    assertThat(state.get(SUM)).as(tale).isEqualTo(expected.size());
    assertThat(state.get(SET)).as(tale).isEqualTo(expected);
    assertThat(state.get(MAP).keySet()).as(tale).isEqualTo(expected);
  }
}
