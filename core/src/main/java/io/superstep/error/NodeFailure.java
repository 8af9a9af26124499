package io.superstep.error;

/** What an error says that is about one node: which it was, and how often it was tried. */
public interface NodeFailure {

  String node();

  /** How often it was tried. */
  int attempts();
}
