package io.superstep.reactor;

import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** The events of a thread, with a {@link Follower} for each subscriber. */
final class FollowFlux extends Flux<GraphEvent> {

  private final long after;
  private final Chunks chunks;
  private final Follower.Following following;

  FollowFlux(long after, Chunks chunks, Follower.Following following) {
    this.after = after;
    this.chunks = chunks;
    this.following = following;
  }

  @Override
  public void subscribe(CoreSubscriber<? super GraphEvent> subscriber) {
    new Follower(subscriber, new Bookmark(after, chunks), following).start();
  }
}
