package io.superstep.benchmarks;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/** What was measured, by row and contender. */
final class Results {

  private final Map<String, Map<String, Figures>> rows = new LinkedHashMap<>();

  void put(String row, String contender, Figures figures) {
    rows.computeIfAbsent(row, any -> new LinkedHashMap<>()).put(contender, figures);
  }

  /** The figures of a row by contender, in the order in which they were put. */
  Map<String, Figures> row(String name) {
    return rows.getOrDefault(name, Map.of());
  }

  OptionalDouble cost(String row, String contender) {
    Figures figures = row(row).get(contender);
    return figures == null ? OptionalDouble.empty() : OptionalDouble.of(figures.cost());
  }
}
