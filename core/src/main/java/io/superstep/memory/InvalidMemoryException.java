package io.superstep.memory;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import io.superstep.value.InvalidValueException;
import org.jspecify.annotations.Nullable;

/** Thrown if a memory item, a namespace or a key is invalid; nothing was written. */
public final class InvalidMemoryException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private static final String NOT_PLAIN = "SG-431";
  private static final String TOO_LARGE = "SG-432";
  private static final String BAD_NAME = "SG-433";
  private static final String NOWHERE = "SG-434";

  private InvalidMemoryException(Problem problem, @Nullable Throwable cause) {
    super(problem, cause);
  }

  /** Returns the error of a memory write in a run without a memory store or without a thread. */
  public static InvalidMemoryException nowhere(String who) {
    return new InvalidMemoryException(
        new Problem(
            NOWHERE,
            "A memory write was emitted, but the runner has no memory store or the run has no thread.",
            "'" + who + "'",
            "Build the runner with memory(store) and checkpoints(store), and run the graph with"
                + " runner.thread(id)."),
        null);
  }

  static InvalidMemoryException notPlain(String what, String where) {
    return new InvalidMemoryException(
        new Problem(
            NOT_PLAIN,
            what,
            where,
            "Use text, numbers, booleans, null, and lists and maps of these with text keys."),
        null);
  }

  /** Returns the error of a value that is too large, too deep, or cannot be stored. */
  static InvalidMemoryException of(String where, InvalidValueException unfit) {
    Problem problem = unfit.problem();
    boolean isLongNumber = problem.code().equals("SG-208");
    boolean isTooLarge =
        isLongNumber || problem.code().equals("SG-204") || problem.code().equals("SG-205");
    String inside = problem.where().startsWith("the value at ")
        ? ", " + problem.where().substring("the ".length())
        : "";
    return new InvalidMemoryException(
        new Problem(
            isTooLarge ? TOO_LARGE : NOT_PLAIN,
            problem.what(),
            where + inside,
            isTooLarge && !isLongNumber
                ? "Store less in the item, or split it into several items."
                : problem.fix()),
        unfit);
  }

  static InvalidMemoryException tooLarge(long size, long most, String where) {
    return new InvalidMemoryException(
        new Problem(
            TOO_LARGE,
            "The value takes about " + size + " bytes, and the limit of the memory store is " + most
                + ".",
            where,
            "Split the value into several items, store it elsewhere and its address in the memory,"
                + " or raise the limit of the store with maxValueSize(bytes)."),
        null);
  }

  static InvalidMemoryException badName(String what, String where, String fix) {
    return new InvalidMemoryException(new Problem(BAD_NAME, what, where, fix), null);
  }
}
