package io.superstep.testkit;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import reactor.core.publisher.Hooks;

/**
 * A JUnit extension that fails the test in which Reactor had to drop an error or a value because
 * nobody was left to receive it.
 *
 * <p>Use it with {@code @ExtendWith(DroppedSignals.class)}, or for all tests by JUnit's extension
 * detection ({@code junit.jupiter.extensions.autodetection.enabled = true}). Reactor's hooks are
 * global, so tests that run at the same time in one JVM share the blame.
 */
public final class DroppedSignals implements BeforeEachCallback, AfterEachCallback {

  private final Queue<Object> dropped = new ConcurrentLinkedQueue<>();

  @Override
  public void beforeEach(ExtensionContext context) {
    dropped.clear();
    Hooks.onErrorDropped(dropped::add);
    Hooks.onNextDropped(dropped::add);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Hooks.resetOnErrorDropped();
    Hooks.resetOnNextDropped();
    if (!dropped.isEmpty()) {
      AssertionError failure =
          new AssertionError("Reactor dropped " + dropped + ": a signal arrived after its end.");
      dropped.forEach(signal -> {
        if (signal instanceof Throwable error) {
          failure.addSuppressed(error);
        }
      });
      throw failure;
    }
  }
}
