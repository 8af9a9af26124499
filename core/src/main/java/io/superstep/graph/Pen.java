package io.superstep.graph;

import java.util.List;

/** What a diagram is drawn with: it puts down shapes and arrows in a notation of its own. */
interface Pen {

  /** Where a graph begins or ends. */
  void terminal(String id, String label);

  void node(Shape node);

  /** The point where the ways to a join meet. */
  void meeting(String id);

  /** What is put down from here on lies inside {@code subgraph}, until it is closed. */
  void open(Shape subgraph);

  void close();

  void arrow(Arrow arrow);

  /**
   * A node as it is seen.
   *
   * @param marks what is special about it
   * @param current whether a run stands there
   */
  record Shape(String id, String name, List<String> marks, boolean current) {

    public Shape {
      marks = List.copyOf(marks);
    }

    /** Its name, and behind {@code separator} what is special about it. */
    String label(String separator) {
      return marks.isEmpty() ? name : name + separator + String.join(", ", marks);
    }
  }

  /**
   * A way as it is seen.
   *
   * @param label empty if there is nothing to say
   */
  record Arrow(String from, String to, Line line, String label) {}

  /** What tells one way from another at a glance. */
  enum Line {
    /** Taken in any case. */
    SOLID,
    /** Taken if something chooses it. */
    DASHED,
    /** Taken together with others, up to where they meet. */
    HEADLESS
  }
}
