package io.superstep.reactor.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.superstep.reactor.RunObserver;
import io.superstep.reactor.RunnerEvent;
import io.superstep.reactor.Stage;
import io.superstep.reactor.StoreOperation;
import io.superstep.reactor.Watch;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * Makes an observation of each run, step, task and attempt: {@code superstep.run},
 * {@code superstep.step}, {@code superstep.task} and {@code superstep.attempt}, of each operation
 * of a store, {@code superstep.store}, and of each {@link RunnerEvent}. Thread-safe; one may be
 * given to any number of runners.
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

  /** Makes an observation {@code superstep.store} of the operation. */
  @Override
  public StoreOperation.Completion begin(StoreOperation operation) {
    Observation started = Observation.createNotStarted("superstep.store", registry)
        .contextualName(operation.store() + " " + operation.name())
        .parentObservation(around(operation.context()))
        .lowCardinalityKeyValue("store", operation.store())
        .lowCardinalityKeyValue("operation", operation.name());
    if (operation.thread() != null) {
      started.highCardinalityKeyValue("thread", operation.thread());
    }
    started.start();
    return (ending, error) -> {
      started.lowCardinalityKeyValue("outcome", ending.name().toLowerCase(Locale.ROOT));
      if (error != null) {
        started.error(error);
      }
      started.stop();
    };
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
