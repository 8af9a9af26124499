package io.superstep.error;

import java.io.Serializable;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A problem with its fix: a stable code, a description, the place in terms of the user's code, and
 * the action that resolves it. Immutable.
 *
 * <p>A problem names channels, nodes and types, never the values of a state, which may be private.
 * Each part has at most 600 characters; the middle of a longer text is left out. Control characters
 * are escaped, because names may come from callers and from stored data.
 *
 * @param code the stable key under which {@code docs/errors.md} explains this kind of problem, such
 *     as {@code SG-201}
 * @param what one sentence that describes the problem
 * @param where the user's call, or the path of the value, such as {@code edge("triage", "reviwer")}
 * @param fix the action that resolves the problem
 */
public record Problem(String code, String what, String where, String fix) implements Serializable {

  private static final Pattern CODE = Pattern.compile("SG-[1-9][0-9]{2}");
  private static final String MARGIN = " ".repeat("SG-201  ".length());

  public Problem {
    if (!CODE.matcher(code).matches()) {
      throw new IllegalArgumentException(
          "The code of a problem has the form SG-201, and was '" + MessageText.name(code) + "'.");
    }
    what = text("what", what);
    where = text("where", where);
    fix = text("fix", fix);
  }

  private static String text(String part, String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("The '" + part + "' of a problem must not be blank.");
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
