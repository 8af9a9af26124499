package io.superstep.checkpoint;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Why there is a checkpoint, and whose doing it is.
 *
 * @param author who changed the thread from outside; null if the graph did it itself
 * @param reason why, in the words of the author, or what was given up; null if there is nothing to
 *     say
 */
public record Cause(
    Kind kind, @Nullable String author, @Nullable String reason) {

  /** A turn began with an input. */
  public static final Cause INPUT = new Cause(Kind.INPUT, null, null);

  /** A step was committed. */
  public static final Cause STEP = new Cause(Kind.STEP, null, null);

  /** A turn began with an input although work was due, which was given up. */
  public static Cause inputInPlaceOf(Collection<String> due) {
    return new Cause(Kind.INPUT, null, "gave up " + due);
  }

  /** Somebody changed the state between two steps. */
  public static Cause update(String author, @Nullable String reason) {
    return new Cause(Kind.UPDATE, author, reason);
  }

  /** Somebody took the thread back to an older checkpoint. */
  public static Cause fork(String author, @Nullable String reason) {
    return new Cause(Kind.FORK, author, reason);
  }

  /** What led to a checkpoint. */
  public enum Kind {
    /** The input of a turn. */
    INPUT,
    /** The tasks of a step. */
    STEP,
    /** A change from outside. */
    UPDATE,
    /** A return to an older checkpoint. */
    FORK
  }
}
