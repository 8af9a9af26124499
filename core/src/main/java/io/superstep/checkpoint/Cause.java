package io.superstep.checkpoint;

import io.superstep.checkpoint.TaskNote.Asked;
import io.superstep.error.Attribution;
import io.superstep.error.InvalidNameException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Why there is a checkpoint, and whose doing it is.
 *
 * @param author who changed the thread from outside; null if the graph did it itself
 * @param reason why, in the words of the author, or what was given up; null if there is nothing to
 *     say
 * @param source what it took over, beside what its parent has; null if it took over nothing
 */
public record Cause(
    Kind kind,
    @Nullable String author,
    @Nullable String reason,
    @Nullable Source source) {

  /** @throws InvalidNameException if the author or the reason cannot be stored */
  public Cause {
    if (author != null) {
      Attribution.name("author", author);
    }
    if (reason != null) {
      Attribution.reason("reason", reason);
    }
  }

  /** A turn began with an input. */
  public static final Cause INPUT = new Cause(Kind.INPUT, null, null, null);

  /** A step was committed. */
  public static final Cause STEP = new Cause(Kind.STEP, null, null, null);

  /**
   * A turn began with an input although work was due, which was given up.
   *
   * @param questions that were open, and nobody needs to answer any more
   */
  public static Cause inputInPlaceOf(Collection<String> due, Collection<Asked> questions) {
    String open = questions.isEmpty()
        ? ""
        : " and the questions " + questions.stream().map(Asked::id).toList();
    return new Cause(Kind.INPUT, null, Attribution.storedReason("gave up " + due + open), null);
  }

  /** Somebody changed the state between two steps. */
  public static Cause update(String author, @Nullable String reason) {
    return new Cause(Kind.UPDATE, author, reason, null);
  }

  /** Somebody took the thread back to an older checkpoint. */
  public static Cause fork(String author, @Nullable String reason) {
    return new Cause(Kind.FORK, author, reason, null);
  }

  /** Somebody began the thread as a copy of {@code source}. */
  public static Cause copy(Source source, String author, @Nullable String reason) {
    return new Cause(Kind.COPY, author, reason, source);
  }

  /** Somebody folded in what another branch had changed, up to {@code source}. */
  public static Cause merge(Source source, String author, @Nullable String reason) {
    return new Cause(Kind.MERGE, author, reason, source);
  }

  /** Whether somebody changed the thread, and nothing of what was due was done. */
  public boolean isFromOutside() {
    return kind == Kind.UPDATE || kind == Kind.MERGE;
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
    FORK,
    /** The beginning of a thread where another one stood. */
    COPY,
    /** What another branch of the thread had changed. */
    MERGE
  }

  /** A checkpoint, wherever it is; it may have been removed since. */
  public record Source(String thread, CheckpointId checkpoint) {}
}
