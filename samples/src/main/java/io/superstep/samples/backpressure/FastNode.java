package io.superstep.samples.backpressure;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;

import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.graph.NodeAction;
import io.superstep.state.NodeOutput;
import io.superstep.state.State;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.publisher.Flux;

/** A node that makes chunks as fast as it may, and counts them. */
final class FastNode implements NodeAction {

  private final int chunks;
  private final AtomicInteger made = new AtomicInteger();

  FastNode(int chunks) {
    this.chunks = chunks;
  }

  /** The chunks it has made so far. */
  int made() {
    return made.get();
  }

  @Override
  public Flux<NodeOutput> run(State state) {
    return Flux.range(1, chunks).doOnNext(made::set).map(Chunk::new);
  }

  /** A graph that is this node. */
  Graph graph() {
    return Graph.builder("fast").node("fast", this).sequence(START, "fast", END).build();
  }
}
