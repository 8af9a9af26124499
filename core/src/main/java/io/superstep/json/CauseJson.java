package io.superstep.json;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.error.Attribution;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Reads and writes the cause of a checkpoint: {@code {"kind":"update","author":"ada"}}. */
final class CauseJson {

  private @Nullable String author;
  private @Nullable String reason;
  private Cause.@Nullable Kind kind;
  private @Nullable String thread;
  private @Nullable CheckpointId checkpoint;

  private CauseJson() {}

  static void write(Cause cause, JsonGenerator out) {
    out.writeStartObject();
    out.writeStringProperty("kind", word(cause.kind()));
    if (cause.author() != null) {
      out.writeStringProperty("author", cause.author());
    }
    if (cause.reason() != null) {
      out.writeStringProperty("reason", cause.reason());
    }
    if (cause.source() != null) {
      out.writeStringProperty("thread", cause.source().thread());
      out.writeStringProperty("checkpoint", cause.source().checkpoint().toString());
    }
    out.writeEndObject();
  }

  /** Writes the kind and the author, without the reason, which may quote anything. */
  static void writeVisible(Cause cause, JsonGenerator out) {
    write(new Cause(cause.kind(), cause.author(), null, null), out);
  }

  static Cause read(Document document) {
    CauseJson parts = new CauseJson();
    document.readProperties(part -> {
      switch (part) {
        case "kind" -> parts.kind = kind(document);
        case "author" -> parts.author = Attribution.storedName(document.text());
        case "reason" -> parts.reason = Attribution.storedReason(document.text());
        case "thread" -> parts.thread = document.text();
        case "checkpoint" -> parts.checkpoint = CheckpointId.parse(document.text());
        default -> throw document.mismatch("a cause");
      }
    });
    return new Cause(
        document.required(parts.kind),
        parts.author,
        parts.reason,
        parts.thread == null
            ? null
            : new Cause.Source(parts.thread, document.required(parts.checkpoint)));
  }

  private static String word(Cause.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private static Cause.Kind kind(Document document) {
    String word = document.text();
    for (Cause.Kind kind : Cause.Kind.values()) {
      if (word(kind).equals(word)) {
        return kind;
      }
    }
    throw document.mismatch("the kind of a cause");
  }
}
