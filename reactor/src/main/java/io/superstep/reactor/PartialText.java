package io.superstep.reactor;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A text on its way, and why it ended where it did: what ended it first counts.
 *
 * <p>Pieces come from one JVM thread after the other; the stop may come from any.
 */
final class PartialText {

  private final StringBuilder content = new StringBuilder();
  private final AtomicReference<@Nullable TextEnding> ending = new AtomicReference<>();

  /**
   * Each is set before the other is looked at, so that a stop meets a first piece or its absence.
   */
  private volatile boolean begun;

  private volatile boolean stopping;

  /**
   * The pieces of the text, until all are there or, once there are some, {@code stop} completes.
   */
  Flux<String> until(Publisher<Void> stop, Flux<String> pieces) {
    return pieces
        .doOnComplete(() -> end(TextEnding.COMPLETE))
        .takeUntilOther(Mono.from(stop).then(Mono.defer(this::cut)))
        .doOnNext(content::append)
        .takeUntil(piece -> isCutHere());
  }

  /** Ends what has begun; what has not ends with its first piece. */
  private Mono<Void> cut() {
    stopping = true;
    if (!begun) {
      return Mono.never();
    }
    end(TextEnding.STOPPED);
    return Mono.empty();
  }

  private boolean isCutHere() {
    begun = true;
    return stopping && end(TextEnding.STOPPED);
  }

  /** Notes that the stream broke; says whether there is anything to keep. */
  boolean broken(Throwable error) {
    if (content.isEmpty()) {
      return false;
    }
    end(TextEnding.broken(error));
    return true;
  }

  /** The first end counts; says whether it was this one. */
  private boolean end(TextEnding how) {
    return ending.compareAndSet(null, how);
  }

  String content() {
    return content.toString();
  }

  TextEnding ending() {
    return Objects.requireNonNull(ending.get(), "The text has not ended.");
  }
}
