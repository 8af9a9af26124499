package io.superstep.reactor;

import io.superstep.checkpoint.Task;
import java.time.Duration;
import reactor.util.Logger;
import reactor.util.Loggers;

/** The log message about a task that has signalled nothing for long. */
final class StalledTask {

  /** The name of the logger. */
  static final String LOGGER = "io.superstep.stalled";

  private StalledTask() {}

  static void report(Run run, Task task, int attempt, Duration silence) {
    Logger log = Loggers.getLogger(LOGGER);
    log.warn(
        "Node '{}' of graph '{}' has signalled nothing for {} (task {}, attempt {}). It is not ended."
            + " If its error was thrown on another thread, Reactor has logged it; to bound its time,"
            + " set a timeout or an idle timeout.",
        run.path() + task.node(),
        run.graph().name(),
        silence,
        task.id(),
        attempt);
  }
}
