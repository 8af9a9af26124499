package io.superstep.checkpoint;

import java.util.Set;

/** The status of a thread, computed from its lease, its head and the records of its tasks. */
public enum ThreadStatus {
  /** A run holds the lease of the thread. */
  RUNNING,
  /** Tasks are pending and no run holds the lease: the last run was stopped or cancelled. */
  STOPPED,
  /**
   * The lease of the last run has expired, or its runner was closed with work left, or an input is
   * queued and no run has started: another runner should take the thread over. All work may be done
   * except for the last events.
   */
  ORPHANED,
  /**
   * Tasks are pending, and several runs in a row have lost their lease without progress (dead
   * letter): an operator should find the cause.
   */
  PARKED,
  /** The thread has an open question, or a pause that no caller has lifted. */
  WAITING,
  /**
   * A non-idempotent task was started, and its outcome is not recorded: an operator has to decide
   * how the thread continues.
   */
  OUTCOME_UNKNOWN,
  /**
   * A task of the current step has failed in its last attempt, or the commit of the step failed.
   */
  FAILED,
  /** No tasks are pending, and the last run has released its lease. */
  DONE,
  /**
   * The stored data of the thread cannot be decoded: it is damaged, or was written in a format that
   * this version does not know. {@link ThreadSummary#problem} has the reason; the thread can be
   * exported as it is, and deleted.
   */
  UNREADABLE;

  /** The number of takeovers without progress after which a thread is parked. */
  private static final int TAKEOVERS = 3;

  /**
   * Returns whether a listing of {@code statuses} has to read the threads that are recorded as
   * done: if these are requested, or if nothing but unreadable threads is.
   */
  public static boolean readsDone(Set<ThreadStatus> statuses) {
    return statuses.contains(DONE) || statuses.equals(Set.of(UNREADABLE));
  }

  /**
   * Returns the status of a thread.
   *
   * @param position the position at its head
   * @param notes the records of the tasks at its head
   * @param leased whether a run holds its lease
   * @param lost the number of successive leases that expired without progress, including the last
   *     one; at least one for a thread that was handed over, as {@link Release} says
   * @param queued whether an input is queued
   */
  public static ThreadStatus of(
      Position position, TaskNotes notes, boolean leased, int lost, boolean queued) {
    if (leased) {
      return RUNNING;
    }
    if (notes.haveUncertainty()) {
      return OUTCOME_UNKNOWN;
    }
    if (notes.haveFailure()) {
      return FAILED;
    }
    if (!position.pause().isEmpty() && !notes.haveLift()) {
      return WAITING;
    }
    if (position.isFinished() && !queued && lost == 0) {
      return DONE;
    }
    if (lost > TAKEOVERS) {
      return PARKED;
    }
    if (lost > 0 || position.isFinished()) {
      return ORPHANED;
    }
    return notes.havePause() ? WAITING : STOPPED;
  }
}
