package io.superstep.memory;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import io.superstep.value.InvalidValueException;
import org.jspecify.annotations.Nullable;

/** Something cannot be remembered, or not there; nothing was written. */
public final class InvalidMemoryException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private static final String NOT_PLAIN = "SG-431";
  private static final String TOO_LARGE = "SG-432";
  private static final String BAD_NAME = "SG-433";
  private static final String NOWHERE = "SG-434";

  private InvalidMemoryException(Problem problem, @Nullable Throwable cause) {
    super(problem, cause);
  }

  /** There is no memory, or no thread on whose behalf it could be done exactly once. */
  public static InvalidMemoryException nowhere(String who) {
    return new InvalidMemoryException(
        new Problem(
            NOWHERE,
            "Something is to be remembered, and there is no memory.",
            "'" + who + "'",
            "Give the runner memory(...), and run the graph with thread(...)."),
        null);
  }

  static InvalidMemoryException notPlain(String what, String where) {
    return new InvalidMemoryException(
        new Problem(
            NOT_PLAIN,
            what,
            where,
            "Use text, numbers, booleans, null, and lists and maps of them, by text."),
        null);
  }

  /** What could not even be frozen: it is too large or too deep, or cannot be kept at all. */
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
                ? "Remember less, or split it into several items."
                : problem.fix()),
        unfit);
  }

  static InvalidMemoryException tooLarge(long size, long most, String where) {
    return new InvalidMemoryException(
        new Problem(
            TOO_LARGE,
            "A value takes about " + size + " bytes, and the store allows " + most + ".",
            where,
            "Split it into several items, keep it elsewhere and remember where, or raise the limit"
                + " of the store."),
        null);
  }

  static InvalidMemoryException badName(String what, String where, String fix) {
    return new InvalidMemoryException(new Problem(BAD_NAME, what, where, fix), null);
  }
}
