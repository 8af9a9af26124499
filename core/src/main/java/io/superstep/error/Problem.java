package io.superstep.error;

import java.io.Serializable;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One thing that is wrong, told so that it can be put right: a stable code, what it is, the place
 * in the user's own words, and the fix.
 *
 * <p>A problem names channels, nodes and types, never the values of a state: those may be private.
 * Each of its parts has at most 600 characters, the middle of a longer one being left out, and its
 * control characters are escaped: names may come from callers, and from stored data.
 *
 * @param code the stable key under which {@code docs/errors.md} explains this kind of problem, such
 *     as {@code SG-201}
 * @param what one sentence that says what is wrong
 * @param where the user's own call or the path that led here, such as {@code edge("triage",
 *     "reviwer")}
 * @param fix one sentence that says what to do
 */
public record Problem(String code, String what, String where, String fix) implements Serializable {

  private static final Pattern CODE = Pattern.compile("SG-[1-9][0-9]{2}");
  private static final String MARGIN = " ".repeat("SG-201  ".length());

  public Problem {
    if (!CODE.matcher(code).matches()) {
      throw new IllegalArgumentException(
          "A problem's code looks like SG-201, not like '" + MessageText.name(code) + "'.");
    }
    what = text("what", what);
    where = text("where", where);
    fix = text("fix", fix);
  }

  private static String text(String part, String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException(
          "A problem needs its '" + part + "': without it nobody can act on it.");
    }
    return MessageText.part(text);
  }

  /**
   * Returns the problem as text of four lines: the code and what is wrong, the place, the fix, and
   * the anchor of the code in the errors page, relative to the root of the documentation.
   */
  @Override
  public String toString() {
    return code + "  " + what + "\n" + MARGIN + "at  " + where + "\n" + MARGIN + "fix " + fix + "\n"
        + MARGIN + "see errors.md#" + code.toLowerCase(Locale.ROOT);
  }
}
