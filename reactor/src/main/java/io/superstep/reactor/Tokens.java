package io.superstep.reactor;

import io.superstep.graph.Chunk;
import io.superstep.graph.NodeContext;
import io.superstep.state.ListChannel;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
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
            .concatWith(
                Mono.fromSupplier(() -> Update.append(channel, element.apply(text.toString()))));
      }));
    }

    /** These pieces, of which what came is kept even if the stream breaks or the run stops. */
    public KeptPieces keepingPart(NodeContext context) {
      return new KeptPieces(pieces, context);
    }
  }

  private static NodeOutput chunk(String piece, StringBuilder text) {
    text.append(piece);
    return new Chunk(piece);
  }

  /**
   * Pieces that count even if there are no more.
   *
   * <p>A stream that breaks before its first piece has nothing to keep, and fails its task. One
   * that breaks later does not, so it is not tried again either.
   */
  public static final class KeptPieces {

    private final Publisher<String> pieces;
    private final NodeContext context;

    private KeptPieces(Publisher<String> pieces, NodeContext context) {
      this.pieces = pieces;
      this.context = context;
    }

    /** The text as far as it came, made into an element of {@code channel}; none if none came. */
    public <E> Tokens into(
        ListChannel<E> channel, BiFunction<String, Ending, ? extends E> element) {
      return new Tokens(Flux.defer(() -> {
        StringBuilder text = new StringBuilder();
        AtomicReference<Ending> ending = new AtomicReference<>(Ending.STOPPED);
        return Flux.from(pieces)
            .doOnComplete(() -> ending.set(Ending.COMPLETE))
            .takeUntilOther(context.stopping())
            .<NodeOutput>map(piece -> chunk(piece, text))
            .onErrorResume(error -> !text.isEmpty(), error -> {
              ending.set(Ending.broken(error));
              return Mono.empty();
            })
            .concatWith(Mono.fromSupplier(() -> text.isEmpty() && !ending.get().isComplete()
                ? Update.NOTHING
                : Update.append(channel, element.apply(text.toString(), ending.get()))));
      }));
    }
  }
}
