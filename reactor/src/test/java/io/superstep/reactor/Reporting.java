package io.superstep.reactor;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An observer that passes the events of its runner on, and looks at no stage. */
record Reporting(Consumer<RunnerEvent> events) implements Watch {

  @Override
  public Watch begin(Stage stage) {
    return this;
  }

  @Override
  public void end(Ending ending, @Nullable Throwable error) {}

  @Override
  public void onEvent(RunnerEvent event) {
    events.accept(event);
  }
}
