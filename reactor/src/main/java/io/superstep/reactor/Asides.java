package io.superstep.reactor;

import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Provisional;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The provisional events of a thread, in the order in which they were appended.
 *
 * <p>Those of an attempt that has ended are kept only while somebody listens, who may not have got
 * to them yet. In any case no more than a number of them are kept. Used by one JVM thread at a
 * time.
 */
final class Asides {

  private final int most;
  private final Numbered<Aside> kept = new Numbered<>();

  /** By the id of a task that has said something, or has one inside that has. */
  private final Map<String, Strand> strands = new HashMap<>();

  private int listeners;

  Asides(int most) {
    this.most = most;
  }

  void add(Provisional event) {
    kept.add(new Aside(event, strand(event)));
    kept.dropBefore(kept.next() - most);
  }

  /** Takes notice of a fact, which may end what tasks were at. */
  void heard(GraphEvent fact) {
    if (fact instanceof GraphEvent.TaskCompleted completed) {
      end(completed.task().id());
    } else if (fact instanceof GraphEvent.TaskFailed failed) {
      end(failed.task().id());
    } else if (fact instanceof GraphEvent.TaskRetried retried) {
      end(retried.task().id());
    } else if (endsAll(fact)) {
      strands.values().forEach(strand -> strand.over = true);
      strands.clear();
    }
    dropWhatIsOver();
  }

  /** Of graphs inside, each task is told to have ended; that goes for steps only at the top. */
  private static boolean endsAll(GraphEvent fact) {
    return fact.path().isEmpty()
        && (fact instanceof GraphEvent.StepCommitted
            || fact instanceof GraphEvent.Terminal
            || fact instanceof GraphEvent.RunFailed
            || fact instanceof GraphEvent.RunStarted
            || fact instanceof GraphEvent.RunResumed);
  }

  private void end(String task) {
    Strand strand = strands.remove(task);
    if (strand != null) {
      strand.over = true;
    }
  }

  private void dropWhatIsOver() {
    while (listeners == 0 && !kept.isEmpty() && kept.get(kept.first()).strand.isOver()) {
      kept.dropBefore(kept.first() + 1);
    }
  }

  void clear() {
    strands.clear();
    kept.dropBefore(kept.next());
  }

  /** Somebody comes who wants to hear them, or leaves. */
  void listeners(int change) {
    listeners += change;
    dropWhatIsOver();
  }

  /** Moves a bookmark to the end, as its owner has caught up with the facts. */
  void caughtUp(Bookmark bookmark) {
    if (bookmark.live == Bookmark.NEVER) {
      bookmark.live = kept.next();
      if (bookmark.chunks == Chunks.FROM_NOW_ON) {
        bookmark.aside = kept.next();
      }
    }
  }

  /**
   * What is to be told before the fact behind the bookmark; null if there is nothing.
   *
   * <p>Moves the bookmark past what its owner is not to hear: what was said before they had caught
   * up, by an attempt that has ended.
   */
  @Nullable
  Provisional due(Bookmark bookmark) {
    for (bookmark.aside = Math.max(bookmark.aside, kept.first());
        bookmark.aside < kept.next();
        bookmark.aside++) {
      Aside aside = kept.get(bookmark.aside);
      if (aside.event.sequence() > bookmark.cursor) {
        return null;
      }
      if (bookmark.aside >= bookmark.live || !aside.strand.isOver()) {
        return aside.event;
      }
    }
    return null;
  }

  private Strand strand(Provisional event) {
    int depth = 0;
    for (int slash = event.path().indexOf('/'); slash >= 0; depth++) {
      slash = event.path().indexOf('/', slash + 1);
    }
    return strand(event.task().id(), depth);
  }

  /** @param depth how many tasks there are around this one */
  private Strand strand(String task, int depth) {
    Strand known = strands.get(task);
    if (known == null || known.isOver()) {
      known = new Strand(depth == 0 ? null : strand(around(task), depth - 1));
      strands.put(task, known);
    }
    return known;
  }

  /** The task whose graph a task is in: it is where that graph's line of steps began. */
  private static String around(String task) {
    int end = task.lastIndexOf('/');
    end = task.lastIndexOf('/', end - 1);
    return task.substring(0, Math.max(0, task.lastIndexOf('/', end - 1)));
  }

  private record Aside(Provisional event, Strand strand) {}

  /** One attempt of a task, which ends by itself or with the one around it. */
  private static final class Strand {

    private final @Nullable Strand around;
    private boolean over;

    Strand(@Nullable Strand around) {
      this.around = around;
    }

    boolean isOver() {
      return over || (around != null && around.isOver());
    }
  }
}
