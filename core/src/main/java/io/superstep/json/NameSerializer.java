package io.superstep.json;

import java.util.Collection;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/**
 * Writes text as the name of a property, if it can be read as one: Jackson writes half of a
 * surrogate pair there, but does not read it.
 */
final class NameSerializer extends ValueSerializer<String> {

  @Override
  public void serialize(String name, JsonGenerator out, SerializationContext context) {
    if (!isName(name)) {
      throw new Unwritable(
          String.class,
          "is a key with an unpaired surrogate",
          "Cut text between characters, and not within a surrogate pair.");
    }
    out.writeName(name);
  }

  /** Whether all of {@code keys} can be names of properties. */
  static boolean areNames(Collection<?> keys) {
    for (Object key : keys) {
      if (!(key instanceof String text) || !isName(text)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isName(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (i + 1 == text.length()
            || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
          return false;
        }
        i++;
      }
    }
    return true;
  }
}
