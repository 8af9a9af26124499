package io.superstep.benchmarks;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.json.JsonCodec;
import io.superstep.message.Message;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.InMemoryCheckpointStore;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import java.util.List;
import java.util.Objects;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import reactor.core.publisher.Flux;

/** A long conversation that is over: what it costs to look at it. */
@State(Scope.Benchmark)
public class History {

  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");

  @Param("10000")
  int steps;

  private GraphThread thread;
  private JsonCodec codec;
  private byte[] encoded;
  private List<Checkpoint> checkpoints;
  private List<byte[]> changes;

  @Setup
  public void build() {
    Conversation conversation = new Conversation();
    conversation.steps = steps;
    conversation.build(Words.NEW);
    thread = conversation.thread(new InMemoryCheckpointStore());
    io.superstep.state.State last =
        Objects.requireNonNull(thread.run(Update.NOTHING).block()).state();
    codec = JsonCodec.of(conversation.schema());
    encoded = codec.encode(last);
    checkpoints = Objects.requireNonNull(thread.history().collectList().block());
    changes = checkpoints.stream()
        .map(checkpoint -> codec.encode(checkpoint.changes()))
        .toList();
  }

  /** No store: the state out of its bytes. */
  @Benchmark
  public int bareLatest() {
    return codec.decode(encoded).get(MESSAGES).size();
  }

  @Benchmark
  public int latest() {
    return Objects.requireNonNull(thread.state().block())
        .position()
        .state()
        .get(MESSAGES)
        .size();
  }

  /** No store: what each of the same checkpoints has changed, out of its bytes. */
  @Benchmark
  public int bareList() {
    return Objects.requireNonNull(Flux.fromIterable(changes)
        .reduce(
            0,
            (changed, bytes) -> changed + codec.decodeChanges(bytes).effects().size())
        .block());
  }

  /** Less than any store does: the same checkpoints out of a list. */
  @Benchmark
  public int bareWalk() {
    return walked(Flux.fromIterable(checkpoints));
  }

  @Benchmark
  public int list() {
    return walked(thread.history());
  }

  /** The number of the last step, by a look at every one. */
  private static int walked(Flux<Checkpoint> history) {
    return Objects.requireNonNull(history
        .reduce(0, (most, checkpoint) -> Math.max(most, checkpoint.step()))
        .block());
  }
}
