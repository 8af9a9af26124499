package io.superstep.state;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import io.superstep.value.InvalidValueException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** An update does not fit the state it was meant for; the state is as it was. */
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
        "Make it work for every value of the channel's type.",
        channel,
        writer,
        failure);
  }

  static InvalidUpdateException ofCheck(
      String channel, @Nullable String writer, Throwable failure) {
    return ofUserCode(
        "SG-214",
        "check",
        "Make it answer for every value of the channel's type.",
        channel,
        writer,
        failure);
  }

  static InvalidUpdateException ofChange(String channel, RuntimeException misfit) {
    Problem problem = new Problem(
        "SG-216",
        "A stored change does not fit what the channel holds.",
        place(channel, null, ""),
        "Apply changes to the state they were reported for, in their order.");
    return new InvalidUpdateException(problem, channel, null, misfit);
  }

  private static InvalidUpdateException ofUserCode(
      String code,
      String part,
      String fix,
      String channel,
      @Nullable String writer,
      Throwable failure) {
    String what = "The " + part + " failed with " + failure.getClass().getSimpleName()
        + "; the cause says where.";
    return new InvalidUpdateException(
        new Problem(code, what, place(channel, writer, ""), fix), channel, writer, failure);
  }

  /** The same refusal, now that it is known who wrote. */
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

  /** The channel that was written; empty if the state as a whole was refused. */
  public Optional<String> channel() {
    return Optional.ofNullable(channel);
  }

  /** The node, or whoever else wrote; empty as long as it is not known. */
  public Optional<String> writer() {
    return Optional.ofNullable(writer);
  }
}
