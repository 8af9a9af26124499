package io.superstep.value;

/**
 * The order of texts that a reader expects: numbers in them by their length before their digits, so
 * that {@code step/9} comes before {@code step/10}. Texts are at one place only if they are equal.
 */
final class NaturalOrder {

  private NaturalOrder() {}

  static int compare(String one, String other) {
    int shorter = Math.min(one.length(), other.length());
    int same = 0;
    while (same < shorter && one.charAt(same) == other.charAt(same)) {
      same++;
    }
    int byDigits = Integer.compare(digits(one, same), digits(other, same));
    if (byDigits != 0) {
      return byDigits;
    }
    return same < shorter
        ? Character.compare(one.charAt(same), other.charAt(same))
        : Integer.compare(one.length(), other.length());
  }

  /** How many digits follow each other from {@code start} on. */
  private static int digits(String text, int start) {
    int end = start;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end - start;
  }
}
