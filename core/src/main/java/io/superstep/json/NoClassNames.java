package io.superstep.json;

import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;

/** Refuses every type that asks to be told from others by the name of a class. */
final class NoClassNames extends PolymorphicTypeValidator {

  private static final long serialVersionUID = 1L;

  @Override
  public Validity validateBaseType(DatabindContext context, JavaType baseType) {
    return Validity.DENIED;
  }

  @Override
  public Validity validateSubClassName(
      DatabindContext context, JavaType baseType, String subClassName) {
    return Validity.DENIED;
  }

  @Override
  public Validity validateSubType(DatabindContext context, JavaType baseType, JavaType subType) {
    return Validity.DENIED;
  }
}
