package io.superstep.error;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The rules for the names and reasons that callers give and stores keep: authors, respondents,
 * thread ids, keys of questions, owners of leases. They appear in logs, messages and keys of
 * stores.
 */
public final class Attribution {

  /** The maximum length of a name. */
  public static final int MAX_NAME_LENGTH = 1_000;

  /** The maximum length of the owner of leases, which is written with each lease and renewal. */
  public static final int MAX_OWNER_LENGTH = 100;

  /** The maximum length of a reason. */
  public static final int MAX_REASON_LENGTH = 10_000;

  private Attribution() {}

  /**
   * Returns {@code name} if it has at most {@value #MAX_NAME_LENGTH} characters, none of them a
   * control character or an unpaired surrogate.
   *
   * @param what the kind of name, for the error, such as "author"
   * @throws InvalidNameException if it does not
   */
  public static String name(String what, String name) {
    return require(what, name, MAX_NAME_LENGTH, false);
  }

  /**
   * Returns {@code id} if it can name a thread: it has between one and {@value #MAX_NAME_LENGTH}
   * characters that are not all white space, none of them a control character or an unpaired
   * surrogate.
   *
   * @throws InvalidNameException if it cannot, or is null
   */
  public static String threadId(@Nullable String id) {
    return filled("thread id", id, MAX_NAME_LENGTH);
  }

  /**
   * Returns {@code owner} if it can name the owner of leases: it has between one and
   * {@value #MAX_OWNER_LENGTH} characters that are not all white space, none of them a control
   * character or an unpaired surrogate.
   *
   * @throws InvalidNameException if it cannot, or is null
   */
  public static String owner(@Nullable String owner) {
    return filled("lease owner", owner, MAX_OWNER_LENGTH);
  }

  private static String filled(String what, @Nullable String name, int max) {
    if (name == null || isBlank(name)) {
      throw new InvalidNameException(
          what,
          name == null ? "is null" : "is blank",
          "Use 1 to " + max + " characters that are not all white space.");
    }
    return require(what, name, max, false);
  }

  private static boolean isBlank(String text) {
    return text.codePoints()
        .allMatch(each -> Character.isWhitespace(each) || Character.isSpaceChar(each));
  }

  /**
   * Returns {@code reason} if it has at most {@value #MAX_REASON_LENGTH} characters, none of them a
   * control character other than a line break or a tab, or an unpaired surrogate.
   *
   * @param what the kind of text, for the error, such as "reason"
   * @throws InvalidNameException if it does not
   */
  public static String reason(String what, String reason) {
    return require(what, reason, MAX_REASON_LENGTH, true);
  }

  /** Returns a name that was stored before these rules, shortened and escaped to follow them. */
  public static String storedName(String name) {
    return violation(name, MAX_NAME_LENGTH, false) == null ? name : MessageText.name(name);
  }

  /** Returns a reason that was stored before these rules, shortened and escaped to follow them. */
  public static String storedReason(String reason) {
    return violation(reason, MAX_REASON_LENGTH, true) == null ? reason : MessageText.part(reason);
  }

  private static String require(String what, String text, int max, boolean isProse) {
    String violation = violation(Objects.requireNonNull(text, what), max, isProse);
    if (violation != null) {
      throw new InvalidNameException(
          what,
          violation,
          "Use at most " + max + " characters, without control characters, bidirectional controls"
              + " and unpaired surrogates.");
    }
    return text;
  }

  private static @Nullable String violation(String text, int max, boolean isProse) {
    if (text.length() > max) {
      return "has " + text.length() + " characters, and the maximum is " + max;
    }
    for (int at = 0; at < text.length(); at++) {
      char character = text.charAt(at);
      boolean isLayout = isProse && (character == '\n' || character == '\r' || character == '\t');
      if (!isLayout && MessageText.isUnsafe(text, at)) {
        return "has a control character, a bidirectional control or an unpaired surrogate at position "
            + at;
      }
    }
    return null;
  }
}
