package io.superstep.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import reactor.core.publisher.Hooks;

/**
 * A JUnit extension that fails a test when Reactor had to drop an error or a value because nobody
 * was left to receive it.
 *
 * <p>It watches from its first test to the end of the test run, so a signal that comes late is not
 * lost: it fails the test that runs then or next, or the run itself if there is none. Reactor's
 * hooks belong to the whole JVM: while this extension watches, no other hook for dropped signals is
 * in place, and tests that run at the same time share the blame.
 *
 * <p>Use it with {@code @ExtendWith(DroppedSignals.class)}. Where JUnit's detection of extensions
 * is switched on ({@code junit.jupiter.extensions.autodetection.enabled = true}) it is found on the
 * class path and watches all tests.
 */
public final class DroppedSignals implements BeforeEachCallback, AfterEachCallback {

  private static final Queue<Object> DROPPED = new ConcurrentLinkedQueue<>();

  @Override
  public void beforeEach(ExtensionContext context) {
    context
        .getRoot()
        .getStore(Namespace.create(DroppedSignals.class))
        .getOrComputeIfAbsent(Watch.class, first -> new Watch(), Watch.class);
    // Again before each test: whoever resets Reactor's hooks takes ours along.
    watch();
    failIfAnyWasDropped("after an earlier test had ended");
  }

  @Override
  public void afterEach(ExtensionContext context) {
    failIfAnyWasDropped("by this test");
  }

  private static void watch() {
    Hooks.resetOnErrorDropped();
    Hooks.resetOnNextDropped();
    Hooks.onErrorDropped(DROPPED::add);
    Hooks.onNextDropped(DROPPED::add);
  }

  private static void failIfAnyWasDropped(String when) {
    List<Object> signals = new ArrayList<>();
    for (Object signal = DROPPED.poll(); signal != null; signal = DROPPED.poll()) {
      signals.add(signal);
    }
    if (!signals.isEmpty()) {
      AssertionError failure = new AssertionError("Reactor dropped " + signals + ", " + when + ".");
      for (Object signal : signals) {
        if (signal instanceof Throwable error) {
          failure.addSuppressed(error);
        }
      }
      throw failure;
    }
  }

  /** Ends with the test run, and tells what nobody else was left to tell. */
  private static final class Watch implements AutoCloseable {

    @Override
    public void close() {
      Hooks.resetOnErrorDropped();
      Hooks.resetOnNextDropped();
      failIfAnyWasDropped("after the last test had ended");
    }
  }
}
