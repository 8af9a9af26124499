package io.superstep.reactor;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.CheckpointSaved;
import io.superstep.event.GraphEvent.HeadMoved;
import io.superstep.event.GraphEvent.RunFailed;
import io.superstep.event.GraphEvent.Terminal;
import io.superstep.event.GraphEvent.ThreadUpdated;
import io.superstep.reactor.UnannouncedFacts.Replay;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The checkpoints that facts at the end of a log name, and whether the last run has ended. */
final class AnnouncedHeads {

  private final List<HeadMoved> moves = new ArrayList<>();
  private final Set<CheckpointId> known = new HashSet<>();
  private final long end;

  /** The head after the last fact; null if no fact names one. */
  private @Nullable CheckpointId last;

  private @Nullable CheckpointId lastSaved;
  private boolean isOpen;

  /** @param end the number of the last fact of the log, which may be trimmed */
  AnnouncedHeads(List<GraphEvent> facts, long end) {
    this.end = end;
    facts.stream().filter(fact -> fact.path().isEmpty()).forEach(this::add);
    if (last == null) {
      last = lastSaved;
    }
  }

  private void add(GraphEvent fact) {
    CheckpointId named = null;
    if (fact instanceof HeadMoved moved) {
      named = moved.checkpoint();
      if (named != null) {
        moves.add(moved);
      }
    } else if (fact instanceof Terminal terminal) {
      named = terminal.checkpoint();
    } else if (fact instanceof CheckpointSaved saved) {
      lastSaved = saved.checkpoint();
      known.add(lastSaved);
    }
    if (named != null) {
      last = named;
      known.add(named);
    }
    isOpen = isInRun(fact) || (isOpen && !isEnd(fact));
  }

  private static boolean isInRun(GraphEvent fact) {
    return !(isEnd(fact) || fact instanceof ThreadUpdated || fact instanceof CheckpointSaved);
  }

  private static boolean isEnd(GraphEvent fact) {
    return fact instanceof Terminal || fact instanceof RunFailed;
  }

  /** The number of the last fact, also if it was trimmed; 0 of an empty log. */
  long end() {
    return end;
  }

  @Nullable
  CheckpointId last() {
    return last;
  }

  boolean contains(CheckpointId checkpoint) {
    return known.contains(checkpoint);
  }

  /** Whether these facts name the head and a durable checkpoint. */
  boolean isConclusive() {
    return last != null && lastSaved != null;
  }

  /** The checkpoints up to {@code stored} that became durable without a fact that says so. */
  List<GraphEvent> unsaved(CheckpointId stored) {
    List<GraphEvent> saved = new ArrayList<>();
    int from = indexOf(lastSaved) + 1;
    int to = indexOf(stored);
    for (HeadMoved moved : moves.subList(from, Math.max(from, to + 1))) {
      saved.add(new CheckpointSaved(moved.moment(), 0, Objects.requireNonNull(moved.checkpoint())));
    }
    return saved;
  }

  /** The channels that facts behind the one of {@code stored} changed. */
  Set<String> changedAfter(CheckpointId stored) {
    Set<String> changed = new HashSet<>();
    for (HeadMoved moved : moves.subList(indexOf(stored) + 1, moves.size())) {
      changed.addAll(moved.changes().effects().keySet());
      if (moved instanceof ThreadUpdated updated && updated.rebase() != null) {
        changed.addAll(updated.rebase().changes().effects().keySet());
      }
    }
    return changed;
  }

  private int indexOf(@Nullable CheckpointId checkpoint) {
    int index = moves.size() - 1;
    while (index >= 0 && !Objects.equals(moves.get(index).checkpoint(), checkpoint)) {
      index--;
    }
    return index;
  }

  /** Numbers {@code facts} for the end of the log. */
  Replay replay(List<GraphEvent> facts) {
    List<GraphEvent> numbered = new ArrayList<>(facts.size());
    boolean isOpenThen = isOpen;
    for (GraphEvent fact : facts) {
      numbered.add(fact.numbered(end + numbered.size() + 1));
      isOpenThen |= isInRun(fact);
    }
    return new Replay(numbered, isOpenThen);
  }
}
