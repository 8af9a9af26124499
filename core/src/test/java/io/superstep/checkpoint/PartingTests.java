package io.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.Cause.Source;
import io.superstep.state.Changes;
import io.superstep.state.Effect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PartingTests {

  private final List<Checkpoint> newestFirst = new ArrayList<>();

  private static CheckpointId id(int sequence) {
    return new CheckpointId(sequence, 1);
  }

  private static @Nullable CheckpointId idOrNull(int sequence) {
    return sequence == 0 ? null : id(sequence);
  }

  /** Adds checkpoint {@code sequence}, which grew out of {@code parent}, 0 being nothing. */
  private void checkpoint(int sequence, int parent, Cause cause) {
    Changes changes = new Changes(Map.of("c" + sequence, Effect.replace(sequence)));
    newestFirst.add(
        0,
        new Checkpoint(
            "t",
            id(sequence),
            idOrNull(parent),
            cause,
            Instant.EPOCH,
            "",
            sequence,
            List.of(),
            changes,
            List.of()));
  }

  private void step(int sequence, int parent) {
    checkpoint(sequence, parent, Cause.STEP);
  }

  private void merge(int sequence, int parent, int source) {
    checkpoint(sequence, parent, Cause.merge(new Source("t", id(source)), "ada", null));
  }

  private int read;

  private Parting parting(int ours, int theirs) {
    Parting parting = new Parting(id(ours), id(theirs));
    for (Checkpoint checkpoint : newestFirst) {
      read++;
      if (parting.read(checkpoint)) {
        break;
      }
    }
    return parting;
  }

  private static List<String> names(List<Changes> changes) {
    return changes.stream().flatMap(each -> each.effects().keySet().stream()).toList();
  }

  @Test
  @DisplayName("S2.35 two ways part at the newest checkpoint on both, and reading stops behind it")
  void twoWays() {
    step(1, 0);
    step(2, 1);
    step(3, 2);
    step(4, 3);
    step(5, 2);
    step(6, 5);

    Parting parting = parting(6, 4);

    assertThat(parting.base()).isEqualTo(id(2));
    assertThat(parting.isCrossed()).isFalse();
    assertThat(names(parting.ours())).containsExactly("c5", "c6");
    assertThat(names(parting.theirs())).containsExactly("c3", "c4");
    assertThat(read).isEqualTo(5);
  }

  @Test
  @DisplayName("S2.35 one that lies on the way to the other is the base itself")
  void oneWay() {
    step(1, 0);
    step(2, 1);
    step(3, 2);

    assertThat(parting(3, 2).base()).isEqualTo(id(2));
    assertThat(parting(3, 3).base()).isEqualTo(id(3));
    assertThat(parting(3, 1).theirs()).isEmpty();
  }

  @Test
  @DisplayName("S2.35 where a merge took over the base, it has no changes of its own")
  void behindAMerge() {
    step(1, 0);
    step(2, 1);
    step(3, 1);
    merge(4, 3, 2);
    step(5, 4);
    step(6, 2);

    Parting again = parting(5, 2);
    assertThat(again.base()).isEqualTo(id(2));
    assertThat(again.theirs()).isEmpty();

    Parting more = parting(5, 6);
    assertThat(more.base()).isEqualTo(id(2));
    assertThat(more.isCrossed()).isFalse();
    assertThat(names(more.ours())).containsExactly("c3", "c5");
    assertThat(names(more.theirs())).containsExactly("c6");
  }

  @Test
  @DisplayName("S2.35 a branch that has merged a third one brings the changes of both")
  void mergedThirdBranch() {
    step(1, 0);
    step(2, 1);
    step(3, 1);
    merge(4, 2, 3);
    step(5, 1);

    Parting parting = parting(5, 4);

    assertThat(parting.base()).isEqualTo(id(1));
    assertThat(names(parting.theirs()))
        .as("3 by what the merge changed")
        .containsExactly("c2", "c4");
  }

  @Test
  @DisplayName("S2.35 ways that have taken over from each other have more than one base")
  void crossedWays() {
    step(1, 0);
    step(2, 1);
    step(3, 1);
    merge(4, 2, 3);
    merge(5, 3, 2);
    step(6, 5);

    assertThat(parting(6, 4).isCrossed()).isTrue();
  }

  @Test
  @DisplayName("S2.34 S2.35 ways whose common beginning was pruned have no base")
  void prunedBeginning() {
    step(2, 0);
    step(3, 0);
    step(4, 3);

    assertThat(parting(4, 2).base()).isNull();
  }

  @Test
  @DisplayName("S2.34 S2.35 a base that a merge took over is no change of the whole state")
  void prunedBehindAMerge() {
    step(3, 0);
    step(4, 0);
    step(5, 3);
    merge(6, 5, 4);
    step(7, 3);

    Parting parting = parting(6, 7);

    assertThat(parting.base()).isEqualTo(id(3));
    assertThat(parting.isCut()).isFalse();
    assertThat(names(parting.ours())).containsExactly("c5", "c6");
    assertThat(names(parting.theirs())).containsExactly("c7");
  }

  @Test
  @DisplayName("S2.34 S2.35 a way that has the base by a merge, and lost its beginning, is cut")
  void cutWays() {
    step(3, 0);
    step(4, 0);
    merge(5, 4, 3);
    step(6, 3);

    assertThat(parting(6, 5).isCut()).isTrue();
    assertThat(parting(5, 6).isCut()).isTrue();

    newestFirst.clear();
    step(3, 0);
    step(4, 3);
    merge(5, 3, 2);
    merge(6, 5, 4);
    step(7, 4);

    assertThat(parting(7, 6).base()).isEqualTo(id(4));
    assertThat(parting(7, 6).isCut()).as("2 is gone").isTrue();
  }

  @Test
  @DisplayName("S2.34 S2.35 where what a merge took over was pruned, its own changes stand for it")
  void prunedSource() {
    step(3, 0);
    merge(4, 3, 2);
    step(5, 3);

    Parting parting = parting(5, 4);

    assertThat(parting.base()).isEqualTo(id(3));
    assertThat(names(parting.theirs())).containsExactly("c4");
  }
}
