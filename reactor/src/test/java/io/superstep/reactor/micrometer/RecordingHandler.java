package io.superstep.reactor.micrometer;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationView;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps the contexts of all observations, in the order in which they started and stopped. */
final class RecordingHandler implements ObservationHandler<Observation.Context> {

  private final List<Observation.Context> started = new CopyOnWriteArrayList<>();
  private final List<Observation.Context> stopped = new CopyOnWriteArrayList<>();

  List<Observation.Context> started() {
    return started;
  }

  List<Observation.Context> stopped() {
    return stopped;
  }

  /** The only observation of this name and contextual name. */
  Observation.Context one(String contextualName) {
    List<Observation.Context> found = started.stream()
        .filter(context -> contextualName.equals(context.getContextualName()))
        .toList();
    if (found.size() != 1) {
      throw new AssertionError(contextualName + " comes " + found.size() + " times");
    }
    return found.get(0);
  }

  static String parent(Observation.Context context) {
    ObservationView parent = context.getParentObservation();
    return parent == null ? "none" : parent.getContextView().getContextualName();
  }

  static Map<String, String> often(Observation.Context context) {
    return map(context.getLowCardinalityKeyValues());
  }

  static Map<String, String> seldom(Observation.Context context) {
    return map(context.getHighCardinalityKeyValues());
  }

  private static Map<String, String> map(Iterable<KeyValue> values) {
    Map<String, String> map = new TreeMap<>();
    values.forEach(value -> map.put(value.getKey(), value.getValue()));
    return map;
  }

  @Override
  public void onStart(Observation.Context context) {
    started.add(context);
  }

  @Override
  public void onStop(Observation.Context context) {
    stopped.add(context);
  }

  @Override
  public boolean supportsContext(Observation.Context context) {
    return true;
  }
}
