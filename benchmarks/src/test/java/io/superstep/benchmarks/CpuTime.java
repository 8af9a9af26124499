package io.superstep.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * What an operation costs in time of all processors, the compiler's and the collector's included. A
 * noisy neighbour changes it less than time on the clock.
 */
public final class CpuTime implements InternalProfiler {

  static final String MICROS = "cpu";

  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private long before;

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    before = system.getProcessCpuTime();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double micros = (system.getProcessCpuTime() - before) / 1e3;
    long operations = result.getMetadata().getMeasuredOps();
    return List.of(new ScalarResult(MICROS, micros / operations, "us/op", AggregationPolicy.AVG));
  }

  @Override
  public String getDescription() {
    return "Time of all processors per operation";
  }
}
