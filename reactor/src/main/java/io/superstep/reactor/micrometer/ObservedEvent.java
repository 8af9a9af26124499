package io.superstep.reactor.micrometer;

import static java.util.Map.entry;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.superstep.reactor.RunnerEvent;
import java.util.Map;

/** The observation of one event of a runner, which ends as soon as it has begun. */
final class ObservedEvent {

  private static final Map<Class<? extends RunnerEvent>, String> NAMES = Map.ofEntries(
      entry(RunnerEvent.DetachedRunFailed.class, "superstep.detached.failed"),
      entry(RunnerEvent.SlowDrain.class, "superstep.drain.slow"),
      entry(RunnerEvent.InputRefused.class, "superstep.input.refused"),
      entry(RunnerEvent.LeaseLost.class, "superstep.lease.lost"),
      entry(RunnerEvent.LeaseNotRenewed.class, "superstep.lease.unrenewed"),
      entry(RunnerEvent.LeaseNotReleased.class, "superstep.lease.unreleased"),
      entry(RunnerEvent.ThreadTakenOver.class, "superstep.thread.takeover"),
      entry(RunnerEvent.RecoveryFailed.class, "superstep.recovery.failed"),
      entry(RunnerEvent.DeadlinesFailed.class, "superstep.deadlines.failed"),
      entry(RunnerEvent.ThreadParked.class, "superstep.thread.parked"),
      entry(RunnerEvent.ThreadUnreadable.class, "superstep.thread.unreadable"));

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
    if (event instanceof RunnerEvent.SlowDrain slow) {
      describe(observation, slow);
    }
    observation.start();
    if (event.error() != null) {
      observation.error(event.error());
    }
    observation.stop();
  }

  private static void describe(Observation observation, RunnerEvent.SlowDrain slow) {
    observation
        .lowCardinalityKeyValue("node", slow.node() == null ? "none" : slow.node())
        .highCardinalityKeyValue("steps", String.valueOf(slow.steps()))
        .highCardinalityKeyValue("duration", slow.duration().toString());
    if (!slow.path().isEmpty()) {
      observation.highCardinalityKeyValue("path", slow.path());
    }
  }
}
