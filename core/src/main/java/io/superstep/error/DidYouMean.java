package io.superstep.error;

import java.util.Collection;
import java.util.Optional;

/** Guesses which known name a misspelt one was meant to be. */
public final class DidYouMean {

  /** Longer names are not typed by hand, and comparing them costs the product of their lengths. */
  private static final int LONGEST_GUESSED = 64;

  private DidYouMean() {}

  /**
   * The known name nearest to {@code name}, if one is near enough that a reader would call it a
   * typing error: about one slip in three letters, a swap of neighbours counting as one. Of equally
   * near names the first one wins.
   */
  public static Optional<String> among(Collection<String> known, String name) {
    String nearest = null;
    int least = name.length() > LONGEST_GUESSED
        ? 0
        : Math.min(Math.max(1, name.length() / 3) + 1, name.length());
    for (String candidate : known) {
      if (Math.abs(candidate.length() - name.length()) < least) {
        int slips = slips(name, candidate);
        if (slips < least) {
          least = slips;
          nearest = candidate;
        }
      }
    }
    return Optional.ofNullable(nearest);
  }

  /** The optimal string alignment distance, over three rows of its table. */
  private static int slips(String from, String to) {
    int[] beforeLast = new int[to.length() + 1];
    int[] last = new int[to.length() + 1];
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      last[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int changed = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(Math.min(row[j - 1], last[j]) + 1, last[j - 1] + changed);
        if (i > 1
            && j > 1
            && from.charAt(i - 1) == to.charAt(j - 2)
            && from.charAt(i - 2) == to.charAt(j - 1)) {
          row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
        }
      }
      int[] spare = beforeLast;
      beforeLast = last;
      last = row;
      row = spare;
    }
    return last[to.length()];
  }
}
