package io.superstep.memory;

/** The rules for the names of namespaces and the keys of items. */
final class Names {

  private Names() {}

  /** Refuses a name that is empty, too long, or has no form in UTF-8. */
  static void require(String kind, String name, int most, String where) {
    if (name.isEmpty()) {
      throw InvalidMemoryException.badName(
          "The " + kind + " is empty.", where, "Use at least one character.");
    }
    requireText(kind, name, most, where);
  }

  /** As {@link #require}, where an empty text will do. */
  static void requireText(String kind, String text, int most, String where) {
    if (text.length() > most) {
      throw InvalidMemoryException.badName(
          "The " + kind + " has " + text.length() + " characters, and the maximum is " + most + ".",
          where,
          "Shorten it, or use a hash of it.");
    }
    if (text.codePoints().anyMatch(Names::isHalfACharacter)) {
      throw InvalidMemoryException.badName(
          "The " + kind + " has an unpaired surrogate, which cannot be stored.",
          where,
          "Cut texts between characters, and not within a surrogate pair.");
    }
  }

  private static boolean isHalfACharacter(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }

  /** By code points, and so by the bytes of UTF-8: the order that every store can have. */
  static int compare(String one, String other) {
    int shorter = Math.min(one.length(), other.length());
    for (int at = 0; at < shorter; at++) {
      if (one.charAt(at) != other.charAt(at)) {
        return Integer.compare(one.codePointAt(at), other.codePointAt(at));
      }
    }
    return Integer.compare(one.length(), other.length());
  }
}
