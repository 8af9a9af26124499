package io.superstep.reactor.micrometer;

import static io.superstep.reactor.micrometer.RecordingHandler.often;
import static io.superstep.reactor.micrometer.RecordingHandler.seldom;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.UnknownThreadException;
import io.superstep.error.SuperstepException;
import io.superstep.reactor.RunnerEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each event of a runner is an observation, which a meter counts. */
class ObservedEventTests {

  private static final Lease LEASE = new Lease("t", "run", 7, Instant.EPOCH);

  private final ObservationRegistry registry = ObservationRegistry.create();
  private final RecordingHandler observations = new RecordingHandler();

  @BeforeEach
  void record() {
    registry.observationConfig().observationHandler(observations);
  }

  private static SuperstepException typed() {
    return new UnknownThreadException("t");
  }

  private static Throwable other() {
    return new IllegalStateException("no network");
  }

  static Stream<Arguments> events() {
    return Stream.of(
        Arguments.of(
            new RunnerEvent.DetachedRunFailed("g", "t", typed()), "superstep.detached.failed"),
        Arguments.of(
            new RunnerEvent.InputRefused("g", "t", "i", typed()), "superstep.input.refused"),
        Arguments.of(
            new RunnerEvent.LeaseLost("g", LEASE, CheckpointConflictException.lostLease(LEASE)),
            "superstep.lease.lost"),
        Arguments.of(
            new RunnerEvent.LeaseNotRenewed("g", LEASE, other()), "superstep.lease.unrenewed"),
        Arguments.of(
            new RunnerEvent.LeaseNotReleased("g", LEASE, other()), "superstep.lease.unreleased"),
        Arguments.of(new RunnerEvent.ThreadTakenOver("g", LEASE), "superstep.thread.takeover"),
        Arguments.of(
            new RunnerEvent.RecoveryFailed("g", "t", typed()), "superstep.recovery.failed"),
        Arguments.of(
            new RunnerEvent.DeadlinesFailed("g", "t", other()), "superstep.deadlines.failed"),
        Arguments.of(new RunnerEvent.ThreadParked("g", "t"), "superstep.thread.parked"),
        Arguments.of(
            new RunnerEvent.ThreadUnreadable("g", "t", typed()), "superstep.thread.unreadable"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("events")
  @DisplayName("an event is one observation with bounded keys and its error")
  void observed(RunnerEvent event, String name) {
    new MicrometerObserver(registry).onEvent(event);

    assertThat(observations.started()).isEqualTo(observations.stopped()).hasSize(1);
    Observation.Context context = observations.stopped().get(0);
    assertThat(context.getName()).isEqualTo(name);
    assertThat(often(context)).isEqualTo(Map.of("graph", "g", "code", code(event.error())));
    assertThat(seldom(context)).isEqualTo(Map.of("thread", "t"));
    assertThat(context.getError()).isSameAs(event.error());
  }

  private static String code(@Nullable Throwable error) {
    return error instanceof SuperstepException typed ? typed.code() : "none";
  }

  @Test
  @DisplayName("a slow drain is split by its node, and has its steps and its duration")
  void slowDrain() {
    new MicrometerObserver(registry)
        .onEvent(
            new RunnerEvent.SlowDrain("g", null, "inner/", 3, 7, "node", Duration.ofSeconds(2)));

    Observation.Context context = observations.stopped().get(0);
    assertThat(context.getName()).isEqualTo("superstep.drain.slow");
    assertThat(often(context)).isEqualTo(Map.of("graph", "g", "code", "none", "node", "node"));
    assertThat(seldom(context))
        .isEqualTo(Map.of("steps", "5", "duration", "PT2S", "path", "inner/"));
  }

  @Test
  @DisplayName("each kind of event has an observation of its own")
  void complete() {
    Map<Class<?>, String> names = new HashMap<>();
    events().map(Arguments::get).forEach(pair -> names.put(pair[0].getClass(), (String) pair[1]));

    names.put(RunnerEvent.SlowDrain.class, "superstep.drain.slow");
    assertThat(names.keySet())
        .containsExactlyInAnyOrderElementsOf(List.of(RunnerEvent.class.getPermittedSubclasses()));
    assertThat(names.values()).doesNotHaveDuplicates();
  }
}
