package io.superstep.reactor;

import io.superstep.event.GraphEvent;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

/** The events of a run are a publisher by the rules of Reactive Streams. */
@Test
public class RunVerification extends PublisherVerification<GraphEvent> {

  /** What a run of one node tells beside its chunks. */
  private static final int AROUND = 6;

  public RunVerification() {
    super(new TestEnvironment(500, 100));
  }

  @Override
  public Publisher<GraphEvent> createPublisher(long elements) {
    Graph graph = Graphs.single(
        "chunks",
        state -> Flux.range(0, (int) Math.max(0, elements - AROUND)).<NodeOutput>map(Chunk::new));
    return elements < AROUND
        ? GraphRunner.of(graph).stream(Update.NOTHING).take(elements)
        : GraphRunner.of(graph).stream(Update.NOTHING);
  }

  @Override
  public Publisher<GraphEvent> createFailedPublisher() {
    return null; // a run has something to tell before it fails
  }

  @Override
  public long maxElementsFromPublisher() {
    return 10_000;
  }
}
