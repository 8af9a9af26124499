package io.superstep.event;

import io.superstep.error.NodeFailure;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An error that was read from an event log: its data, without an instance of its class, which may
 * no longer exist. Two are equal if their data is equal.
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
   * Creates the data of an error.
   *
   * @param type the name of its class
   * @param message its message; may be null
   * @param problems its problems; empty if it was not thrown by this library
   * @param node the failed node; null if the error does not name one
   * @param attempts the number of attempts of the node; 0 if the error does not have it
   * @param cause the cause of the error; may be null
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
        "The recorded error was not thrown by this library.",
        "an error of type " + (type.isBlank() ? "unknown" : type),
        "See message() for its message, and type() for its class.");
  }

  /** Returns the data of {@code failure}; {@code failure} itself if it is recorded. */
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

  /** Returns the name of the class of the error. */
  public String type() {
    return type;
  }

  /** Returns the message of the error; a long one is truncated. */
  public Optional<String> message() {
    return Optional.ofNullable(message);
  }

  /** Returns whether the error was thrown by this library, with its problems. */
  public boolean isOurs() {
    return ours;
  }

  /** Returns the failed node, if the error names one. */
  public Optional<String> node() {
    return Optional.ofNullable(node);
  }

  /** Returns the number of attempts of the node; 0 if the error does not have it. */
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
