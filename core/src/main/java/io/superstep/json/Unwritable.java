package io.superstep.json;

import tools.jackson.databind.DatabindException;

/** Why a value cannot be written; each container on the way up adds its step to the path. */
final class Unwritable extends DatabindException {

  private static final long serialVersionUID = 1L;

  private final String type;
  private final String fix;

  /** @param reason what completes the sentence "A value of this type ..." */
  Unwritable(Class<?> type, String reason, String fix) {
    super(reason);
    this.type = type.getTypeName();
    this.fix = fix;
  }

  String type() {
    return type;
  }

  String fix() {
    return fix;
  }
}
