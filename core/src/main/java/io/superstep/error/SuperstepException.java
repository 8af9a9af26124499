package io.superstep.error;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The superclass of the exceptions of this library.
 *
 * <p>Each error that a caller can handle separately has its own final subclass. All of them carry
 * their {@link #problems()} as data, so no caller has to parse a message.
 */
public abstract class SuperstepException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** The number of problems in a message; {@link #problems()} has all of them. */
  private static final int MAX_SHOWN = 100;

  private final Problem[] problems;

  /** Creates an error with one problem. */
  protected SuperstepException(Problem problem, @Nullable Throwable cause) {
    super(problem.toString(), cause);
    this.problems = new Problem[] {problem};
  }

  /** Creates an error with several problems under a headline. */
  protected SuperstepException(String headline, List<Problem> problems) {
    super(message(headline, problems));
    this.problems = nonEmpty(problems);
  }

  /**
   * Creates an error with one problem, or with several under a headline.
   *
   * @param headline shown if there are several problems
   */
  protected SuperstepException(String headline, List<Problem> problems, @Nullable Throwable cause) {
    super(problems.size() == 1 ? problems.get(0).toString() : message(headline, problems), cause);
    this.problems = nonEmpty(problems);
  }

  private static Problem[] nonEmpty(List<Problem> problems) {
    if (problems.isEmpty()) {
      throw new IllegalArgumentException("An error requires at least one problem.");
    }
    return problems.toArray(new Problem[0]);
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

  /** Returns the problems in the order in which they were found; never empty. */
  public final List<Problem> problems() {
    return List.of(problems);
  }

  /** Returns the code of the first problem. */
  public final String code() {
    return problems[0].code();
  }
}
