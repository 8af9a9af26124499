package io.superstep.checkpoint.redis;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Ids of threads as parts of keys: whatever Redis, or a person at its console, could take for
 * something else is escaped.
 */
final class ThreadNames {

  private static final String PLAIN = "-._~:/@+=,;!*()'$&#|";

  private static final int LONGEST_SHOWN = 200;

  private ThreadNames() {}

  static String escaped(String id) {
    StringBuilder escaped = new StringBuilder(id.length() + 8);
    for (int at = 0; at < id.length(); ) {
      int code = id.codePointAt(at);
      at += Character.charCount(code);
      if (isPlain(code)) {
        escaped.append((char) code);
      } else if (code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE) {
        escaped.append("%u").append(Integer.toHexString(code)); // half a pair has no UTF-8
      } else {
        for (byte each : Character.toString(code).getBytes(StandardCharsets.UTF_8)) {
          escaped.append('%').append(Character.forDigit((each >> 4) & 0xF, 16));
          escaped.append(Character.forDigit(each & 0xF, 16));
        }
      }
    }
    return escaped.toString();
  }

  private static boolean isPlain(int code) {
    return (code >= 'a' && code <= 'z')
        || (code >= 'A' && code <= 'Z')
        || (code >= '0' && code <= '9')
        || PLAIN.indexOf(code) >= 0;
  }

  /** Reads what {@link #escaped} wrote; null if {@code stored} is something else. */
  static @Nullable String read(byte[] stored) {
    String escaped = new String(stored, StandardCharsets.ISO_8859_1);
    StringBuilder id = new StringBuilder(escaped.length());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      for (int at = 0; at < escaped.length(); at++) {
        if (escaped.charAt(at) != '%') {
          flush(bytes, id);
          id.append(escaped.charAt(at));
        } else if (escaped.startsWith("u", at + 1)) {
          flush(bytes, id);
          id.append((char) Integer.parseInt(escaped, at + 2, at + 6, 16));
          at += 5;
        } else {
          bytes.write(Integer.parseInt(escaped, at + 1, at + 3, 16));
          at += 2;
        }
      }
    } catch (NumberFormatException | IndexOutOfBoundsException damaged) {
      return null;
    }
    flush(bytes, id);
    String name = id.toString();
    return escaped(name).equals(escaped) ? name : null;
  }

  /** Returns {@code id} for messages: bounded, and without control characters. */
  static String shown(String id) {
    String start = id.length() > LONGEST_SHOWN ? id.substring(0, LONGEST_SHOWN) + "…" : id;
    StringBuilder shown = new StringBuilder(start.length());
    for (int at = 0; at < start.length(); at++) {
      char each = start.charAt(at);
      shown.append(Character.isISOControl(each) ? '\ufffd' : each);
    }
    return shown.toString();
  }

  private static void flush(ByteArrayOutputStream bytes, StringBuilder id) {
    id.append(bytes.toString(StandardCharsets.UTF_8));
    bytes.reset();
  }
}
