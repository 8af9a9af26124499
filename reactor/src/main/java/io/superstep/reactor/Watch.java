package io.superstep.reactor;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/**
 * Looks on at one {@link Stage}: it is told of the stages that begin inside, and how its own ended.
 *
 * <p>The stages of one run begin and end one after the other, whatever the JVM thread; only
 * attempts after the first may begin while something else is told, and code of several tasks may be
 * entered at once.
 */
public interface Watch extends RunObserver {

  /** Ends the stage; called once, after all that it is told of stages inside. */
  void end(Ending ending, @Nullable Throwable error);

  /**
   * Called when a task has signalled nothing for {@code silence}. The task is not ended. Called on
   * the JVM thread of a timer, at the threshold of the runner and each time the silence has doubled
   * since.
   */
  default void stalled(Duration silence) {}

  /**
   * What code inside the stage sees as its Reactor Context; asked for attempts, and for tasks when
   * their handler speaks.
   *
   * @param context what it would see if nobody looked on
   */
  default Context lend(Context context) {
    return context;
  }

  /**
   * Called on the JVM thread on which code of the stage is about to be called: the function of a
   * node in its attempt, a handler in its task, reducers and routers in their step. What it returns
   * is closed there when that code has returned.
   */
  default Scope enter() {
    return () -> {};
  }

  /** Ends what {@link #enter} began. */
  @FunctionalInterface
  interface Scope extends AutoCloseable {

    @Override
    void close();
  }
}
