package io.superstep.memory;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where items of memory belong: a path of names, such as {@code users}, {@code 42},
 * {@code preferences}.
 *
 * <p>A name may have any characters. The {@linkplain #toString text} of a namespace is made of
 * letters, digits and {@code -._~%/} only. In it each name ends with a slash, so that what lies
 * below a namespace is what starts with its text, and nothing else. Namespaces are ordered by their
 * texts.
 *
 * <p>Immutable; two namespaces are equal if their names are.
 */
public final class Namespace implements Comparable<Namespace> {

  /** How many names a namespace may have. */
  public static final int MAX_DEPTH = 16;

  /** How many characters a name may have. */
  public static final int MAX_NAME_LENGTH = 128;

  /** The namespace that all others are below. */
  public static final Namespace ROOT = new Namespace(List.of(), "");

  private static final char END_OF_NAME = '/';
  private static final char ESCAPE = '%';

  private final List<String> names;
  private final String text;

  private Namespace(List<String> names, String text) {
    this.names = names;
    this.text = text;
  }

  /**
   * The namespace with these names, from the outermost on.
   *
   * @throws InvalidMemoryException if a name is empty or too long, or there are too many
   */
  public static Namespace of(String first, String... more) {
    Namespace namespace = ROOT.child(first);
    for (String name : more) {
      namespace = namespace.child(name);
    }
    return namespace;
  }

  /**
   * The namespace called {@code name} in this one.
   *
   * @throws InvalidMemoryException if the name is empty or too long, or would be one too many
   */
  public Namespace child(String name) {
    String where = "a name in namespace '" + text + "'";
    Names.require("name of a namespace", name, MAX_NAME_LENGTH, where);
    if (names.size() == MAX_DEPTH) {
      throw InvalidMemoryException.badName(
          "The namespace has more than " + MAX_DEPTH + " names.",
          where,
          "Use fewer names, and distinguish the items by their keys.");
    }
    List<String> longer = new ArrayList<>(names);
    longer.add(name);
    return new Namespace(List.copyOf(longer), text + escaped(name) + END_OF_NAME);
  }

  private static String escaped(String name) {
    StringBuilder escaped = new StringBuilder();
    for (byte code : name.getBytes(StandardCharsets.UTF_8)) {
      if (standsForItself(code)) {
        escaped.append((char) code);
      } else {
        escaped.append(ESCAPE).append(hexDigit(code >> 4)).append(hexDigit(code));
      }
    }
    return escaped.toString();
  }

  private static boolean standsForItself(int code) {
    return (code >= 'a' && code <= 'z')
        || (code >= 'A' && code <= 'Z')
        || (code >= '0' && code <= '9')
        || "-._~".indexOf(code) >= 0;
  }

  private static char hexDigit(int bits) {
    return "0123456789ABCDEF".charAt(bits & 0xF);
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws InvalidMemoryException if {@code text} is something else
   */
  public static Namespace parse(String text) {
    Namespace namespace = ROOT;
    int start = 0;
    for (int end = text.indexOf(END_OF_NAME); end >= 0; end = text.indexOf(END_OF_NAME, start)) {
      namespace = namespace.child(unescaped(text.substring(start, end)));
      start = end + 1;
    }
    if (!namespace.text.equals(text)) {
      throw malformed();
    }
    return namespace;
  }

  private static String unescaped(String name) {
    byte[] codes = new byte[name.length()];
    int length = 0;
    for (int at = 0; at < name.length(); at++) {
      if (name.charAt(at) == ESCAPE) {
        codes[length++] = (byte) (bits(name, at + 1) << 4 | bits(name, at + 2));
        at += 2;
      } else {
        codes[length++] = (byte) name.charAt(at);
      }
    }
    return new String(codes, 0, length, StandardCharsets.UTF_8);
  }

  private static int bits(String name, int at) {
    int bits = at < name.length() ? Character.digit(name.charAt(at), 16) : -1;
    if (bits < 0) {
      throw malformed();
    }
    return bits;
  }

  private static InvalidMemoryException malformed() {
    return InvalidMemoryException.badName(
        "The text is not a namespace.",
        "Namespace.parse(...)",
        "Pass the result of Namespace.toString(), such as 'users/42/'.");
  }

  /** The names, from the outermost on. */
  public List<String> names() {
    return names;
  }

  /** Whether this is {@code prefix} or below it; names count as wholes. */
  public boolean startsWith(Namespace prefix) {
    return text.startsWith(prefix.text);
  }

  @Override
  public int compareTo(Namespace other) {
    return text.compareTo(other.text);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Namespace namespace && text.equals(namespace.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The text of this namespace, such as {@code users/42/}, which {@link #parse} reads. */
  @Override
  public String toString() {
    return text;
  }
}
