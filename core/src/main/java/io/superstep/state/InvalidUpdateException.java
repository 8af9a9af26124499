package io.superstep.state;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import io.superstep.value.InvalidValueException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown if an update does not fit the state; the state is not changed. */
public final class InvalidUpdateException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final @Nullable String channel;
  private final @Nullable String writer;

  private InvalidUpdateException(
      Problem problem,
      @Nullable String channel,
      @Nullable String writer,
      @Nullable Throwable cause) {
    super(problem, cause);
    this.channel = channel;
    this.writer = writer;
  }

  InvalidUpdateException(List<Problem> problems) {
    super(headline("The update is invalid", problems), problems, null);
    this.channel = null;
    this.writer = null;
  }

  static InvalidUpdateException of(
      String code, String what, @Nullable String channel, @Nullable String writer, String fix) {
    return new InvalidUpdateException(
        new Problem(code, what, place(channel, writer, ""), fix), channel, writer, null);
  }

  static InvalidUpdateException of(
      String channel, @Nullable String writer, InvalidValueException invalid) {
    Problem problem = invalid.problem();
    String inside = problem.where().startsWith("the value at ")
        ? problem.where().substring("the value at ".length())
        : "";
    return new InvalidUpdateException(
        new Problem(problem.code(), problem.what(), place(channel, writer, inside), problem.fix()),
        channel,
        writer,
        invalid);
  }

  static InvalidUpdateException ofReducer(
      String channel, @Nullable String writer, Throwable failure) {
    return ofUserCode(
        "SG-215",
        "reducer",
        "Correct the reducer: it must accept every value of the channel's type, including the start value.",
        channel,
        writer,
        failure);
  }

  static InvalidUpdateException ofCheck(
      String channel, @Nullable String writer, Throwable failure) {
    return ofUserCode(
        "SG-214",
        "check",
        "Correct the check: it must accept or refuse every value of the channel's type without failing.",
        channel,
        writer,
        failure);
  }

  static InvalidUpdateException ofChange(String channel, RuntimeException misfit) {
    Problem problem = new Problem(
        "SG-216",
        "A stored change cannot be applied to the value of channel '" + channel + "'.",
        place(channel, null, ""),
        "Apply changes in order, each to the state for which it was emitted.");
    return new InvalidUpdateException(problem, channel, null, misfit);
  }

  private static InvalidUpdateException ofUserCode(
      String code,
      String part,
      String fix,
      String channel,
      @Nullable String writer,
      Throwable failure) {
    String what = "The " + part + " of channel '" + channel + "' failed with "
        + failure.getClass().getSimpleName() + "; see the cause.";
    return new InvalidUpdateException(
        new Problem(code, what, place(channel, writer, ""), fix), channel, writer, failure);
  }

  /** Returns this error with {@code node} as its writer, unless it has one. */
  public InvalidUpdateException by(String node) {
    if (writer != null || channel == null) {
      return this;
    }
    Problem problem = problems().get(0);
    Problem placed = new Problem(
        problem.code(),
        problem.what(),
        problem.where() + ", written by '" + node + "'",
        problem.fix());
    return new InvalidUpdateException(placed, channel, node, this);
  }

  private static String place(@Nullable String channel, @Nullable String writer, String inside) {
    String where = channel == null ? "the update" : "channel '" + channel + "'" + inside;
    return writer == null ? where : where + ", written by '" + writer + "'";
  }

  /** Returns the written channel; empty if a check of the whole state failed. */
  public Optional<String> channel() {
    return Optional.ofNullable(channel);
  }

  /** Returns the node or caller that wrote the channel; empty if it is not known. */
  public Optional<String> writer() {
    return Optional.ofNullable(writer);
  }
}
