package io.superstep.error;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The root of every error this library raises on purpose.
 *
 * <p>Each thing a caller can act on has its own final subclass; all of them carry their
 * {@link #problems()}, so that nobody has to read a message to learn what happened.
 */
public abstract class SuperstepException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The number of problems in a message; {@link #problems()} has all of them. */
  private static final int MAX_SHOWN = 100;

  private final Problem[] problems;

  /** An error that is one problem. */
  protected SuperstepException(Problem problem, @Nullable Throwable cause) {
    super(problem.toString(), cause);
    this.problems = new Problem[] {problem};
  }

  /** An error that gathers all problems of one attempt under a headline. */
  protected SuperstepException(String headline, List<Problem> problems) {
    super(message(headline, problems));
    if (problems.isEmpty()) {
      throw new IllegalArgumentException("An error without a problem tells its reader nothing.");
    }
    this.problems = problems.toArray(new Problem[0]);
  }

  /**
   * An error that gathers all problems of one attempt, under a headline if there are several.
   *
   * @param headline shown if there are several problems
   */
  protected SuperstepException(String headline, List<Problem> problems, @Nullable Throwable cause) {
    super(problems.size() == 1 ? problems.get(0).toString() : message(headline, problems), cause);
    if (problems.isEmpty()) {
      throw new IllegalArgumentException("An error has at least one problem.");
    }
    this.problems = problems.toArray(new Problem[0]);
  }

  /** Returns a headline such as "The schema cannot be built: 2 problems." */
  protected static String headline(String failure, List<?> problems) {
    int count = problems.size();
    return failure + ": " + count + (count == 1 ? " problem." : " problems.");
  }

  private static String message(String headline, List<Problem> problems) {
    String shown = problems.stream()
        .limit(MAX_SHOWN)
        .map(Problem::toString)
        .collect(Collectors.joining("\n\n", "\n\n", ""));
    int more = problems.size() - MAX_SHOWN;
    return MessageText.part(headline) + shown + (more > 0 ? "\n\nand " + more + " more" : "");
  }

  /** What is wrong, in the order in which it was found; never empty. */
  public final List<Problem> problems() {
    return List.of(problems);
  }

  /** The code of the first problem: what to switch on where one problem is all there can be. */
  public final String code() {
    return problems[0].code();
  }
}
