package io.superstep.build.architecture.broken.reactor;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;

final class KnowsMicrometer {
  Observation.Context inASignature(Observation.Context context) {
    return context;
  }

  boolean inACall(ObservationRegistry registry) {
    return registry.isNoop();
  }
}
