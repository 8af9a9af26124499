package io.superstep.reactor;

import io.superstep.graph.RunKey;
import io.superstep.step.Budget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A set of options for runs, each of which may be unset. Immutable.
 *
 * <p>An option of a call overrides that of its runner, its {@link GraphRunner.Builder#defaults
 * defaults}, which overrides the default of the library. Values merge by their {@link RunKey}. Stop
 * signals add up: those of the call and those of the runner stop the run. The same holds for runs
 * on threads, detached runs and {@link GraphRunner#runAll}; a nested graph runs with the options of
 * the run around it. A run that begins without a call, as with a queued input, after a takeover or
 * after a recorded resume, has the options of its runner.
 *
 * <pre>{@code
 * GraphRunner runner = GraphRunner.builder(graph)
 *     .defaults(RunOptions.NONE.steps(50).with(TENANT, "acme"))
 *     .build();
 *
 * runner.run(input, RunOptions.NONE.with(USER, "ada"));          // 50 steps, TENANT and USER
 * runner.run(input, RunOptions.NONE.steps(10).without(TENANT));  // 10 steps, no value
 * }</pre>
 */
public final class RunOptions {

  private static final int UNSET = 0;

  /** The options of which none is set: a call with them has the options of its runner. */
  public static final RunOptions NONE =
      new RunOptions(UNSET, UNSET, UNSET, UNSET, null, null, List.of(), Map.of());

  private final int steps;
  private final int iterations;
  private final int concurrency;
  private final int prefetch;
  private final @Nullable Boolean discardsUnfinished;
  private final @Nullable Durability durability;
  private final List<Stop> stops;

  /** Requested if one of {@link #stops} is; null if there are none. */
  private final @Nullable Stop stop;

  /** Empty for a key whose value in the defaults does not apply. */
  private final Map<RunKey<?>, Optional<?>> values;

  private RunOptions(
      int steps,
      int iterations,
      int concurrency,
      int prefetch,
      @Nullable Boolean discardsUnfinished,
      @Nullable Durability durability,
      List<Stop> stops,
      Map<RunKey<?>, Optional<?>> values) {
    this.steps = steps;
    this.iterations = iterations;
    this.concurrency = concurrency;
    this.prefetch = prefetch;
    this.discardsUnfinished = discardsUnfinished;
    this.durability = durability;
    this.stops = stops;
    this.stop = stops.size() > 1 ? Stop.along(stops) : stops.isEmpty() ? null : stops.get(0);
    this.values = values;
  }

  private static int positive(String option, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(option + " must be at least 1, and was " + value + ".");
    }
    return value;
  }

  /** Limits the steps of a run. The default is 1,000. */
  public RunOptions steps(int max) {
    int set = positive("steps", max);
    return new RunOptions(
        set, iterations, concurrency, prefetch, discardsUnfinished, durability, stops, values);
  }

  /** Limits the iterations of each loop in a run. The default is 1,000. */
  public RunOptions iterations(int max) {
    int set = positive("iterations", max);
    return new RunOptions(
        steps, set, concurrency, prefetch, discardsUnfinished, durability, stops, values);
  }

  /**
   * Limits the tasks of a run that are executed at the same time. The default is
   * {@link Integer#MAX_VALUE}, which is no limit.
   */
  public RunOptions concurrency(int max) {
    int set = positive("concurrency", max);
    return new RunOptions(
        steps, iterations, set, prefetch, discardsUnfinished, durability, stops, values);
  }

  /**
   * Sets the number of outputs that are requested from a node before they can be delivered. The
   * default is 1. A run with unbounded demand requests at least 256.
   */
  public RunOptions prefetch(int outputs) {
    int set = positive("prefetch", outputs);
    return new RunOptions(
        steps, iterations, concurrency, set, discardsUnfinished, durability, stops, values);
  }

  /**
   * Sets whether a turn of a thread discards the pending tasks of the turn before. The default is
   * false: such a turn is refused.
   */
  public RunOptions discardUnfinished(boolean discards) {
    return new RunOptions(
        steps, iterations, concurrency, prefetch, discards, durability, stops, values);
  }

  /** Sets when a run on a thread writes its steps. The default is {@link Durability#SYNC}. */
  public RunOptions durability(Durability mode) {
    Durability set = Objects.requireNonNull(mode, "durability must not be null.");
    return new RunOptions(
        steps, iterations, concurrency, prefetch, discardsUnfinished, set, stops, values);
  }

  /**
   * Adds a signal that stops the run. It does not replace others, also not those of the defaults:
   * each of them stops the run.
   */
  public RunOptions stoppedBy(Stop signal) {
    Objects.requireNonNull(signal, "stoppedBy must not be null.");
    return new RunOptions(
        steps,
        iterations,
        concurrency,
        prefetch,
        discardsUnfinished,
        durability,
        union(stops, List.of(signal)),
        values);
  }

  /** Passes {@code value} to all nodes of the run, those of nested graphs included. */
  public <T> RunOptions with(RunKey<T> key, T value) {
    T set = key.type().cast(Objects.requireNonNull(value, "A run value must not be null."));
    return with(Map.of(key, Optional.of(set)));
  }

  /** Removes the value of {@code key}, also one of the defaults. */
  public RunOptions without(RunKey<?> key) {
    return with(Map.of(key, Optional.empty()));
  }

  private RunOptions with(Map<RunKey<?>, Optional<?>> more) {
    return new RunOptions(
        steps,
        iterations,
        concurrency,
        prefetch,
        discardsUnfinished,
        durability,
        stops,
        overridden(values, more));
  }

  /** Returns the maximum number of steps, or the default of the library if it is unset. */
  public int steps() {
    return steps == UNSET ? Budget.DEFAULT.steps() : steps;
  }

  /** Returns the maximum iterations of a loop, or the default of the library if it is unset. */
  public int iterations() {
    return iterations == UNSET ? Budget.DEFAULT.iterations() : iterations;
  }

  /** Returns the maximum number of concurrent tasks, {@link Integer#MAX_VALUE} if it is unset. */
  public int concurrency() {
    return concurrency == UNSET ? Integer.MAX_VALUE : concurrency;
  }

  /** Returns the number of outputs that are requested from a node in advance, 1 if it is unset. */
  public int prefetch() {
    return prefetch == UNSET ? 1 : prefetch;
  }

  /** Returns whether a turn discards pending tasks, false if it is unset. */
  public boolean discardsUnfinished() {
    return discardsUnfinished != null && discardsUnfinished;
  }

  /** Returns the durability, {@link Durability#SYNC} if it is unset. */
  public Durability durability() {
    return durability == null ? Durability.SYNC : durability;
  }

  /** Returns a signal that is requested if any that stops the run is; null if there is none. */
  @Nullable
  Stop stop() {
    return stop;
  }

  @SuppressWarnings("unchecked") // the type was checked when the value was set
  <T> Optional<T> value(RunKey<T> key) {
    Optional<T> found = (Optional<T>) values.get(key);
    return found == null ? Optional.empty() : found;
  }

  /** Returns these options, with those that are unset taken from {@code defaults}. */
  RunOptions or(RunOptions defaults) {
    if (this == NONE || this == defaults) {
      return defaults;
    }
    if (defaults == NONE) {
      return this;
    }
    return new RunOptions(
        first(steps, defaults.steps),
        first(iterations, defaults.iterations),
        first(concurrency, defaults.concurrency),
        first(prefetch, defaults.prefetch),
        discardsUnfinished != null ? discardsUnfinished : defaults.discardsUnfinished,
        durability != null ? durability : defaults.durability,
        union(defaults.stops, stops),
        overridden(defaults.values, values));
  }

  private static int first(int set, int otherwise) {
    return set == UNSET ? otherwise : set;
  }

  private static List<Stop> union(List<Stop> some, List<Stop> more) {
    if (some.isEmpty() || more.isEmpty()) {
      return some.isEmpty() ? more : some;
    }
    List<Stop> all = new ArrayList<>(some);
    more.stream().filter(each -> !some.contains(each)).forEach(all::add);
    return List.copyOf(all);
  }

  private static Map<RunKey<?>, Optional<?>> overridden(
      Map<RunKey<?>, Optional<?>> values, Map<RunKey<?>, Optional<?>> by) {
    if (values.isEmpty() || by.isEmpty()) {
      return values.isEmpty() ? by : values;
    }
    Map<RunKey<?>, Optional<?>> all = new HashMap<>(values);
    all.putAll(by);
    return Map.copyOf(all);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RunOptions options
        && steps == options.steps
        && iterations == options.iterations
        && concurrency == options.concurrency
        && prefetch == options.prefetch
        && Objects.equals(discardsUnfinished, options.discardsUnfinished)
        && durability == options.durability
        && stops.equals(options.stops)
        && values.equals(options.values);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        steps, iterations, concurrency, prefetch, discardsUnfinished, durability, stops, values);
  }

  /** Returns the options that are set, with the keys of values but not the values. */
  @Override
  public String toString() {
    StringJoiner set = new StringJoiner(", ", "RunOptions[", "]");
    add(set, "steps", steps == UNSET ? null : steps);
    add(set, "iterations", iterations == UNSET ? null : iterations);
    add(set, "concurrency", concurrency == UNSET ? null : concurrency);
    add(set, "prefetch", prefetch == UNSET ? null : prefetch);
    add(set, "discardUnfinished", discardsUnfinished);
    add(set, "durability", durability);
    add(set, "stoppedBy", stops.isEmpty() ? null : stops.size());
    add(set, "with", keys(true));
    add(set, "without", keys(false));
    return set.toString();
  }

  private static void add(StringJoiner set, String option, @Nullable Object value) {
    if (value != null) {
      set.add(option + "=" + value);
    }
  }

  /** Returns the keys with a value, or those whose value was removed; null if there are none. */
  private @Nullable List<String> keys(boolean hasValue) {
    List<String> keys = values.entrySet().stream()
        .filter(each -> each.getValue().isPresent() == hasValue)
        .map(each -> each.getKey().toString())
        .sorted()
        .toList();
    return keys.isEmpty() ? null : keys;
  }
}
