package io.superstep.json;

import io.superstep.error.Problem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * A stage that compresses long documents with zlib, and reads documents that were stored without
 * compression.
 *
 * <p>A compressed document starts with another byte than JSON. Compress before you encrypt:
 * encrypted bytes do not become shorter. Inflation is limited: it stops at
 * {@link #maxInflatedSize}, and allocates in proportion to the bytes that were inflated so far.
 * Immutable and thread-safe.
 */
public final class Compression implements ByteStage {

  /** The default of {@link #maxInflatedSize}: 64 MiB. */
  public static final int DEFAULT_MAX_INFLATED_SIZE = 64 << 20;

  /** The first byte of the zlib format. */
  private static final byte MARK = 0x78;

  private static final int CHUNK = 1 << 13;

  /** Chunks are joined at the end: a buffer that doubles would take three times the memory. */
  private static final int MAX_CHUNK = 1 << 18;

  private final int least;
  private final int maxInflatedSize;

  private Compression(int least, int maxInflatedSize) {
    this.least = least;
    this.maxInflatedSize = maxInflatedSize;
  }

  /** Compresses documents of {@code least} bytes or more. */
  public static Compression from(int least) {
    if (least < 0) {
      throw new IllegalArgumentException(
          "The minimum size must not be negative, and was " + least + ".");
    }
    return new Compression(least, DEFAULT_MAX_INFLATED_SIZE);
  }

  /**
   * The same stage with another limit for inflated documents. A stored document that inflates to
   * more bytes is refused with SG-311. Longer documents are stored without compression, so that
   * they can be read.
   *
   * @param bytes {@link #DEFAULT_MAX_INFLATED_SIZE} unless set
   */
  public Compression maxInflatedSize(int bytes) {
    if (bytes < 1) {
      throw new IllegalArgumentException(
          "maxInflatedSize must be positive, and was " + bytes + ".");
    }
    return new Compression(least, bytes);
  }

  @Override
  public byte[] apply(byte[] bytes) {
    boolean fits = bytes.length <= maxInflatedSize;
    if (isMarked(bytes) && !fits) {
      throw new IllegalArgumentException(
          "The document starts like a compressed one and is larger than maxInflatedSize.");
    }
    return (fits && bytes.length >= least) || isMarked(bytes) ? deflated(bytes) : bytes;
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
        out = length < out.length ? out : Arrays.copyOf(out, out.length * 2);
        length += deflater.deflate(out, length, out.length - length);
      }
      return Arrays.copyOf(out, length);
    } finally {
      deflater.end();
    }
  }

  private byte[] inflated(byte[] stored) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(stored);
      List<byte[]> full = new ArrayList<>();
      byte[] chunk = new byte[(int) Math.min(Math.max(CHUNK, stored.length * 2L), MAX_CHUNK)];
      int used = 0;
      long total = 0;
      while (!inflater.finished()) {
        if (used == chunk.length) {
          full.add(chunk);
          chunk = new byte[Math.min(chunk.length * 2, MAX_CHUNK)];
          used = 0;
        }
        int more = inflater.inflate(chunk, used, chunk.length - used);
        if (more == 0 && !inflater.finished()) {
          throw new IllegalArgumentException("The compressed document is truncated.");
        }
        used += more;
        total += more;
        if (total > maxInflatedSize) {
          throw tooLarge();
        }
      }
      if (inflater.getRemaining() > 0) {
        throw new IllegalArgumentException("The compressed document is followed by other bytes.");
      }
      return joined(full, chunk, used, (int) total);
    } catch (DataFormatException malformed) {
      throw new IllegalArgumentException("The document is not a valid zlib stream.", malformed);
    } finally {
      inflater.end();
    }
  }

  /** All of {@code full}, and the first bytes of {@code last}. */
  private static byte[] joined(List<byte[]> full, byte[] last, int used, int total) {
    byte[] joined = new byte[total];
    int length = 0;
    for (byte[] chunk : full) {
      System.arraycopy(chunk, 0, joined, length, chunk.length);
      length += chunk.length;
    }
    System.arraycopy(last, 0, joined, length, used);
    return joined;
  }

  private InvalidJsonException tooLarge() {
    Problem problem = new Problem(
        "SG-311",
        "The stored document inflates to more than " + maxInflatedSize + " bytes.",
        "the stage Compression",
        "Raise the limit with Compression.maxInflatedSize(bytes) if the document is known to be"
            + " valid.");
    return new InvalidJsonException(problem, null, "", null);
  }
}
