package io.superstep.benchmarks;

import java.util.List;

/**
 * Something that graphs are used for, measured in one row or several.
 *
 * @param targets what the figures are held to
 * @param remarks what somebody has to know who reads the figures, and why a peer is missing
 */
record Workload(
    String name, String description, List<Row> rows, List<Target> targets, List<String> remarks) {

  Workload {
    rows = List.copyOf(rows);
    targets = List.copyOf(targets);
    remarks = List.copyOf(remarks);
  }
}
