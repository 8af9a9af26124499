package io.superstep.checkpoint.sqlite;

import org.jspecify.annotations.Nullable;

/**
 * Names as SQLite can have them: they read as they are, but for characters that no text in UTF-8
 * has, or that tools take for the end of it.
 */
final class Names {

  private static final char ESCAPE = '%';

  private Names() {}

  static String stored(String name) {
    StringBuilder stored = new StringBuilder(name.length());
    for (int at = 0; at < name.length(); ) {
      int code = name.codePointAt(at);
      at += Character.charCount(code);
      if (code == ESCAPE || code == 0 || isHalfACharacter(code)) {
        stored.append(ESCAPE).append(String.format("%04x", code));
      } else {
        stored.appendCodePoint(code);
      }
    }
    return stored.toString();
  }

  private static boolean isHalfACharacter(int code) {
    return code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE;
  }

  /** Reads what {@link #stored} wrote; null if {@code stored} is something else. */
  static @Nullable String readOrNull(String stored) {
    try {
      String name = read(stored);
      return stored(name).equals(stored) ? name : null;
    } catch (NumberFormatException | IndexOutOfBoundsException damaged) {
      return null;
    }
  }

  /** Reads what {@link #stored} wrote. */
  private static String read(String stored) {
    StringBuilder name = new StringBuilder(stored.length());
    for (int at = 0; at < stored.length(); at++) {
      if (stored.charAt(at) == ESCAPE) {
        name.append((char) Integer.parseInt(stored, at + 1, at + 5, 16));
        at += 4;
      } else {
        name.append(stored.charAt(at));
      }
    }
    return name.toString();
  }
}
