package io.superstep.json;

/**
 * A step between the JSON text and the stored bytes, such as compression or encryption.
 *
 * <p>JSON text begins with an opening brace. A stage whose output begins with any other byte can
 * tell the two apart in {@link #undo}, and hand text that was written before the stage was
 * introduced through as it is.
 */
public interface ByteStage {

  /** What is stored in place of {@code bytes}, which it must not change. */
  byte[] apply(byte[] bytes);

  /** The bytes from which {@link #apply} made {@code stored}, which it must not change. */
  byte[] undo(byte[] stored);
}
