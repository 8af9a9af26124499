package io.superstep.reactor;

import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

/** A boundary is a publisher by the rules of Reactive Streams. */
@Test
public class FluxBoundaryVerification extends PublisherVerification<Integer> {

  public FluxBoundaryVerification() {
    super(new TestEnvironment(500, 100));
  }

  @Override
  public Publisher<Integer> createPublisher(long elements) {
    return FluxBoundary.around(Flux.range(0, (int) Math.min(elements, 100_000)));
  }

  @Override
  public Publisher<Integer> createFailedPublisher() {
    return FluxBoundary.returning(Flux.error(new IllegalStateException("failed at once")));
  }

  @Override
  public long maxElementsFromPublisher() {
    return 100_000;
  }
}
