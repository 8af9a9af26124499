package io.superstep.error;

/**
 * Makes text of users and of stored data safe for a message: bounded in length, without control
 * characters. A short text without such characters is returned as it is.
 */
public final class MessageText {

  /** The maximum length of one part of a problem. */
  static final int MAX_PART = 600;

  /** The maximum length of a name inside a message. */
  static final int MAX_NAME = 100;

  /** The share of a shortened text that comes from its end. */
  private static final int TAIL = 4;

  private MessageText() {}

  /** Returns {@code name} as it is quoted inside a message: at most 100 characters of it. */
  public static String name(String name) {
    return safe(name, MAX_NAME);
  }

  /** Returns one part of a problem: at most 600 characters. */
  static String part(String text) {
    return safe(text, MAX_PART);
  }

  /**
   * Returns {@code text} with at most {@code max} characters, the middle of a longer one left out,
   * and with control characters, bidirectional controls and unpaired surrogates escaped.
   */
  private static String safe(String text, int max) {
    if (text.length() <= max && firstUnsafe(text) < 0) {
      return text;
    }
    String note = "…(" + text.length() + " characters)…";
    int room = max - note.length();
    int tail = room / TAIL;
    // Escaping makes a text longer, by a factor that is bounded.
    String cut = text.length() <= max ? text : text.substring(0, max);
    String escaped = escaped(cut);
    if (text.length() <= max && escaped.length() <= max) {
      return escaped;
    }
    String end = escaped(text.substring(text.length() - Math.min(text.length(), tail)));
    return start(escaped, room - tail) + note + end(end, tail);
  }

  /** The first characters of {@code text}, without half of a pair of surrogates at their end. */
  private static String start(String text, int max) {
    int end = Math.min(text.length(), max);
    return text.substring(
        0, end > 0 && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end);
  }

  /** The last characters of {@code text}, without half of a pair of surrogates at their start. */
  private static String end(String text, int max) {
    int start = Math.max(0, text.length() - max);
    return text.substring(
        start < text.length() && Character.isLowSurrogate(text.charAt(start)) ? start + 1 : start);
  }

  private static int firstUnsafe(String text) {
    for (int at = 0; at < text.length(); at++) {
      if (isUnsafe(text, at)) {
        return at;
      }
    }
    return -1;
  }

  private static String escaped(String text) {
    if (firstUnsafe(text) < 0) {
      return text;
    }
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    for (int at = 0; at < text.length(); at++) {
      char character = text.charAt(at);
      if (isUnsafe(text, at)) {
        escaped.append(String.format("\\u%04x", (int) character));
      } else {
        escaped.append(character);
      }
    }
    return escaped.toString();
  }

  /** Whether the character at {@code at} could change how the text around it is shown. */
  static boolean isUnsafe(String text, int at) {
    char character = text.charAt(at);
    if (character < ' ' || (character >= 0x7f && character <= 0x9f)) {
      return true;
    }
    if (character < 0x2028) {
      return false;
    }
    if (Character.isHighSurrogate(character)) {
      return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
    }
    if (Character.isLowSurrogate(character)) {
      return at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
    }
    return character <= 0x202e || (character >= 0x2066 && character <= 0x2069);
  }
}
