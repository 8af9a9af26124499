package io.superstep.reactor;

import io.superstep.message.Message;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why no more pieces of a text come.
 *
 * @param reason {@code complete}, {@code stopped} or {@code stream_error}
 * @param error what broke the stream; null if nothing did
 */
public record TextEnding(String reason, @Nullable Throwable error) {

  /** The text is all there. */
  public static final TextEnding COMPLETE = new TextEnding("complete", null);

  /** The run was asked to stop. */
  public static final TextEnding STOPPED = new TextEnding("stopped", null);

  /** Under this name a message that was cut short says why. */
  public static final String STOP_REASON = "stop_reason";

  /** The stream broke. */
  public static TextEnding broken(Throwable error) {
    return new TextEnding("stream_error", error);
  }

  public boolean isComplete() {
    return error == null && reason.equals(COMPLETE.reason);
  }

  /** {@code message}, which says so in its metadata if it was cut short. */
  public Message mark(Message message) {
    if (isComplete()) {
      return message;
    }
    Map<String, Object> marked = new LinkedHashMap<>(message.metadata());
    marked.put(STOP_REASON, reason);
    return message.withMetadata(marked);
  }
}
