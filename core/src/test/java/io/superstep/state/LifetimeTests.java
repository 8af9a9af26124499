package io.superstep.state;

import static io.superstep.state.GraphAgentRowsTests.fold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Channels that do not live as long as their thread. */
class LifetimeTests {

  private static final Channel<Integer> COUNT = Channel.sum("count", Integer.class);

  @Nested
  class Ephemeral {

    private final Channel<String> hint =
        Channel.value("hint", String.class).startingAt("none").ephemeral();
    private final State start = StateSchema.of(COUNT, hint).start();

    @Test
    void isSeenInTheNextStepOnly() {
      State next = fold(start, Update.of(hint, "look left"));
      State afterThat = fold(next, Update.of(COUNT, 1));

      assertThat(next.get(hint)).isEqualTo("look left");
      assertThat(afterThat.get(hint)).isEqualTo("none");
    }

    @Test
    void staysIfItIsWrittenAgain() {
      State next = fold(start, Update.of(hint, "look left"));

      assertThat(fold(next, Update.of(hint, "look right")).get(hint)).isEqualTo("look right");
    }

    @Test
    void fadesOnceAndThenChangesNothing() {
      State next = fold(start, Update.of(hint, "look left"));

      Transition fading = next.fold(List.of());
      Transition quiet = fading.state().fold(List.of());

      assertThat(fading.changes().effects()).containsOnlyKeys("hint");
      assertThat(next.apply(fading.changes())).isEqualTo(fading.state());
      assertThat(quiet.changes().isEmpty()).isTrue();
    }
  }

  @Nested
  class Argument {

    private final Channel<@Nullable String> subject =
        Channel.value("subject", String.class).argument();
    private final State shared = StateSchema.of(COUNT, subject).start();

    @Test
    void isSeenByTheTaskItWasSentTo() {
      State task = shared.withArguments(Update.of(subject, "cats"));

      assertThat(task.get(subject)).isEqualTo("cats");
      assertThat(task.get(COUNT)).isZero();
      assertThat(shared.get(subject)).isNull();
    }

    @Test
    void cannotBeWritten() {
      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> fold(shared, Update.of(subject, "cats")))
          .satisfies(error -> assertThat(error.code()).isEqualTo("SG-217"));
    }

    @Test
    void isTheOnlyThingThatTravelsWithASend() {
      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> shared.withArguments(Update.of(COUNT, 1)))
          .satisfies(error -> assertThat(error.code()).isEqualTo("SG-218"));
      assertThatExceptionOfType(InvalidUpdateException.class)
          .isThrownBy(() -> shared.withArguments(Update.of("subject", 1)))
          .satisfies(error -> assertThat(error.code()).isEqualTo("SG-201"));
    }

    @Test
    void isNoOutput() {
      assertThat(shared.schema().output(shared)).containsOnlyKeys("count");
    }
  }
}
