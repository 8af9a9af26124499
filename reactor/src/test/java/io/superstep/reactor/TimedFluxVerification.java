package io.superstep.reactor;

import io.superstep.graph.NodePolicy;
import java.time.Duration;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** A timed attempt is a publisher by the rules of Reactive Streams. */
@Test
public class TimedFluxVerification extends PublisherVerification<Object> {

  private static final NodePolicy POLICY =
      NodePolicy.NONE.timeout(Duration.ofHours(2)).idleTimeout(Duration.ofHours(1));

  public TimedFluxVerification() {
    super(new TestEnvironment(500, 100));
  }

  @Override
  public Publisher<Object> createPublisher(long elements) {
    return timed(Flux.range(0, (int) Math.min(elements, 100_000)).map(number -> (Object) number));
  }

  @Override
  public Publisher<Object> createFailedPublisher() {
    return timed(Flux.error(new IllegalStateException("failed at once")));
  }

  private static Publisher<Object> timed(Flux<Object> source) {
    return new TimedFlux(source, "node", POLICY, Schedulers.parallel());
  }

  @Override
  public long maxElementsFromPublisher() {
    return 100_000;
  }
}
