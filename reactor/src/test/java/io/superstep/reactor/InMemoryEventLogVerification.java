package io.superstep.reactor;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import io.superstep.event.Moment;
import io.superstep.state.Schemas;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.annotations.Test;

/** What a follower gets is a publisher by the rules of Reactive Streams; it never completes. */
@Test
public class InMemoryEventLogVerification extends PublisherVerification<GraphEvent> {

  private static final Moment MOMENT = new Moment("", 1, Instant.EPOCH);

  public InMemoryEventLogVerification() {
    super(new TestEnvironment(500, 100));
  }

  /** Half of the facts are there before, the others are appended when somebody has subscribed. */
  @Override
  public Publisher<GraphEvent> createPublisher(long elements) {
    InMemoryEventLog log = new InMemoryEventLog();
    long count = Math.min(elements, 1_000);
    log.append("t", 1, facts(1, count / 2), Schemas.NONE).block();
    return log.follow("t", 0, Chunks.SO_FAR, Schemas.NONE)
        .doOnSubscribe(first ->
            log.append("t", 1, facts(count / 2 + 1, count), Schemas.NONE).block());
  }

  private static List<GraphEvent> facts(long first, long last) {
    return LongStream.rangeClosed(first, last)
        .<GraphEvent>mapToObj(
            number -> new GraphEvent.CheckpointSaved(MOMENT, number, new CheckpointId(number, 1)))
        .toList();
  }

  @Override
  public Publisher<GraphEvent> createFailedPublisher() {
    return new InMemoryEventLog().follow("t", 7, Chunks.NONE, Schemas.NONE);
  }

  @Override
  public long maxElementsFromPublisher() {
    return publisherUnableToSignalOnComplete();
  }
}
