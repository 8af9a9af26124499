package io.superstep.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.state.InvalidUpdateException;
import io.superstep.state.Update;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Runs whose input is null. */
@SuppressWarnings("NullAway") // as code without nullness annotations does
class MissingInputTests extends OnAThread {

  private static void verifyRefused(ThrowingCallable call) {
    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(call)
        .satisfies(refused -> assertThat(refused.code()).isEqualTo("SG-202"))
        .withMessageContaining("Update.NOTHING");
  }

  @Test
  @DisplayName("S2.20 an input that is null is refused when the method is called")
  void refused() {
    GraphRunner runner = GraphRunner.of(Graphs.counting(1));
    GraphThread thread = thread(Graphs.counting(1));

    verifyRefused(() -> runner.run(null));
    verifyRefused(() -> runner.stream(null));
    verifyRefused(() -> thread.run(null));
    verifyRefused(() -> thread.stream(null));
    verifyRefused(() -> thread.start((Update) null));
    verifyRefused(() -> thread.queue(null, "ada"));
  }
}
