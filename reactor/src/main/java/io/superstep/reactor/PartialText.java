package io.superstep.reactor;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A text on its way, and why it ended where it did: what ended it first counts.
 *
 * <p>Pieces come from one JVM thread after the other; the stop may come from any.
 */
final class PartialText {

  private final StringBuilder content = new StringBuilder();
  private final AtomicReference<@Nullable TextEnding> ending = new AtomicReference<>();
  private final Sinks.Empty<Void> begun = Sinks.empty();

  /**
   * The pieces of the text, until all are there or, once there are some, {@code stop} completes.
   */
  Flux<String> until(Publisher<Void> stop, Flux<String> pieces) {
    Mono<Void> cut = Mono.when(begun.asMono(), stop).doOnSuccess(asked -> end(TextEnding.STOPPED));
    return pieces
        .doOnComplete(() -> end(TextEnding.COMPLETE))
        .takeUntilOther(cut)
        .doOnNext(piece -> {
          content.append(piece);
          begun.tryEmitEmpty();
        });
  }

  /** Notes that the stream broke; says whether there is anything to keep. */
  boolean broken(Throwable error) {
    return !content.isEmpty() && end(TextEnding.broken(error));
  }

  private boolean end(TextEnding how) {
    return ending.compareAndSet(null, how) || how.error() != null;
  }

  String content() {
    return content.toString();
  }

  TextEnding ending() {
    return Objects.requireNonNull(ending.get(), "The text has not ended.");
  }
}
