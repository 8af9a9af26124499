package io.superstep.json;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Thrown if a value cannot be written as JSON, or stored JSON cannot be read. */
public final class InvalidJsonException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final transient @Nullable String channel;
  private final transient String path;

  InvalidJsonException(
      Problem problem, @Nullable String channel, String path, @Nullable Throwable cause) {
    super(problem, cause);
    this.channel = channel;
    this.path = path;
  }

  /** Returns the channel of the value; empty if it is not known. */
  public Optional<String> channel() {
    return Optional.ofNullable(channel);
  }

  /**
   * Returns the path inside the value of the channel, such as {@code .steps[2].owner}; empty for
   * the value itself.
   */
  public String path() {
    return path;
  }
}
