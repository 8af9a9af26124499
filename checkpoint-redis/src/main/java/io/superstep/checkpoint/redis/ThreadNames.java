package io.superstep.checkpoint.redis;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Ids of threads as parts of keys: whatever Redis, or a person at its console, could take for
 * something else is escaped.
 */
final class ThreadNames {

  private static final String PLAIN = "-._~:/@+=,;!*()'$&#|";

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

  /** Reads what {@link #escaped} wrote. */
  static String read(String escaped) {
    StringBuilder id = new StringBuilder(escaped.length());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int at = 0; at < escaped.length(); at++) {
      if (escaped.charAt(at) != '%') {
        flush(bytes, id);
        id.append(escaped.charAt(at));
      } else if (escaped.charAt(at + 1) == 'u') {
        flush(bytes, id);
        id.append((char) Integer.parseInt(escaped, at + 2, at + 6, 16));
        at += 5;
      } else {
        bytes.write(Integer.parseInt(escaped, at + 1, at + 3, 16));
        at += 2;
      }
    }
    flush(bytes, id);
    return id.toString();
  }

  private static void flush(ByteArrayOutputStream bytes, StringBuilder id) {
    id.append(bytes.toString(StandardCharsets.UTF_8));
    bytes.reset();
  }
}
