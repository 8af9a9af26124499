package io.superstep.graph;

/** Text that grows line by line, indented by how deep it is nested. */
final class Sheet {

  private final StringBuilder text = new StringBuilder();
  private String indent = "";

  void line(String line) {
    text.append(indent).append(line).append('\n');
  }

  /** A line that has those below it inside. */
  void open(String line) {
    line(line);
    indent += "  ";
  }

  /** A line that closes the last one opened. */
  void close(String line) {
    indent = indent.substring(2);
    line(line);
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
