package io.superstep.checkpoint;

import java.nio.ByteBuffer;

/**
 * One stored record of a thread, exactly as the store holds it.
 *
 * @param name the place of the record within the thread, such as {@code checkpoint/12-1}; each
 *     store documents its own names
 * @param content the stored bytes; read-only, and not decoded
 */
public record RawRecord(String name, ByteBuffer content) {

  public RawRecord {
    content = content.asReadOnlyBuffer();
  }

  /** Returns the name and the size. The content may be private. */
  @Override
  public String toString() {
    return "RawRecord[" + name + ", " + content.remaining() + " bytes]";
  }
}
