package io.superstep.json;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A value cannot be written as JSON, or stored text cannot be read back; nothing was returned. */
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

  /** The channel that holds the value; empty if the document as a whole is at fault. */
  public Optional<String> channel() {
    return Optional.ofNullable(channel);
  }

  /**
   * Where in the channel's value the fault is, such as {@code .steps[2].owner}; empty at its top.
   */
  public String path() {
    return path;
  }
}
