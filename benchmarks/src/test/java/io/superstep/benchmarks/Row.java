package io.superstep.benchmarks;

import java.util.List;

/**
 * One line of the comparison: contenders that do the same work.
 *
 * @param name that of its workload, or that and what is special about it
 * @param unit what the cost is counted in, and of what
 */
record Row(String name, String unit, List<Contender> contenders) {

  Row {
    contenders = List.copyOf(contenders);
  }
}
