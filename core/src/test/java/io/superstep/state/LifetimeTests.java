package io.superstep.state;

import static io.superstep.state.StateTests.fold;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
  class EphemeralAndFolded {

    private final ListChannel<String> hints =
        Channel.list("hints", String.class).ephemeral();
    private final State start = StateSchema.of(COUNT, hints).start();

    @Test
    void startsAnewInEachStep() {
      State one = fold(start, Update.append(hints, "1"));
      State two = fold(one, Update.append(hints, "2"), Update.append(hints, "3"));

      assertThat(two.get(hints)).containsExactly("2", "3");
    }

    @Test
    void fadesWhenNothingIsAdded() {
      State one = fold(start, Update.append(hints, "1"));

      Transition next = one.fold(List.of(new Contribution("a", Update.of(hints, List.of()))));

      assertThat(next.state().get(hints)).isEmpty();
      assertThat(one.apply(next.changes())).isEqualTo(next.state());
    }

    @Test
    void asksForItsStartOncePerRun() {
      AtomicInteger asked = new AtomicInteger();
      Channel<Integer> number = Channel.value("number", Integer.class)
          .startingWith(asked::incrementAndGet)
          .ephemeral();
      State run = StateSchema.of(COUNT, number).start();
      int atStart = asked.get();

      State written = fold(run, Update.of(number, 7));
      State faded = fold(written, Update.of(COUNT, 1));

      assertThat(asked).hasValue(atStart);
      assertThat(faded.get(number)).isEqualTo(run.get(number));
      assertThat(faded.fold(List.of()).changes().isEmpty()).isTrue();
    }

    @Test
    void cannotBeWrittenOnce() {
      assertThatExceptionOfType(InvalidSchemaException.class)
          .isThrownBy(() -> Channel.value("x", String.class).writeOnce().ephemeral());
      assertThatExceptionOfType(InvalidSchemaException.class)
          .isThrownBy(() -> Channel.value("x", String.class).ephemeral().writeOnce());
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
