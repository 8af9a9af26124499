package io.superstep.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.suppressed;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

class DroppedSignalsTests {

  @Test
  void aDroppedErrorFailsItsTest() {
    run(DropsAnError.class)
        .testEvents()
        .assertThatEvents()
        .haveExactly(
            1,
            event(finishedWithFailure(
                message(text -> text.contains("by this test")), suppressed(0, message("late")))));
  }

  @Test
  void aDroppedValueFailsItsTest() {
    run(DropsAValue.class)
        .testEvents()
        .assertThatEvents()
        .haveExactly(1, event(finishedWithFailure(message(text -> text.contains("[value]")))));
  }

  @Test
  void aQuietTestPassesEvenAfterALoudOne() {
    EngineExecutionResults results = run(DropsAnError.class, DropsNothing.class);

    assertThat(results.testEvents().failed().count()).isEqualTo(1);
    assertThat(results.testEvents().succeeded().count()).isEqualTo(1);
  }

  @Test
  void aSignalDroppedAfterItsTestFailsTheNextOne() {
    run(ADropsTooLate.class, DropsNothing.class)
        .testEvents()
        .assertThatEvents()
        .haveExactly(
            1,
            event(
                finishedWithFailure(message(text -> text.contains("an earlier test had ended")))));
  }

  @Test
  void aSignalDroppedAfterTheLastTestFailsTheRun() {
    run(ADropsTooLate.class)
        .allEvents()
        .assertThatEvents()
        .haveExactly(
            1,
            event(finishedWithFailure(message(text -> text.contains("the last test had ended")))));
  }

  @Test
  void aTestThatResetsTheHooksBlindsOnlyItself() {
    EngineExecutionResults results = run(AResetsTheHooks.class, DropsAnError.class);

    assertThat(results.testEvents().failed().count()).isEqualTo(1);
  }

  /** Runs tests of which some are meant to fail, in the order of their names. */
  private static EngineExecutionResults run(Class<?>... tests) {
    ClassSelector[] selectors = new ClassSelector[tests.length];
    for (int i = 0; i < tests.length; i++) {
      selectors[i] = selectClass(tests[i]);
    }
    return EngineTestKit.engine("junit-jupiter")
        .configurationParameter(
            ClassOrderer.DEFAULT_ORDER_PROPERTY_NAME, ClassOrderer.ClassName.class.getName())
        .selectors(selectors)
        .execute();
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

  @ExtendWith(DroppedSignals.class)
  static class ADropsTooLate {
    @Test
    void quiet() {}

    @AfterAll
    static void drop() {
      Operators.onNextDropped("too late", Context.empty());
    }
  }

  @ExtendWith(DroppedSignals.class)
  static class AResetsTheHooks {
    @Test
    void reset() {
      Hooks.resetOnErrorDropped();
      Hooks.resetOnNextDropped();
    }
  }
}
