package io.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.suppressed;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Events;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

class DroppedSignalsTests {

  @Test
  void aDroppedErrorFailsItsTest() {
    Events tests = run(DropsAnError.class);

    tests
        .assertThatEvents()
        .haveExactly(
            1,
            event(finishedWithFailure(
                message(text -> text.contains("late")), suppressed(0, message("late")))));
  }

  @Test
  void aDroppedValueFailsItsTest() {
    Events tests = run(DropsAValue.class);

    tests
        .assertThatEvents()
        .haveExactly(1, event(finishedWithFailure(message(text -> text.contains("[value]")))));
  }

  @Test
  void aQuietTestPassesEvenAfterALoudOne() {
    assertThat(run(DropsAnError.class).failed().count()).isEqualTo(1);
    assertThat(run(DropsNothing.class).succeeded().count()).isEqualTo(1);
  }

  /** Runs a test that is meant to fail, out of sight of the extension that watches this one. */
  private static Events run(Class<?> test) {
    Hooks.resetOnErrorDropped();
    Hooks.resetOnNextDropped();
    return EngineTestKit.engine("junit-jupiter")
        .selectors(selectClass(test))
        .execute()
        .testEvents();
  }

  @ExtendWith(DroppedSignals.class)
  static class DropsAnError {
    @Test
    void drop() {
      Operators.onErrorDropped(new IllegalStateException("late"), Context.empty());
    }
  }

  @ExtendWith(DroppedSignals.class)
  static class DropsAValue {
    @Test
    void drop() {
      Operators.onNextDropped("value", Context.empty());
    }
  }

  @ExtendWith(DroppedSignals.class)
  static class DropsNothing {
    @Test
    void drop() {}
  }
}
