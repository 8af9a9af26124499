package io.superstep.reactor.micrometer;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.superstep.reactor.Ending;
import io.superstep.reactor.Stage;
import io.superstep.reactor.Watch;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/**
 * The observation of one stage.
 *
 * @param nearest the same; if it is switched off, the one around it, null if there is none
 */
record ObservedStage(
    ObservationRegistry registry,
    Observation observation,
    @Nullable Observation nearest) implements Watch {

  static ObservedStage begin(
      ObservationRegistry registry, Stage stage, @Nullable Observation around) {
    Observation started = Observation.start(
        "superstep." + stage.kind(), () -> StageContext.of(stage, around), registry);
    return new ObservedStage(registry, started, started.isNoop() ? around : started);
  }

  @Override
  public Watch begin(Stage inner) {
    return begin(registry, inner, nearest);
  }

  /** Records the event {@code superstep.task.stalled}, which a meter handler counts. */
  @Override
  public void stalled(Duration silence) {
    observation.event(Observation.Event.of("stalled", "superstep.task.stalled"));
  }

  @Override
  public Context lend(Context context) {
    return nearest == null ? context : context.put(MicrometerObserver.KEY, nearest);
  }

  @Override
  public Scope enter() {
    return nearest == null ? () -> {} : nearest.openScope()::close;
  }

  @Override
  public void end(Ending ending, @Nullable Throwable error) {
    observation.lowCardinalityKeyValue(
        KeyValue.of("outcome", ending.name().toLowerCase(Locale.ROOT)));
    if (error != null) {
      observation.error(error);
    }
    observation.stop();
  }
}
