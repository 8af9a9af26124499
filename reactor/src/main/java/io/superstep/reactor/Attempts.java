package io.superstep.reactor;

import io.superstep.error.SuperstepException;
import io.superstep.graph.Backoff;
import io.superstep.graph.NodePolicy;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.reactivestreams.Publisher;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;
import reactor.util.retry.Retry.RetrySignal;

/** The attempts of a task as one publisher, timed and repeated as its policy says. */
final class Attempts {

  private final TaskRun task;
  private final TaskEar ear;
  private final NodePolicy policy;
  private final Scheduler timer;

  Attempts(TaskRun task, TaskEar ear, NodePolicy policy, Scheduler timer) {
    this.task = task;
    this.ear = ear;
    this.policy = policy;
    this.timer = timer;
  }

  Flux<Object> asPublisher() {
    return Flux.defer(this::attempt)
        .retryWhen(Retry.from(failures -> failures.concatMap(this::again)));
  }

  /** One attempt, whose words are checked where a bad one still counts as its failure. */
  private Publisher<Object> attempt() {
    try {
      Flux<Object> outputs = FluxBoundary.<Object>around(task.attempted()).map(this::checked);
      return TimedFlux.isAskedFor(policy)
          ? new TimedFlux(outputs, task.node(), policy, timer)
          : outputs;
    } catch (Throwable failure) {
      return Flux.error(CarriedError.wrap(failure));
    }
  }

  private Object checked(Object output) {
    try {
      return task.checked(output);
    } catch (RuntimeException refused) {
      throw refused;
    } catch (Error failure) {
      throw Exceptions.propagate(CarriedError.wrap(failure));
    }
  }

  /** When to try again, or the failure if it is not worth it. */
  private Mono<Long> again(RetrySignal signal) {
    if (task.hasAsked()) {
      return Mono.never(); // it has ended
    }
    Throwable failure = CarriedError.unwrap(signal.failure());
    int most = policy.attempts() == null ? 1 : policy.attempts();
    int failed = task.attempt();
    if (failed >= most || failure instanceof Refusal || !isWorthIt(failure)) {
      return Mono.error(signal.failure());
    }
    Duration wait = pause(failed - 1);
    return task.retrying(ear, failure)
        .then(wait.isZero() ? Mono.empty() : Mono.delay(wait, timer))
        .then(task.beginning(failure))
        .thenReturn(0L);
  }

  private boolean isWorthIt(Throwable failure) {
    boolean isCutOff = failure instanceof NodeTimeoutException && task.actsOutside();
    if (isCutOff || task.isDoubtfulInside()) {
      return false; // what it does may have been done
    }
    Throwable original = original(failure);
    if (original instanceof OutOfMemoryError) {
      return false;
    }
    try {
      return policy.retryOn() == null ? mayPass(original) : policy.retryOn().test(failure);
    } catch (Throwable undecided) {
      if (undecided != failure) {
        failure.addSuppressed(undecided);
      }
      return false;
    }
  }

  /**
   * Returns the error of user code behind the exceptions of the engine, which wrap the errors of
   * nodes, routers and reducers inside a subgraph.
   */
  static Throwable original(Throwable failure) {
    Throwable original = failure;
    while (original instanceof SuperstepException && original.getCause() != null) {
      original = original.getCause();
    }
    return original;
  }

  /** Returns whether another attempt may succeed: a missing class stays missing. */
  private static boolean mayPass(Throwable failure) {
    return !(failure instanceof VirtualMachineError || failure instanceof LinkageError);
  }

  private Duration pause(long retries) {
    Backoff backoff = policy.backoff();
    if (backoff == null) {
      return Duration.ZERO;
    }
    double longest = backoff.longest().toMillis() / 1e3;
    double doubled =
        backoff.first().toMillis() / 1e3 * Math.scalb(1.0, (int) Math.min(retries, 62));
    double jitter = backoff.jitter() * ThreadLocalRandom.current().nextDouble(-1, 1);
    return Duration.ofMillis((long) (Math.min(doubled, longest) * (1 + jitter) * 1e3));
  }
}
