package io.superstep.reactor;

import io.superstep.state.Update;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The results of a pipeline are a publisher by the rules of Reactive Streams. */
@Test
public class RunAllVerification extends PublisherVerification<RunResult> {

  public RunAllVerification() {
    super(new TestEnvironment(500, 100));
  }

  /** It hops to threads that may block, because the subscribers of the TCK do. */
  private static final GraphRunner RUNNER = GraphRunner.of(Graphs.single(
      "hop", state -> Mono.just(Update.NOTHING).publishOn(Schedulers.boundedElastic())));

  @Override
  public Publisher<RunResult> createPublisher(long elements) {
    return RUNNER.runAll(Flux.range(0, (int) elements).map(n -> Update.NOTHING), 4);
  }

  @Override
  public Publisher<RunResult> createFailedPublisher() {
    return RUNNER.runAll(Flux.error(new IllegalStateException("no input")), 4);
  }

  @Override
  public long maxElementsFromPublisher() {
    return 10_000;
  }
}
