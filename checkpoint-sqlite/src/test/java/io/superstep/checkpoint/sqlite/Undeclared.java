package io.superstep.checkpoint.sqlite;

/** Throws what nobody has declared, as code in Kotlin may do. */
final class Undeclared {

  private Undeclared() {}

  @SuppressWarnings("unchecked")
  static <E extends Throwable> RuntimeException thrown(Throwable any) throws E {
    throw (E) any;
  }
}
