package io.superstep.samples.backpressure;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.TaskChunk;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.RunOptions;
import io.superstep.samples.Written;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.test.StepVerifier;

class BackpressureSampleTests {

  private static final int CHUNKS = 1_000;
  private static final Duration PAUSE = Duration.ofMillis(2);
  private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void theNodeIsAheadOfASlowReaderByItsPrefetchAndNoMore(int prefetch) {
    RunOptions options = RunOptions.NONE.prefetch(prefetch);

    StepVerifier.withVirtualTime(
            () -> BackpressureSample.progress(CHUNKS, PAUSE, options).collectList())
        .thenAwait(LONG_ENOUGH)
        .assertNext(all -> {
          assertThat(all).hasSize(CHUNKS).last().isEqualTo(new Progress(CHUNKS, CHUNKS));
          assertThat(all).extracting(Progress::ahead).allMatch(ahead -> ahead <= prefetch);
          assertThat(all).extracting(Progress::ahead).contains(prefetch);
        })
        .verifyComplete();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 8})
  void theSameHoldsAtEveryEventThatIsAskedForByHand(int prefetch) {
    FastNode node = new FastNode(CHUNKS);
    AtomicInteger delivered = new AtomicInteger();
    BaseSubscriber<GraphEvent> byHand = new BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(Subscription subscription) {}

      @Override
      protected void hookOnNext(GraphEvent event) {
        if (event instanceof TaskChunk) {
          delivered.incrementAndGet();
        }
      }
    };
    GraphRunner.of(node.graph()).stream(Update.NOTHING, RunOptions.NONE.prefetch(prefetch))
        .subscribe(byHand);

    while (!byHand.isDisposed()) {
      byHand.request(1);
      assertThat(node.made() - delivered.get()).isBetween(0, prefetch);
    }

    assertThat(delivered).hasValue(CHUNKS);
  }

  @Test
  void nothingIsMadeBeforeItIsAskedFor() {
    FastNode node = new FastNode(CHUNKS);

    StepVerifier.create(GraphRunner.of(node.graph()).stream(Update.NOTHING), 0)
        .expectSubscription()
        .then(() -> assertThat(node.made()).isZero())
        .thenCancel()
        .verify();
  }

  @Test
  void bothAreShownSideBySide() {
    Written written = new Written();

    StepVerifier.withVirtualTime(() -> BackpressureSample.play(CHUNKS, PAUSE, written.stream()))
        .thenAwait(LONG_ENOUGH)
        .verifyComplete();

    written.stream().flush();
    assertThat(written.text())
        .startsWith("run: nobody reads, and 1000 chunks are made in 0 ms.\n")
        .contains("    made     read    ahead\n     201      200        1\n")
        .contains("\n    1000     1000        0\n")
        .endsWith("\n1000 chunks were made and read in 2012 ms,"
            + " and the node was never more than 1 ahead.\n");
  }
}
