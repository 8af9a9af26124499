package io.superstep.reactor;

import io.superstep.checkpoint.Lease;
import io.superstep.error.SuperstepException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An event of a runner that is not part of the event stream of a run: an event of a thread, of a
 * lease, or of a run without a subscriber. Each event is also written to the log.
 */
public sealed interface RunnerEvent {

  /** Returns the name of the graph of the runner. */
  String graph();

  /** Returns the thread; null if the event belongs to none. */
  @Nullable
  String thread();

  /** Returns the error that caused the event; null if there is none. */
  default @Nullable Throwable error() {
    return null;
  }

  /** Returns the code of {@link #error}, such as SG-141; null if the error has no code. */
  default @Nullable String code() {
    return error() instanceof SuperstepException typed ? typed.code() : null;
  }

  /**
   * A detached run has failed after it began, or could not begin and no caller receives its error.
   * A run that has lost its lease is reported as {@link LeaseLost} instead.
   */
  record DetachedRunFailed(String graph, String thread, Throwable error) implements RunnerEvent {}

  /**
   * A queued input does not fit the state of its thread, and was discarded.
   *
   * @param input the id of the input
   */
  record InputRefused(String graph, String thread, String input, SuperstepException error)
      implements RunnerEvent {}

  /** A listing contains a thread that is {@link io.superstep.checkpoint.ThreadStatus#PARKED}. */
  record ThreadParked(String graph, String thread) implements RunnerEvent {}

  /**
   * A run has lost its lease, and ended with {@code error}: another run has the thread, or the
   * store has lost the lease.
   */
  record LeaseLost(String graph, Lease lease, Throwable error) implements RunnerEvent {

    @Override
    public String thread() {
      return lease.thread();
    }
  }

  /** The renewal of a lease has failed. It is repeated while the run is under way. */
  record LeaseNotRenewed(String graph, Lease lease, Throwable error) implements RunnerEvent {

    @Override
    public String thread() {
      return lease.thread();
    }
  }

  /**
   * A lease was not released, or not handed over to the next runner, at the end of its run. The run
   * itself is stored; no other run can acquire the thread before the lease expires.
   */
  record LeaseNotReleased(String graph, Lease lease, Throwable error) implements RunnerEvent {

    @Override
    public String thread() {
      return lease.thread();
    }
  }

  /** {@link GraphRunner#recover()} has taken a thread over. */
  record ThreadTakenOver(String graph, Lease lease) implements RunnerEvent {

    @Override
    public String thread() {
      return lease.thread();
    }
  }

  /**
   * {@link GraphRunner#recover()} could not take a thread over, for another reason than that
   * another runner was faster.
   */
  record RecoveryFailed(String graph, String thread, Throwable error) implements RunnerEvent {}

  /** {@link GraphRunner#settleDue()} could not apply the deadlines of a thread. */
  record DeadlinesFailed(String graph, String thread, Throwable error) implements RunnerEvent {}

  /**
   * A run has occupied a JVM thread without a break for longer than the threshold of the runner:
   * the synchronous nodes, reducers and routers of one or more steps, and the subscriber.
   *
   * @param thread the thread of the run; null if it has none
   * @param path the nodes that lead to a nested run, each followed by a slash; empty at the top
   * @param firstStep the first step that was executed meanwhile, wholly or in part
   * @param lastStep the last one
   * @param node the node that was started last; null if none was
   */
  record SlowDrain(
      String graph,
      @Nullable String thread,
      String path,
      int firstStep,
      int lastStep,
      @Nullable String node,
      Duration duration)
      implements RunnerEvent {

    /** Returns the number of steps that were executed meanwhile, wholly or in part. */
    public int steps() {
      return lastStep - firstStep + 1;
    }
  }

  /** A listing contains a thread whose stored data cannot be decoded. */
  record ThreadUnreadable(String graph, String thread, SuperstepException error)
      implements RunnerEvent {}
}
