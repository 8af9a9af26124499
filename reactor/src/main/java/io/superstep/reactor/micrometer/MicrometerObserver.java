package io.superstep.reactor.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.superstep.reactor.RunObserver;
import io.superstep.reactor.RunnerEvent;
import io.superstep.reactor.Stage;
import io.superstep.reactor.Watch;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * Makes an observation of each run, step, task and attempt: {@code superstep.run},
 * {@code superstep.step}, {@code superstep.task} and {@code superstep.attempt}. Thread-safe; one
 * may be given to any number of runners.
 *
 * <p>Each is the child of the one around it. The outermost run is the child of the observation in
 * the Reactor Context of its subscriber, or else of the one that is current where it is subscribed
 * to. Code of a node finds its attempt in the Reactor Context, and as the current observation while
 * the engine calls it.
 */
public final class MicrometerObserver implements RunObserver {

  /** Where Micrometer's own accessor, which needs another library, looks for observations. */
  static final String KEY = "micrometer.observation";

  private final ObservationRegistry registry;

  public MicrometerObserver(ObservationRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Watch begin(Stage stage) {
    return ObservedStage.begin(registry, stage, around(stage.run().context()));
  }

  /** Records one observation per event, such as {@code superstep.lease.lost}; its meter counts. */
  @Override
  public void onEvent(RunnerEvent event) {
    ObservedEvent.record(registry, event);
  }

  private @Nullable Observation around(ContextView context) {
    Object given = context.hasKey(KEY) ? context.get(KEY) : null;
    return given instanceof Observation parent ? parent : registry.getCurrentObservation();
  }
}
