package io.superstep.reactor;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.HeadMoved;
import io.superstep.event.GraphEvent.Rebase;
import io.superstep.event.GraphEvent.StateSnapshot;
import io.superstep.event.GraphEvent.ThreadUpdated;
import io.superstep.state.State;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Folds facts into a state by the deltas that they carry, as a follower without a store does. */
final class FactFold {

  private final State initial;
  private State state;
  private @Nullable CheckpointId checkpoint;

  FactFold(State initial) {
    this.initial = initial;
    this.state = initial;
  }

  void add(GraphEvent event) {
    if (event instanceof StateSnapshot snapshot) {
      state = snapshot.state();
      checkpoint = snapshot.checkpoint();
    } else if (event instanceof HeadMoved moved
        && moved.path().isEmpty()
        && moved.checkpoint() != null) {
      add(moved);
    }
  }

  private void add(HeadMoved moved) {
    Rebase rebase = moved instanceof ThreadUpdated updated ? updated.rebase() : null;
    if (moved.parent() == null) {
      state = initial.apply(moved.changes());
    } else if (moved.parent().equals(checkpoint)) {
      state = state.apply(moved.changes());
    } else if (rebase != null && rebase.previous().equals(checkpoint)) {
      state = state.apply(rebase.changes());
    } else if (checkpoint != null && moved.checkpoint().compareTo(checkpoint) <= 0) {
      return;
    } else {
      throw new AssertionError("no delta leads from " + checkpoint + " to " + moved.checkpoint());
    }
    checkpoint = moved.checkpoint();
  }

  @Nullable
  CheckpointId checkpoint() {
    return checkpoint;
  }

  /** The stored values, by channel. */
  Map<String, @Nullable Object> values() {
    return stored(state);
  }

  static Map<String, @Nullable Object> stored(State state) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    state.schema().channels().stream()
        .filter(channel -> channel.lifetime().isStored())
        .forEach(channel -> values.put(channel.name(), state.get(channel)));
    return values;
  }
}
