package io.superstep.json;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.exc.InvalidDefinitionException;

/**
 * The classes that a sealed type permits, each with the name that tells it from the others: what
 * {@code @JsonTypeName} says, or its simple name in kebab case.
 *
 * @param members by their names, all of them classes that can have instances
 */
record SealedFamily(JavaType type, Map<String, JavaType> members) {

  /** The property that holds the name of the class. */
  static final String TYPE = "type";

  /** The property that holds a value that has no properties of its own, or one called "type". */
  static final String VALUE = "value";

  private static final Pattern WORD_BREAK =
      Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

  static SealedFamily of(JavaType type, MapperConfig<?> config) {
    Map<String, JavaType> members = new LinkedHashMap<>();
    collect(type, type.getRawClass(), config, members);
    return new SealedFamily(type, members);
  }

  private static void collect(
      JavaType base, Class<?> sealed, MapperConfig<?> config, Map<String, JavaType> members) {
    for (Class<?> permitted : sealed.getPermittedSubclasses()) {
      JavaType member = config.getTypeFactory().constructSpecializedType(base, permitted);
      if (permitted.isEnum() || !member.isAbstract()) {
        JavaType other = members.put(name(member, config), member);
        if (other != null && !other.equals(member)) {
          throw ambiguous(base, other, member);
        }
      }
      if (permitted.isSealed() && !permitted.isEnum()) {
        collect(base, permitted, config, members);
      }
    }
  }

  private static String name(JavaType member, MapperConfig<?> config) {
    String given = config
        .getAnnotationIntrospector()
        .findTypeName(
            config, config.classIntrospectorInstance().introspectClassAnnotations(member));
    return given == null || given.isEmpty() ? kebab(member.getRawClass().getSimpleName()) : given;
  }

  static String kebab(String simpleName) {
    return WORD_BREAK.matcher(simpleName).replaceAll("-").toLowerCase(Locale.ROOT);
  }

  private static InvalidDefinitionException ambiguous(JavaType base, JavaType one, JavaType other) {
    return InvalidDefinitionException.from(
        (tools.jackson.core.JsonParser) null,
        one.getTypeName() + " and " + other.getTypeName() + " have the same name",
        base);
  }

  /** The name of the class of {@code value}, if it is one of this family. */
  @Nullable
  String nameOf(Object value) {
    Class<?> member =
        value instanceof Enum<?> constant ? constant.getDeclaringClass() : value.getClass();
    for (Map.Entry<String, JavaType> entry : members.entrySet()) {
      if (entry.getValue().hasRawClass(member)) {
        return entry.getKey();
      }
    }
    return null;
  }
}
