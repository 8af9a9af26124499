package io.superstep.reactor;

import io.superstep.event.RecordedFailure;
import io.superstep.step.Budget;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * What all nested runs of one run have in common.
 *
 * @param heard whether anybody wants to know what happens on the way, and not only how it ends
 * @param observer who looks on; null if nobody does
 * @param closing asked for when the runner is closed
 * @param alarm where timeouts and waits are counted; null to take the standard one
 * @param blockingNodes the scheduler of blocking nodes
 * @param stalls samples the run for tasks that signal nothing
 * @param hidesMessages whether the messages of exceptions of user code are hidden
 * @param drains measures the passes of the drains; null if they are not measured
 */
record Environment(
    boolean heard,
    @Nullable RunObserver observer,
    InstantSource clock,
    @Nullable Scheduler alarm,
    RunOptions options,
    Stop closing,
    KnownAnswers answers,
    Permits permits,
    Supplier<Scheduler> blockingNodes,
    StallDetector stalls,
    boolean hidesMessages,
    @Nullable DrainTimer drains) {

  Scheduler blocking() {
    return blockingNodes.get();
  }

  Instant now() {
    return clock.instant();
  }

  Scheduler timer() {
    return alarm == null ? Alarms.standard() : alarm;
  }

  /** Returns {@code error} as events carry it. */
  Throwable shown(Throwable error) {
    return hidesMessages ? RecordedFailure.withoutMessages(error) : error;
  }

  Budget budget() {
    return Budget.of(options.steps(), options.iterations());
  }

  boolean isStopping() {
    return closing.isRequested() || (options.stop() != null && options.stop().isRequested());
  }

  /** Completes when the run is asked to stop. */
  Mono<Void> stopping() {
    Stop stop = options.stop();
    return stop == null ? closing.asMono() : Mono.firstWithSignal(closing.asMono(), stop.asMono());
  }
}
