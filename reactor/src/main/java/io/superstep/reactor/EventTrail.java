package io.superstep.reactor;

import io.superstep.event.Chunks;
import io.superstep.event.EventLogConflictException;
import io.superstep.event.EventsTrimmedException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.Provisional;
import io.superstep.event.UnknownCursorException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The events of one thread, in memory.
 *
 * <p>Whoever appends and whoever reads come from different JVM threads; each holds the monitor for
 * as long as it takes to add its events or to look up one, and nobody's code is called meanwhile.
 * Readers have a {@link Bookmark} and no copy of anything.
 */
final class EventTrail {

  private final String thread;
  private final long maxFacts;
  private final Asides asides;
  private final Followers followers;

  private Numbered<GraphEvent> facts = new Numbered<>();
  private int age;

  /** The highest fence that was seen. */
  private long fence;

  /** The number of the first fact that this fence appended, or will. */
  private long own = 1;

  /** Whether the thread was deleted, and no higher fence was seen since. */
  private boolean closed;

  /** Whether somebody has the thread and has not told how its run ended. */
  private boolean underWay;

  /** @param deleted the highest fence of a thread of this name that was deleted; 0 if none was */
  EventTrail(String thread, long maxFacts, int maxProvisional, Followers followers, long deleted) {
    this.thread = thread;
    this.fence = deleted;
    this.closed = deleted > 0;
    this.maxFacts = maxFacts;
    this.asides = new Asides(maxProvisional);
    this.followers = followers;
  }

  Followers followers() {
    return followers;
  }

  synchronized long open(long by) {
    requireRight(by);
    take(by);
    return last();
  }

  private void requireRight(long by) {
    if (by < fence || (closed && by == fence)) {
      throw EventLogConflictException.fenced(thread, by, fence);
    }
  }

  private void take(long by) {
    if (by > fence) {
      fence = by;
      own = facts.next();
      closed = false;
      underWay = true;
    }
  }

  synchronized void append(long by, List<GraphEvent> events) {
    requireRight(by);
    long start = start(events);
    requireNumbers(events, start);
    if (start > facts.next() || start < (by > fence ? facts.next() : own)) {
      throw EventLogConflictException.gap(thread, start, facts.next());
    }
    take(by);
    boolean known = start < facts.next();
    for (GraphEvent event : events) {
      known = known && (event instanceof Provisional || event.sequence() < facts.next());
      if (!known) {
        add(event);
      }
    }
    facts.dropBefore(facts.next() - maxFacts);
  }

  /** The number of the first fact of a list; if it has none, of the fact that would come next. */
  private long start(List<GraphEvent> events) {
    for (GraphEvent event : events) {
      if (!(event instanceof Provisional)) {
        return event.sequence();
      }
    }
    return facts.next();
  }

  private void requireNumbers(List<GraphEvent> events, long start) {
    long last = start - 1;
    for (GraphEvent event : events) {
      if (!(event instanceof Provisional)) {
        last++;
      }
      if (event.sequence() != last) {
        throw EventLogConflictException.gap(thread, event.sequence(), last);
      }
    }
  }

  private static boolean isEnd(GraphEvent event) {
    return event instanceof GraphEvent.Terminal || event instanceof GraphEvent.RunFailed;
  }

  private void add(GraphEvent event) {
    if (event instanceof Provisional provisional) {
      asides.add(provisional);
      return;
    }
    facts.add(event);
    asides.heard(event);
    if (event.path().isEmpty()) {
      boolean begins =
          event instanceof GraphEvent.RunStarted || event instanceof GraphEvent.RunResumed;
      underWay = begins || (underWay && !isEnd(event));
    }
  }

  synchronized long last() {
    return facts.next() - 1;
  }

  /**
   * What comes behind a bookmark, which is moved there; null if nothing does.
   *
   * @param wanted whether anybody has asked for it; if not, the answer is null, and the bookmark is
   *     only told that its owner has caught up, if they have
   */
  synchronized @Nullable GraphEvent next(Bookmark bookmark, boolean wanted) {
    requireKept(bookmark);
    if (bookmark.chunks != Chunks.NONE) {
      if (bookmark.cursor == last()) {
        asides.caughtUp(bookmark);
      }
      Provisional due = asides.due(bookmark);
      if (due != null) {
        bookmark.aside += wanted ? 1 : 0;
        return wanted ? due : null;
      }
    }
    if (bookmark.cursor == last() || !wanted) {
      return null;
    }
    bookmark.cursor++;
    return facts.get(bookmark.cursor);
  }

  private void requireKept(Bookmark bookmark) {
    boolean isStrange = bookmark.age != age && bookmark.cursor != 0;
    if (isStrange || bookmark.cursor < 0 || bookmark.cursor > last()) {
      throw new UnknownCursorException(thread, bookmark.cursor, last());
    }
    bookmark.age = age;
    if (bookmark.cursor < facts.first() - 1) {
      throw new EventsTrimmedException(thread, bookmark.cursor, facts.first());
    }
  }

  synchronized long trim(long before) {
    return facts.dropBefore(before);
  }

  synchronized void delete() {
    facts = new Numbered<>();
    asides.clear();
    own = 1;
    closed = true;
    underWay = false;
    age++;
  }

  synchronized void add(Follower follower, Bookmark bookmark) {
    bookmark.age = age;
    followers.add(follower);
    asides.listeners(bookmark.chunks == Chunks.NONE ? 0 : 1);
  }

  synchronized void remove(Follower follower, Bookmark bookmark) {
    followers.remove(follower);
    asides.listeners(bookmark.chunks == Chunks.NONE ? 0 : -1);
  }

  /** A bookmark for somebody who reads what is there. */
  synchronized Bookmark bookmark(long after) {
    Bookmark bookmark = new Bookmark(after, Chunks.NONE);
    bookmark.age = age;
    requireKept(bookmark);
    return bookmark;
  }

  /** Whether there is nothing to be remembered but, after a delete, the fence. */
  synchronized boolean isBlank() {
    return (fence == 0 || closed) && facts.next() == 1 && followers.isEmpty();
  }

  /** The highest fence that was seen; 0 if none was. */
  synchronized long fence() {
    return fence;
  }

  synchronized boolean isFollowed() {
    return !followers.isEmpty();
  }

  /** Whether nobody would notice if it were forgotten, but for who comes back. */
  synchronized boolean isIdle() {
    return !underWay && followers.isEmpty();
  }
}
