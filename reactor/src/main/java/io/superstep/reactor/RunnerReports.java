package io.superstep.reactor;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Ticker;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.error.MessageText;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Operators;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.context.Context;

/**
 * Reports the events of one runner: each as one log message and one call of the observer.
 *
 * <p>A message names threads, runs and leases. Of an error it has the code and the text of the
 * problem, or the class: the messages of other exceptions may contain data. A failed detached run
 * is the exception: its error is logged with its stack trace, as no subscriber receives it, unless
 * the runner hides the messages of exceptions.
 *
 * <p>Conditions that each listing of threads finds again, such as a parked thread, are reported
 * once an hour.
 */
final class RunnerReports {

  /** The logger of runs without a subscriber. */
  static final String RUN = "io.superstep.run";

  /** The logger of leases. */
  static final String LEASE = "io.superstep.lease";

  /** The logger of {@link GraphRunner#recover()} and {@link GraphRunner#settleDue()}. */
  static final String RECOVERY = "io.superstep.recovery";

  /** The logger of runs that occupy a JVM thread for long. */
  static final String DRAIN = "io.superstep.drain";

  /** The codes of errors whose reason is the stored data of a thread. */
  private static final Set<String> UNREADABLE =
      Set.of("SG-302", "SG-303", "SG-305", "SG-309", "SG-310", "SG-311", "SG-455");

  /** The time for which an event of a repeated kind is not reported again. */
  private static final Duration INTERVAL = Duration.ofHours(1);

  /** The maximum number of repeated events that are remembered. */
  private static final int MAX_REMEMBERED = 10_000;

  private final String graph;
  private final @Nullable RunObserver observer;
  private final boolean hidesMessages;
  private final Lazy<Cache<String, Boolean>> reported;

  RunnerReports(
      String graph, @Nullable RunObserver observer, Ticker ticker, boolean hidesMessages) {
    this.graph = graph;
    this.observer = observer;
    this.hidesMessages = hidesMessages;
    this.reported = new Lazy<>(() -> BoundedCache.of(MAX_REMEMBERED, INTERVAL, ticker));
  }

  void detachedRunFailed(String thread, Throwable error) {
    report(new RunnerEvent.DetachedRunFailed(graph, thread, error), () -> {
      String message = "The detached run of " + named(thread) + " failed: " + described(error);
      if (hidesMessages) {
        logger(RUN).error(message);
      } else {
        logger(RUN).error(message, error);
      }
    });
  }

  void inputRefused(String thread, String input, SuperstepException error) {
    report(
        new RunnerEvent.InputRefused(graph, thread, input, error),
        () -> logger(RUN)
            .warn("The queued input '" + MessageText.name(input) + "' of " + named(thread)
                + " was refused and discarded: " + described(error)));
  }

  void leaseLost(Lease lease, Throwable error) {
    report(
        new RunnerEvent.LeaseLost(graph, lease, error),
        () -> logger(LEASE)
            .warn(named(lease) + " has lost " + named(lease.thread()) + " and ended: "
                + described(error)));
  }

  void leaseNotRenewed(Lease lease, Throwable error) {
    reportRepeated(
        new RunnerEvent.LeaseNotRenewed(graph, lease, error),
        () -> logger(LEASE)
            .warn(named(lease) + " could not renew its lease on " + named(lease.thread())
                + ", and repeats it: " + described(error)));
  }

  void leaseNotReleased(Lease lease, Throwable error) {
    report(
        new RunnerEvent.LeaseNotReleased(graph, lease, error),
        () -> logger(LEASE)
            .warn(named(lease) + " could not release its lease on " + named(lease.thread())
                + ", which now has to expire: " + described(error)));
  }

  void takenOver(Lease lease) {
    report(
        new RunnerEvent.ThreadTakenOver(graph, lease),
        () -> logger(RECOVERY).info(named(lease) + " took over " + named(lease.thread()) + "."));
  }

  /** Reports the failure of a takeover; damaged data of the thread is reported as such. */
  void recoveryFailed(String thread, Throwable error) {
    if (reportUnreadable(thread, error)) {
      return;
    }
    reportRepeated(
        new RunnerEvent.RecoveryFailed(graph, thread, error),
        () -> logger(RECOVERY)
            .warn("Could not take over " + named(thread) + ": " + described(error)));
  }

  /** Logs that a thread is left to another runner, which is no failure. */
  void notTakenOver(String thread, Throwable refusal) {
    guarded(() ->
        logger(RECOVERY).debug("Did not take over " + named(thread) + ": " + described(refusal)));
  }

  /** Reports deadlines that failed to apply; damaged data of the thread is reported as such. */
  void deadlinesFailed(String thread, Throwable error) {
    if (reportUnreadable(thread, error)) {
      return;
    }
    reportRepeated(
        new RunnerEvent.DeadlinesFailed(graph, thread, error),
        () -> logger(RECOVERY)
            .warn("Could not apply the deadlines of " + named(thread) + ": " + described(error)));
  }

  /** Reports a listed thread that needs an operator. */
  void listed(ThreadSummary found) {
    SuperstepException problem = found.problem();
    if (problem != null) {
      unreadable(found.thread(), problem);
    } else if (found.status() == ThreadStatus.PARKED) {
      reportRepeated(
          new RunnerEvent.ThreadParked(graph, found.thread()),
          () -> logger(RUN)
              .error("No runner takes over " + named(found.thread())
                  + " any more: it is parked, as its runs have repeatedly lost their leases without"
                  + " progress. Find the cause, then resume it."));
    }
  }

  /** Reports the thread as unreadable if its data is the reason of {@code error}. */
  private boolean reportUnreadable(String thread, Throwable error) {
    if (error instanceof SuperstepException problem && UNREADABLE.contains(problem.code())) {
      unreadable(thread, problem);
      return true;
    }
    return false;
  }

  private void unreadable(String thread, SuperstepException problem) {
    reportRepeated(
        new RunnerEvent.ThreadUnreadable(graph, thread, problem),
        () -> logger(RECOVERY)
            .error("The data of " + named(thread) + " is unreadable: " + described(problem)));
  }

  /** Reports a slow pass of a drain: each to the observer, and to the log once an hour per node. */
  void slowDrain(
      @Nullable String thread,
      String path,
      int firstStep,
      int lastStep,
      @Nullable String node,
      Duration duration) {
    RunnerEvent.SlowDrain event =
        new RunnerEvent.SlowDrain(graph, thread, path, firstStep, lastStep, node, duration);
    if (isNew(event, path + node)) {
      guarded(() -> logger(DRAIN).warn(message(event)));
    }
    observe(event);
  }

  private String message(RunnerEvent.SlowDrain event) {
    int steps = event.steps();
    String run =
        event.thread() == null ? "graph '" + MessageText.name(graph) + "'" : named(event.thread());
    return "A run of " + run + " has occupied the JVM thread '"
        + MessageText.name(Thread.currentThread().getName())
        + "' for " + event.duration() + " without a break, in "
        + (steps == 1
            ? "step " + event.firstStep()
            : steps + " steps (" + event.firstStep() + " to " + event.lastStep() + ")")
        + (event.path().isEmpty() ? "" : " of '" + MessageText.name(event.path()) + "'")
        + (event.node() == null
            ? ""
            : "; node '" + MessageText.name(event.node()) + "' was started last")
        + ". The time includes synchronous nodes, reducers, routers and the subscriber. Declare nodes"
        + " that block with blocking(...).";
  }

  private String named(String thread) {
    return "thread '" + MessageText.name(thread) + "' (graph '" + MessageText.name(graph) + "')";
  }

  private static String named(Lease lease) {
    return "Run '" + MessageText.name(lease.owner()) + "' (lease " + lease.fence() + ")";
  }

  private static String described(Throwable error) {
    if (error instanceof SuperstepException typed) {
      Problem first = typed.problems().get(0);
      return first.code() + " " + first.what();
    }
    return error.getClass().getName();
  }

  private static Logger logger(String name) {
    return Loggers.getLogger(name);
  }

  private void reportRepeated(RunnerEvent event, Runnable message) {
    if (isNew(event, event.code() + " " + event.thread())) {
      report(event, message);
    }
  }

  /** Returns whether no event of this class and {@code key} was reported within the interval. */
  private boolean isNew(RunnerEvent event, String key) {
    String all = event.getClass().getSimpleName() + " " + key;
    return reported.get().asMap().putIfAbsent(all, true) == null;
  }

  private void report(RunnerEvent event, Runnable message) {
    guarded(message);
    observe(event);
  }

  private void observe(RunnerEvent event) {
    RunObserver receiver = observer;
    if (receiver != null) {
      guarded(() -> receiver.onEvent(event));
    }
  }

  /** Drops what a logger or an observer throws. */
  private static void guarded(Runnable call) {
    try {
      call.run();
    } catch (Throwable failure) {
      Operators.onErrorDropped(failure, Context.empty());
    }
  }
}
