package io.superstep.benchmarks;

import static io.superstep.benchmarks.Contender.ALIBABA;
import static io.superstep.benchmarks.Contender.BARE;
import static io.superstep.benchmarks.Contender.LANGGRAPH4J;
import static io.superstep.benchmarks.Contender.OURS;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.benchmarks.Contender.Plain;
import io.superstep.benchmarks.Contender.Timed;
import io.superstep.benchmarks.Target.Ahead;
import io.superstep.benchmarks.Target.Below;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("What was measured is judged and told")
class ComparisonTests {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

  @Nested
  @DisplayName("Targets")
  class Targets {

    private final Results results = new Results();

    @Test
    @DisplayName("are met by a ratio that is just reached, and missed by one above")
    void ratios() {
      results.put("row", BARE, cost(2));
      results.put("row", OURS, cost(8));

      assertThat(Target.atMost("row", 4, BARE).judge(results).met()).isTrue();
      assertThat(Target.atMost("row", 3.9, BARE).judge(results).met()).isFalse();
    }

    @Test
    @DisplayName("count by how much the best of the peers is behind")
    void peers() {
      results.put("row", OURS, cost(2));
      results.put("row", LANGGRAPH4J, cost(30));
      results.put("row", ALIBABA, cost(20));

      assertThat(new Ahead("row", 10, Target.PEERS).judge(results).met()).isTrue();
      assertThat(new Ahead("row", 11, Target.PEERS).judge(results).met()).isFalse();
      assertThat(new Ahead("row", 15, List.of(LANGGRAPH4J)).judge(results).met())
          .isTrue();
    }

    @Test
    @DisplayName("compare two rows of the engine")
    void rows() {
      results.put("short", OURS, cost(2));
      results.put("long", OURS, cost(3));

      assertThat(Target.flat("long", 1.5, "short").judge(results).met()).isTrue();
      assertThat(Target.flat("long", 1.4, "short").judge(results).met()).isFalse();
    }

    @Test
    @DisplayName("hold a row to a number")
    void numbers() {
      results.put("row", OURS, cost(3_000));

      assertThat(new Below("row", 3_000, "bytes").judge(results).met()).isTrue();
      assertThat(new Below("row", 2_999, "bytes").judge(results).met()).isFalse();
    }

    @Test
    @DisplayName("are missed if nothing was measured, or one of the peers was not")
    void missing() {
      results.put("half", OURS, cost(1));
      results.put("half", LANGGRAPH4J, cost(100));

      assertThat(Stream.of(
              Target.atMost("row", 4, BARE),
              Target.flat("row", 4, "half"),
              new Below("row", 4, "bytes"),
              new Ahead("half", 10, Target.PEERS)))
          .noneMatch(target -> target.judge(results).met());
    }
  }

  @Nested
  @DisplayName("A line for programs")
  class Lines {

    private final Results results = new Results();
    private final Row row = new Row("chain", "us", List.of());

    @Test
    @DisplayName("has the costs, the ratio to bare and how far the best peer is behind")
    void whole() {
      results.put("chain", BARE, cost(0.2));
      results.put("chain", OURS, cost(0.5));
      results.put("chain", LANGGRAPH4J, cost(10));
      results.put("chain", ALIBABA, cost(40));

      assertThat(new Report(results).line(row))
          .isEqualTo("chain 0.500 0.200 10.000 40.000 2.500 20.000");
    }

    @Test
    @DisplayName("has dashes for what there is not")
    void dashes() {
      results.put("chain", OURS, cost(0.5));

      assertThat(new Report(results).line(row)).isEqualTo("chain 0.500 - - - - -");
    }

    @Test
    @DisplayName("has as many fields as are named")
    void fields() {
      assertThat(new Report(results).line(row).split(" ", -1))
          .hasSameSizeAs(Report.FIELDS.split(" ", -1));
    }
  }

  @Nested
  @DisplayName("A comparison")
  class Comparing {

    private static final Workload LOOP = new Workload(
        "loop",
        "a loop",
        List.of(new Row(
            "loop",
            "us",
            List.of(timed(BARE, 1), timed(OURS, 2), new Plain(ALIBABA, FreshJvm.PARKED, "kept")))),
        List.of(Target.atMost("loop", 4, BARE)),
        List.of("Nobody knows."));

    @Test
    @DisplayName("ends with 0 if all targets are met, and has a line for every row")
    void met() {
      Comparison comparison = new Comparison(
          out(), each -> () -> cost(each.operations()), any -> Map.of("kept", cost(50)));

      assertThat(comparison.compare(List.of(LOOP))).isZero();
      assertThat(told())
          .contains(Report.FIELDS, "loop 2.000 1.000 - 50.000 2.000 25.000", "All targets are met.")
          .contains("  Nobody knows.");
    }

    @Test
    @DisplayName("ends with 1 if a target is missed, and names it")
    void missed() {
      Comparison comparison = new Comparison(
          out(),
          each -> () -> cost(each.name().equals(OURS) ? 5 : 1),
          any -> Map.of("kept", cost(50)));

      assertThat(comparison.compare(List.of(LOOP))).isEqualTo(1);
      assertThat(told()).contains("1 missed:", "  loop: at most 4 x bare, was 5: missed");
    }

    @Test
    @DisplayName("ends with 2 if a workload is unknown, measures nothing, and names those it knows")
    void unknown() {
      Comparison comparison = new Comparison(out(), Comparing::noTiming, Comparing::noProgram);

      assertThat(comparison.run(List.of("chain", "chian"))).isEqualTo(2);
      assertThat(told()).singleElement().asString().contains("chain", "fan-out", "history");
    }

    @Test
    @DisplayName("measures only what is asked for")
    void chosen() {
      Comparison comparison = new Comparison(
          out(), each -> () -> cost(each.name().equals(OURS) ? 1 : 50), Comparing::noProgram);

      assertThat(comparison.run(List.of("chain", "tokens"))).isZero();
      assertThat(told())
          .filteredOn(line -> line.matches("[a-z-]+( [0-9.-]+){6}"))
          .hasSize(2);
    }

    @Test
    @DisplayName("takes the median of rounds in which contenders took turns")
    void rounds() {
      Deque<Double> costs =
          new ArrayDeque<>(List.of(1.0, 2.0, 9.0, 8.0, 2.0, 4.0, 1.0, 2.0, 9.0, 8.0));
      Comparison comparison = new Comparison(
          out(), each -> () -> cost(costs.remove()), any -> Map.of("kept", cost(50)));

      comparison.compare(List.of(LOOP));

      assertThat(told()).contains("loop 4.000 2.000 - 50.000 2.000 12.500");
    }

    @Test
    @DisplayName("says who was measured before the compiler was done")
    void tepid() {
      Session cold = new Session() {

        @Override
        public Figures round() {
          return cost(1);
        }

        @Override
        public boolean isWarm() {
          return false;
        }
      };
      Comparison comparison = new Comparison(
          out(),
          each -> each.name().equals(BARE) ? cold : () -> cost(2),
          any -> Map.of("kept", cost(50)));

      comparison.compare(List.of(LOOP));

      assertThat(told())
          .contains("  The compiler was still at it when these were measured: loop bare.");
    }

    private static Timed timed(String name, int operations) {
      return new Timed(name, Chain.class, "run", Map.of(), operations);
    }

    private static Session noTiming(Timed contender) {
      throw new AssertionError(contender + " should not be measured.");
    }

    private static Map<String, Figures> noProgram(FreshJvm program) {
      throw new AssertionError(program + " should not be run.");
    }

    private PrintStream out() {
      return new PrintStream(printed, true, StandardCharsets.UTF_8);
    }

    private List<String> told() {
      return printed.toString(StandardCharsets.UTF_8).lines().toList();
    }
  }

  @Nested
  @DisplayName("The workloads")
  class All {

    @Test
    @DisplayName("have a target each, about rows that they measure")
    void targets() {
      assertThat(Workloads.ALL).allSatisfy(workload -> {
        assertThat(workload.targets()).isNotEmpty();
        assertThat(workload.rows()).first().extracting(Row::name).isEqualTo(workload.name());
        assertThat(workload.rows())
            .extracting(Row::name)
            .containsAll(workload.targets().stream().map(Target::row).toList());
      });
    }

    @Test
    @DisplayName("measure the engine in every row, and say why where a peer is missing")
    void peers() {
      assertThat(Workloads.ALL).allSatisfy(workload -> {
        List<String> names = workload.rows().stream()
            .flatMap(row -> row.contenders().stream())
            .map(Contender::name)
            .toList();
        assertThat(workload.rows())
            .allSatisfy(row ->
                assertThat(row.contenders()).extracting(Contender::name).contains(OURS, BARE));
        assertThat(names.containsAll(Target.PEERS) || !workload.remarks().isEmpty())
            .isTrue();
      });
    }
  }

  @Test
  @DisplayName("The plot has a line for everybody who was measured")
  void plot() {
    Results results = new Results();
    results.put("conversation:500", OURS, cost(2));
    results.put("conversation", OURS, cost(2));
    results.put("conversation", BARE, cost(0.2));

    assertThat(Plot.of(results).lines().filter(line -> line.startsWith("<polyline")))
        .hasSize(2);
  }

  private static Figures cost(double cost) {
    return Figures.of(cost, cost, 0);
  }
}
