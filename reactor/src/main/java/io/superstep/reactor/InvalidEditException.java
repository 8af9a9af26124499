package io.superstep.reactor;

import io.superstep.error.DidYouMean;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.util.Collection;
import java.util.List;

/** Thrown if an edit names channels that are not editable; nothing was written. */
public final class InvalidEditException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private final String[] fields;

  /** @param editable the editable channels */
  InvalidEditException(String thread, List<String> fields, Collection<String> editable) {
    super(
        headline("The edit was refused", fields),
        fields.stream().map(field -> problem(thread, field, editable)).toList());
    this.fields = fields.toArray(String[]::new);
  }

  private static Problem problem(String thread, String field, Collection<String> editable) {
    return new Problem(
        "SG-446",
        "Channel '" + field + "' is not editable.",
        "thread '" + thread + "'",
        DidYouMean.among(editable, field)
            .map(meant -> "Did you mean '" + meant + "'?")
            .orElseGet(() -> editable.isEmpty()
                ? "Add the channel to editable(...); no channel is editable."
                : "Use one of " + editable + ", or add the channel to editable(...)."));
  }

  /** Returns the names that are not editable. */
  public List<String> fields() {
    return List.of(fields);
  }
}
