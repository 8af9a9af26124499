package io.superstep.reactor;

import io.superstep.graph.Chunk;
import io.superstep.graph.NodeContext;
import io.superstep.state.ListChannel;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

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
        StringBuilder text = new StringBuilder();
        return Flux.from(pieces)
            .<NodeOutput>map(piece -> chunk(piece, text))
            .concatWith(update(() -> Update.append(channel, element.apply(text.toString()))));
      }));
    }

    /** These pieces, of which what came is kept even if the stream breaks or the run stops. */
    public KeptPieces keepingPart(NodeContext context) {
      return new KeptPieces(pieces, context);
    }
  }

  /** Emits what {@code function} returns; an error that it throws is signalled, whatever it is. */
  private static Mono<NodeOutput> update(Supplier<Update> function) {
    return Mono.defer(() -> {
      try {
        return Mono.just(function.get());
      } catch (Throwable failure) {
        return Mono.error(CarriedError.wrap(failure));
      }
    });
  }

  private static NodeOutput chunk(String piece, StringBuilder text) {
    text.append(piece);
    return new Chunk(piece);
  }

  /**
   * Pieces that count even if there are no more.
   *
   * <p>A stream that breaks before its first piece has nothing to keep, and fails its task. One
   * that breaks later does not, so it is not tried again either. A stop cuts short what is being
   * said: a stream that has brought nothing yet is heard until it does, and a node that begins
   * after the run was asked to stop is heard to its end. What was cut short is in no cache.
   */
  public static final class KeptPieces {

    private final Publisher<String> pieces;
    private final NodeContext context;

    private KeptPieces(Publisher<String> pieces, NodeContext context) {
      this.pieces = pieces;
      this.context = context;
    }

    /** The text as far as it came, made into an element of {@code channel}. */
    public <E> Tokens into(
        ListChannel<E> channel, BiFunction<String, TextEnding, ? extends E> element) {
      return new Tokens(Flux.defer(() -> {
        PartialText text = new PartialText();
        Publisher<Void> stop = context.isStopping() ? Mono.never() : context.stopping();
        return text.until(stop, Flux.from(pieces))
            .<NodeOutput>map(Chunk::new)
            .onErrorResume(error -> text.broken(error), error -> Mono.empty())
            .concatWith(update(() -> {
              if (!text.ending().isComplete()) {
                context.doNotCache();
              }
              return Update.append(channel, element.apply(text.content(), text.ending()));
            }));
      }));
    }
  }
}
