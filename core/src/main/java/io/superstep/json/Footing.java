package io.superstep.json;

import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunResumed;
import io.superstep.state.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The states that the events of a thread have told last, on which the next event can build: it says
 * what changed, and not all there is.
 *
 * <p>Whoever writes keeps what was left by the event before, as long as that was appended and
 * nobody else has appended since; whoever reads keeps the same. Both begin with {@link #NONE}: who
 * writes at any time, who reads at a key frame. Immutable; it holds on to states, so keep it only
 * for threads that are at work.
 */
public final class Footing {

  /** Nothing was told: the next fact is a key frame. */
  public static final Footing NONE = new Footing(Map.of(), 0, 0, 0, false);

  /** What is told between two key frames is at least so long, in bytes. */
  private static final long SHORTEST = 32 << 10;

  /** How many states are known of graphs at one path: as many as run side by side there. */
  private static final int MOST = 64;

  private final Map<String, List<Told>> byPath;
  private final long last;

  /** How much was told since the last key frame, whole states left out. */
  private final long length;

  /** How long the whole states are that were told since. */
  private final long whole;

  private final boolean isInLine;

  /** A state, and the number of the fact that told it. */
  record Told(long fact, State state) {}

  private Footing(
      Map<String, List<Told>> byPath, long last, long length, long whole, boolean isInLine) {
    this.byPath = byPath;
    this.last = last;
    this.length = length;
    this.whole = whole;
    this.isInLine = isInLine;
  }

  /** The number of the last fact; 0 of {@link #NONE}. */
  public long last() {
    return last;
  }

  /** The states that were told at {@code path}, the last one last. */
  List<Told> at(String path) {
    return byPath.getOrDefault(path, List.of());
  }

  /** The state that a fact has told at {@code path}; null if nothing is known of that. */
  @Nullable
  State told(String path, long fact) {
    for (Told told : at(path)) {
      if (told.fact() == fact) {
        return told.state();
      }
    }
    return null;
  }

  /** Whether the next state at the top is what the next step makes of the last one. */
  boolean isInLine() {
    return isInLine;
  }

  /** Whether so much was told that whoever begins to read should not have to read all of it. */
  boolean isLong() {
    return length >= Math.max(SHORTEST, whole);
  }

  /**
   * After {@code event}.
   *
   * @param telling how it told a state, if it did; else null
   * @param size how long its text is
   */
  Footing after(GraphEvent event, FactText.@Nullable Telling telling, int size) {
    boolean isTop = event.path().isEmpty();
    boolean isWhole = telling != null && telling.on() == 0;
    boolean begins = isTop && event instanceof RunResumed;
    return new Footing(
        telling == null ? byPath : with(event, telling),
        event.sequence(),
        length + (isWhole ? 0 : size),
        whole + (isWhole ? size : 0),
        !begins && (isInLine || (isTop && telling != null)));
  }

  private Map<String, List<Told>> with(GraphEvent event, FactText.Telling telling) {
    List<Told> told = new ArrayList<>(at(event.path()));
    long replaced = telling.replaced(event.path());
    if (!told.removeIf(each -> each.fact() == replaced) && told.size() >= MOST) {
      told.remove(0);
    }
    told.add(new Told(event.sequence(), telling.state()));
    Map<String, List<Told>> more = new HashMap<>(byPath);
    more.put(event.path(), List.copyOf(told));
    return more;
  }
}
