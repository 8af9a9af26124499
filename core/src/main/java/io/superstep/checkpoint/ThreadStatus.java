package io.superstep.checkpoint;

import java.util.Set;

/** What a thread is up to. */
public enum ThreadStatus {
  /** Somebody is at it. */
  RUNNING,
  /** Work is due and no run holds the thread: a person stopped the run, or it was cancelled. */
  STOPPED,
  /**
   * The runner of the thread has vanished, or was closed and left work, or an input waits that no
   * run has begun with: another runner should take it over. Nothing may be left to do but to tell
   * the end.
   */
  ORPHANED,
  /**
   * Work is due, and whoever takes it over vanishes without having done anything: somebody should
   * find out why.
   */
  PARKED,
  /** It waits for an answer, or for somebody to have a look. */
  WAITING,
  /**
   * A task was about to act on the world outside, and nobody saw what came of it: somebody has to
   * find out.
   */
  OUTCOME_UNKNOWN,
  /** A task of the step under way has failed in its last attempt, or the step in its commit. */
  FAILED,
  /** Nothing is due, and whoever was at it last has left it. */
  DONE,
  /**
   * The stored data of the thread cannot be decoded: it is damaged, or was written in a format that
   * this version does not know. {@link ThreadSummary#problem} has the reason; the thread can be
   * exported as it is, and deleted.
   */
  UNREADABLE;

  /** How often a thread is taken over without anything having been done before it is parked. */
  private static final int TAKEOVERS = 3;

  /**
   * Returns whether a listing of {@code statuses} has to read the threads that are recorded as
   * done: if these are requested, or if nothing but unreadable threads is.
   */
  public static boolean readsDone(Set<ThreadStatus> statuses) {
    return statuses.contains(DONE) || statuses.equals(Set.of(UNREADABLE));
  }

  /**
   * The status of a thread that stands at {@code position}.
   *
   * @param leased whether somebody is at it
   * @param lost how many in a row have vanished without having done anything, the last one
   *     included; at least one for a thread that was handed over, as {@link Release} says
   * @param queued whether an input waits
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
