package io.superstep.json;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A stage that compresses what is long, and reads what was stored without it.
 *
 * <p>What it has compressed is in the zlib format, and begins with another byte than JSON does.
 * Compress before you encrypt: what was encrypted does not become shorter. Immutable and safe for
 * use by many threads.
 */
public final class Compression implements ByteStage {

  /** What the zlib format begins with. */
  private static final byte MARK = 0x78;

  /** What is longer stays as it is, so that nothing short can be made to fill the memory. */
  private static final int MOST = 1 << 28;

  private static final int CHUNK = 1 << 13;

  private final int least;

  private Compression(int least) {
    this.least = least;
  }

  /** Compresses what has {@code least} bytes or more. */
  public static Compression from(int least) {
    if (least < 0) {
      throw new IllegalArgumentException("A size is not negative, as " + least + " is.");
    }
    return new Compression(least);
  }

  @Override
  public byte[] apply(byte[] bytes) {
    if (isMarked(bytes) && bytes.length > MOST) {
      throw new IllegalArgumentException("The bytes are too many to be told from compressed ones.");
    }
    boolean isLong = bytes.length >= least && bytes.length <= MOST;
    return isLong || isMarked(bytes) ? deflated(bytes) : bytes;
  }

  @Override
  public byte[] undo(byte[] stored) {
    return isMarked(stored) ? inflated(stored) : stored;
  }

  private static boolean isMarked(byte[] bytes) {
    return bytes.length > 0 && bytes[0] == MARK;
  }

  private static byte[] deflated(byte[] bytes) {
    Deflater deflater = new Deflater();
    try {
      deflater.setInput(bytes);
      deflater.finish();
      byte[] out = new byte[Math.max(CHUNK, bytes.length / 4)];
      int length = 0;
      while (!deflater.finished()) {
        out = roomy(out, length);
        length += deflater.deflate(out, length, out.length - length);
      }
      return Arrays.copyOf(out, length);
    } finally {
      deflater.end();
    }
  }

  private static byte[] inflated(byte[] stored) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(stored);
      byte[] out = new byte[Math.max(CHUNK, Math.min(MOST, stored.length) * 2)];
      int length = 0;
      while (!inflater.finished()) {
        out = roomy(out, length);
        int more = inflater.inflate(out, length, out.length - length);
        length += more;
        if (length > MOST || (more == 0 && !inflater.finished())) {
          throw new IllegalArgumentException("The bytes are cut off, or too many.");
        }
      }
      if (inflater.getRemaining() > 0) {
        throw new IllegalArgumentException("There are bytes behind the end.");
      }
      return Arrays.copyOf(out, length);
    } catch (DataFormatException malformed) {
      throw new IllegalArgumentException("The bytes are not compressed.", malformed);
    } finally {
      inflater.end();
    }
  }

  private static byte[] roomy(byte[] bytes, int used) {
    return used < bytes.length ? bytes : Arrays.copyOf(bytes, bytes.length * 2);
  }
}
