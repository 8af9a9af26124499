package io.superstep.json;

import io.superstep.memory.MemoryItem;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.memory.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/**
 * What is to be remembered, in JSON: {@code {"namespace":"users/42/","key":"likes","value":{...}}};
 * without a value it is to be forgotten.
 */
final class MemoryText {

  private static final String MEMORIES = "memories";

  private MemoryText() {}

  static void writePart(
      List<MemoryWrite> memories, JsonGenerator out, SerializationContext context) {
    if (memories.isEmpty()) {
      return;
    }
    out.writeArrayPropertyStart(MEMORIES);
    for (MemoryWrite memory : memories) {
      out.writeStartObject();
      out.writeStringProperty("namespace", memory.namespace().toString());
      out.writeStringProperty("key", memory.key());
      if (memory instanceof MemoryWrite.Put put) {
        out.writeName("value");
        writeData(put.value(), "value", out, context);
        if (put.ttl() != null) {
          out.writeStringProperty("ttl", put.ttl().toString());
        }
      }
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  /** Writes an item, which has all its times and says who wrote it. */
  static void write(MemoryItem item, JsonGenerator out, SerializationContext context) {
    Document.begin(out);
    out.writeStringProperty("namespace", item.namespace().toString());
    out.writeStringProperty("key", item.key());
    out.writeName("value");
    writeData(item.value(), "value", out, context);
    out.writeStringProperty("written", item.written().toString());
    if (item.expires() != null) {
      out.writeStringProperty("expires", item.expires().toString());
    }
    Writer writer = item.writer();
    if (writer != null) {
      out.writeStringProperty("thread", writer.thread());
      out.writeNumberProperty("sequence", writer.sequence());
      out.writeNumberProperty("fence", writer.fence());
    }
    out.writeEndObject();
  }

  static MemoryItem readItem(Document document) {
    Reading reading = new Reading();
    document.readParts(part -> {
      switch (part) {
        case "namespace" -> reading.namespace = Namespace.parse(document.text());
        case "key" -> reading.key = document.text();
        case "value" -> reading.value = readMap(document);
        case "written" -> reading.written = document.time();
        case "expires" -> reading.expires = document.time();
        case "thread" -> reading.thread = document.text();
        case "sequence" -> reading.sequence = document.number();
        case "fence" -> reading.fence = document.number();
        default -> throw document.mismatch("a memory item");
      }
    });
    return new MemoryItem(
        document.required(reading.namespace),
        document.required(reading.key),
        document.required(reading.value),
        document.required(reading.written),
        reading.expires,
        reading.thread == null
            ? null
            : new Writer(
                reading.thread,
                document.required(reading.sequence),
                document.required(reading.fence)));
  }

  /** Writes {@code data} where a value is due; {@code part} names it if it cannot be written. */
  static void writeData(
      @Nullable Object data, String part, JsonGenerator out, SerializationContext context) {
    try {
      UntypedSerializer.INSTANCE.serialize(data, out, context);
    } catch (JacksonException failure) {
      throw failure.prependPath(MemoryText.class, part);
    }
  }

  static List<MemoryWrite> read(Document document) {
    return document.elements(() -> {
      Reading reading = new Reading();
      document.readProperties(part -> {
        switch (part) {
          case "namespace" -> reading.namespace = Namespace.parse(document.text());
          case "key" -> reading.key = document.text();
          case "value" -> reading.value = readMap(document);
          case "ttl" -> reading.ttl = Duration.parse(document.text());
          default -> throw document.mismatch("a memory write");
        }
      });
      Namespace namespace = document.required(reading.namespace);
      String key = document.required(reading.key);
      return reading.value == null
          ? new MemoryWrite.Remove(namespace, key)
          : new MemoryWrite.Put(namespace, key, reading.value, reading.ttl);
    });
  }

  /** The plain data that is due, which has to be a map by texts. */
  @SuppressWarnings("unchecked") // its keys were looked at
  static Map<String, @Nullable Object> readMap(Document document) {
    Object data = document.data();
    if (data instanceof Map<?, ?> map && map.keySet().stream().allMatch(String.class::isInstance)) {
      return (Map<String, @Nullable Object>) map;
    }
    throw document.mismatch("a map with text keys");
  }

  private static final class Reading {

    private @Nullable Namespace namespace;
    private @Nullable String key;
    private @Nullable Map<String, @Nullable Object> value;
    private @Nullable Duration ttl;
    private @Nullable Instant written;
    private @Nullable Instant expires;
    private @Nullable String thread;
    private @Nullable Long sequence;
    private @Nullable Long fence;
  }
}
