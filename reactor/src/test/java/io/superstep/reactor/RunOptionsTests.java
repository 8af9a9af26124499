package io.superstep.reactor;

import static io.superstep.reactor.Graphs.counting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.superstep.graph.RunKey;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RunOptionsTests {

  private static final RunKey<String> USER = RunKey.of("user", String.class);
  private static final RunKey<String> TENANT = RunKey.of("tenant", String.class);

  /** One option: what it is without being set, and two ways to set it. */
  record Option<T>(
      String name,
      Function<RunOptions, T> effective,
      T unset,
      T one,
      T other,
      Function<T, RunOptions> set) {

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Option<?>> options() {
    RunOptions none = RunOptions.NONE;
    return List.of(
        new Option<>("steps", RunOptions::steps, 1_000, 5, 7, none::steps),
        new Option<>("iterations", RunOptions::iterations, 1_000, 5, 7, none::iterations),
        new Option<>(
            "concurrency", RunOptions::concurrency, Integer.MAX_VALUE, 5, 7, none::concurrency),
        new Option<>("prefetch", RunOptions::prefetch, 1, 5, 7, none::prefetch),
        new Option<>(
            "discardUnfinished",
            RunOptions::discardsUnfinished,
            false,
            true,
            false,
            none::discardUnfinished),
        new Option<>(
            "durability",
            RunOptions::durability,
            Durability.SYNC,
            Durability.EXIT,
            Durability.SYNC,
            none::durability),
        new Option<>(
            "with",
            options -> options.value(USER).orElse("nobody"),
            "nobody",
            "ada",
            "bob",
            name -> none.with(USER, name)),
        new Option<>(
            "without",
            options -> options.value(USER).orElse("nobody"),
            "nobody",
            "ada",
            "nobody",
            name -> name.equals("nobody") ? none.without(USER) : none.with(USER, name)));
  }

  @ParameterizedTest
  @MethodSource("options")
  @DisplayName("E23 an option of the call overrides that of the runner, which overrides ours")
  <T> void theCallWins(Option<T> option) {
    RunOptions one = option.set.apply(option.one);
    RunOptions other = option.set.apply(option.other);

    assertThat(effective(RunOptions.NONE, RunOptions.NONE, option)).isEqualTo(option.unset);
    assertThat(effective(one, RunOptions.NONE, option)).isEqualTo(option.one);
    assertThat(effective(RunOptions.NONE, one, option)).isEqualTo(option.one);
    assertThat(effective(one, other, option)).isEqualTo(option.other);
    assertThat(effective(other, one, option)).isEqualTo(option.one);
  }

  @ParameterizedTest
  @MethodSource("options")
  @DisplayName("E23 an option of the runner applies to calls that set other options only")
  <T> void othersAreKept(Option<T> option) {
    RunOptions one = option.set.apply(option.one);
    for (Option<?> set : options()) {
      if (!set.name.equals(option.name) && !set.name.startsWith("with")) {
        assertThat(effective(one, first(set), option)).isEqualTo(option.one);
      }
    }
    assertThat(effective(one, RunOptions.NONE.with(TENANT, "acme"), option)).isEqualTo(option.one);
    assertThat(effective(one, RunOptions.NONE.stoppedBy(new Stop()), option)).isEqualTo(option.one);
  }

  private static <T> RunOptions first(Option<T> option) {
    return option.set.apply(option.one);
  }

  private static <T> T effective(RunOptions defaults, RunOptions call, Option<T> option) {
    GraphRunner runner = GraphRunner.builder(counting(1)).defaults(defaults).build();
    return option.effective.apply(runner.effective(call));
  }

  @Test
  @DisplayName("E23 options are merged only if both the call and the runner have some")
  void noNeedlessMerge() {
    RunOptions some = RunOptions.NONE.steps(5);

    assertThat(RunOptions.NONE.or(some)).isSameAs(some);
    assertThat(some.or(RunOptions.NONE)).isSameAs(some);
    assertThat(some.or(some)).isSameAs(some);
  }

  @Test
  @DisplayName("E23 options with the same settings are equal, and show no values")
  void optionsAreValues() {
    Stop stop = new Stop();
    RunOptions one = RunOptions.NONE.steps(5).with(USER, "ada").stoppedBy(stop).without(TENANT);
    RunOptions same =
        RunOptions.NONE.without(TENANT).stoppedBy(stop).with(USER, "ada").steps(5);

    assertThat(one).isEqualTo(same).hasSameHashCodeAs(same);
    assertThat(one).isNotEqualTo(one.with(USER, "bob")).isNotEqualTo(RunOptions.NONE);
    assertThat(RunOptions.NONE.steps(1_000)).isNotEqualTo(RunOptions.NONE);
    assertThat(one)
        .hasToString(
            "RunOptions[steps=5, stoppedBy=1, with=[user: String], without=[tenant: String]]");
    assertThat(RunOptions.NONE).hasToString("RunOptions[]");
  }

  @Test
  @DisplayName("E23 options that no run can have are refused when they are set")
  void invalidOptions() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RunOptions.NONE.concurrency(0))
        .withMessage("concurrency must be at least 1, and was 0.");
    assertThatNullPointerException()
        .isThrownBy(() -> RunOptions.NONE.durability(null))
        .withMessage("durability must not be null.");
    assertThatNullPointerException()
        .isThrownBy(() -> RunOptions.NONE.stoppedBy(null))
        .withMessage("stoppedBy must not be null.");
    assertThatNullPointerException()
        .isThrownBy(() -> RunOptions.NONE.with(USER, null))
        .withMessage("A run value must not be null.");
  }
}
