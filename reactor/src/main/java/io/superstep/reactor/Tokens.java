package io.superstep.reactor;

import io.superstep.graph.Chunk;
import io.superstep.state.ListChannel;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.publisher.Flux;

/**
 * Text that arrives in pieces: each piece is streamed as a chunk, and when all are there the whole
 * becomes an update.
 *
 * <p>The source is subscribed to once per attempt; pieces are asked for as they are delivered.
 */
public final class Tokens implements Publisher<NodeOutput> {

  private final Flux<NodeOutput> outputs;

  private Tokens(Flux<NodeOutput> outputs) {
    this.outputs = outputs;
  }

  /** The pieces of a text, in their order. */
  public static Pieces from(Publisher<String> pieces) {
    return new Pieces(pieces);
  }

  /** The same, and then {@code update} too. */
  public Tokens and(Update update) {
    return new Tokens(outputs.concatWithValues(update));
  }

  @Override
  public void subscribe(Subscriber<? super NodeOutput> subscriber) {
    outputs.subscribe(subscriber);
  }

  /** Pieces of which nobody has said yet what becomes of the whole. */
  public static final class Pieces {

    private final Publisher<String> pieces;

    private Pieces(Publisher<String> pieces) {
      this.pieces = pieces;
    }

    /** The whole text, made into an element of {@code channel}. */
    public <E> Tokens into(ListChannel<E> channel, Function<String, ? extends E> element) {
      return new Tokens(Flux.defer(() -> {
        StringBuilder whole = new StringBuilder();
        return Flux.from(pieces)
            .<NodeOutput>map(piece -> {
              whole.append(piece);
              return new Chunk(piece);
            })
            .concatWith(Flux.defer(
                () -> Flux.just(Update.append(channel, element.apply(whole.toString())))));
      }));
    }
  }
}
