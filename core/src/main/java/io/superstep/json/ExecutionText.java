package io.superstep.json;

import io.superstep.checkpoint.Execution;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/**
 * An execution in JSON, as parts of the event that has it:
 * {@code "fence":7,"enclosing":[2],"attempt":1}. The fence is left out if it is 0, the enclosing
 * attempts if all of them are first attempts.
 */
final class ExecutionText {

  private ExecutionText() {}

  static void write(Execution execution, JsonGenerator out) {
    if (execution.fence() > 0) {
      out.writeNumberProperty("fence", execution.fence());
    }
    if (!execution.enclosing().isEmpty()) {
      out.writeArrayPropertyStart("enclosing");
      execution.enclosing().forEach(out::writeNumber);
      out.writeEndArray();
    }
    out.writeNumberProperty("attempt", execution.attempt());
  }

  /** Reads the enclosing attempts that are due. */
  static List<Integer> readEnclosing(Document document) {
    return document.elements(() -> readAttempt(document));
  }

  /** Reads the attempt that is due. */
  static int readAttempt(Document document) {
    int attempt = document.count();
    if (attempt == 0) {
      throw document.mismatch("an attempt of at least 1");
    }
    return attempt;
  }

  /** Reads the fence that is due. */
  static long readFence(Document document) {
    long fence = document.number();
    if (fence < 0) {
      throw document.mismatch("a fence of at least 0");
    }
    return fence;
  }
}
