package io.superstep.event;

import io.superstep.error.NodeFailure;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failure as a log has kept it: what is known of it, and not the thing itself, which may be of a
 * class that nobody has any more. Two are equal if the same is known of them.
 */
@SuppressWarnings("ThrowableEqualsHashCode") // it is data that is read back equal
public final class RecordedFailure extends SuperstepException {

  private static final long serialVersionUID = 1L;
  private static final int MOST_CAUSES = 8;
  private static final int LONGEST_MESSAGE = 10_000;

  private final String type;
  private final @Nullable String message;
  private final boolean ours;
  private final @Nullable String node;
  private final int attempts;

  /**
   * A failure of which this is known.
   *
   * @param type the name of its class
   * @param message what it said; null if nothing
   * @param problems those it had, if it was an error of this library; else none
   * @param node that had failed, if it said so; else null
   * @param attempts how often that was tried; 0 if it did not say so
   * @param cause that of the failure, or null
   */
  public RecordedFailure(
      String type,
      @Nullable String message,
      List<Problem> problems,
      @Nullable String node,
      int attempts,
      @Nullable RecordedFailure cause) {
    super("Recorded: " + type, problems.isEmpty() ? List.of(foreign(type)) : problems);
    this.type = type;
    this.message = message;
    this.ours = !problems.isEmpty();
    this.node = node;
    this.attempts = attempts;
    if (cause != null) {
      initCause(cause);
    }
  }

  private static Problem foreign(String type) {
    return new Problem(
        "SG-424",
        "A failure was recorded that is none of this library.",
        "an error of type " + (type.isBlank() ? "unknown" : type),
        "See what it said: message().");
  }

  /** What can be recorded of {@code failure}; of one that was recorded, that itself. */
  public static RecordedFailure of(Throwable failure) {
    return of(failure, MOST_CAUSES);
  }

  /**
   * Returns {@code failure} without the messages of exceptions that are not of this library, in its
   * causes as well.
   */
  public static RecordedFailure withoutMessages(Throwable failure) {
    return withoutMessages(of(failure));
  }

  private static RecordedFailure withoutMessages(RecordedFailure failure) {
    RecordedFailure cause = failure.getCause();
    return new RecordedFailure(
        failure.type,
        failure.ours ? failure.message : null,
        failure.ours ? failure.problems() : List.of(),
        failure.node,
        failure.attempts,
        cause == null ? null : withoutMessages(cause));
  }

  private static RecordedFailure of(Throwable failure, int causes) {
    if (failure instanceof RecordedFailure recorded) {
      return recorded;
    }
    Throwable cause = failure.getCause();
    NodeFailure about = failure instanceof NodeFailure known ? known : null;
    return new RecordedFailure(
        failure.getClass().getName(),
        shortened(failure.getMessage()),
        failure instanceof SuperstepException known ? known.problems() : List.of(),
        about == null ? null : about.node(),
        about == null ? 0 : about.attempts(),
        cause == null || causes == 0 ? null : of(cause, causes - 1));
  }

  private static @Nullable String shortened(@Nullable String message) {
    return message == null || message.length() <= LONGEST_MESSAGE
        ? message
        : message.substring(0, LONGEST_MESSAGE);
  }

  /** The name of the class that it was of; nothing but a name. */
  public String type() {
    return type;
  }

  /** What it said itself, cut off where it was very long. */
  public Optional<String> message() {
    return Optional.ofNullable(message);
  }

  /** Whether it was an error of this library, which has had these problems. */
  public boolean isOurs() {
    return ours;
  }

  /** The node that had failed, if it said so. */
  public Optional<String> node() {
    return Optional.ofNullable(node);
  }

  /** How often the node was tried; 0 if it did not say so. */
  public int attempts() {
    return attempts;
  }

  @Override
  public synchronized @Nullable RecordedFailure getCause() {
    return (RecordedFailure) super.getCause();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RecordedFailure failure
        && type.equals(failure.type)
        && Objects.equals(message, failure.message)
        && problems().equals(failure.problems())
        && Objects.equals(node, failure.node)
        && attempts == failure.attempts
        && Objects.equals(getCause(), failure.getCause());
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, message);
  }
}
