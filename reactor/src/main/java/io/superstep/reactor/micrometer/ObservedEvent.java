package io.superstep.reactor.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.superstep.reactor.RunnerEvent;
import java.util.Map;

/** The observation of one event of a runner, which ends as soon as it has begun. */
final class ObservedEvent {

  private static final Map<Class<? extends RunnerEvent>, String> NAMES = Map.of(
      RunnerEvent.DetachedRunFailed.class, "superstep.detached.failed",
      RunnerEvent.InputRefused.class, "superstep.input.refused",
      RunnerEvent.LeaseLost.class, "superstep.lease.lost",
      RunnerEvent.LeaseNotRenewed.class, "superstep.lease.unrenewed",
      RunnerEvent.LeaseNotReleased.class, "superstep.lease.unreleased",
      RunnerEvent.ThreadTakenOver.class, "superstep.thread.takeover",
      RunnerEvent.RecoveryFailed.class, "superstep.recovery.failed",
      RunnerEvent.DeadlinesFailed.class, "superstep.deadlines.failed",
      RunnerEvent.ThreadParked.class, "superstep.thread.parked",
      RunnerEvent.ThreadUnreadable.class, "superstep.thread.unreadable");

  private ObservedEvent() {}

  static void record(ObservationRegistry registry, RunnerEvent event) {
    String name = NAMES.get(event.getClass());
    if (name == null) {
      return;
    }
    String code = event.code();
    Observation observation = Observation.createNotStarted(name, registry)
        .lowCardinalityKeyValue("graph", event.graph())
        .lowCardinalityKeyValue("code", code == null ? "none" : code);
    if (event.thread() != null) {
      observation.highCardinalityKeyValue("thread", event.thread());
    }
    observation.start();
    if (event.error() != null) {
      observation.error(event.error());
    }
    observation.stop();
  }
}
