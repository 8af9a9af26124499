package io.superstep.json;

/** What was written to a channel that the schema does not know, kept as the text it was. */
record StrangeValue(String json) {

  /** That something was written; never what. */
  @Override
  public String toString() {
    return "something";
  }
}
