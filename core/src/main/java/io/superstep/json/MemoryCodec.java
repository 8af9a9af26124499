package io.superstep.json;

import io.superstep.memory.MemoryItem;
import java.util.List;
import tools.jackson.databind.JacksonModule;

/**
 * Writes what is remembered as JSON, and reads it back equal. Immutable and safe for use by many
 * threads.
 */
public final class MemoryCodec {

  private final Documents documents;

  private MemoryCodec(List<ByteStage> stages) {
    List<JacksonModule> none = List.of();
    this.documents = new Documents(none, stages);
  }

  /** A codec with {@code stages}, which are undone in reverse. */
  public static MemoryCodec of(ByteStage... stages) {
    return new MemoryCodec(List.of(stages));
  }

  /** {@code item} in JSON. */
  public byte[] encode(MemoryItem item) {
    return documents.encode((out, context) -> MemoryText.write(item, out, context));
  }

  /**
   * The item that was encoded as {@code stored}.
   *
   * @throws InvalidJsonException if {@code stored} is something else
   */
  public MemoryItem decode(byte[] stored) {
    return documents.decode(stored, MemoryText::readItem);
  }
}
