package io.superstep.samples.backpressure;

import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.RunOptions;
import io.superstep.state.Update;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Sample 2: a fast node and a slow reader.
 *
 * <p>A reader that asks for one event at a time has the node at most {@link RunOptions#prefetch}
 * chunks ahead of it, 1 unless said otherwise, however fast the node is. A reader that asks for
 * more at once has that much more ahead of it.
 */
public final class BackpressureSample {

  /** After how many chunks a line is written. */
  private static final int STRIDE = 200;

  private BackpressureSample() {}

  public static void main(String... none) {
    play(2_000, Duration.ofMillis(2), System.out).block();
  }

  /** Runs a node of {@code chunks} on its own, then for a reader that pauses after each. */
  static Mono<Void> play(int chunks, Duration pause, PrintStream out) {
    return alone(chunks, out).then(Mono.defer(() -> beingRead(chunks, pause, out)));
  }

  /** With {@code run} nobody reads what the node makes, so nobody slows it. */
  private static Mono<Void> alone(int chunks, PrintStream out) {
    FastNode node = new FastNode(chunks);
    return GraphRunner.of(node.graph())
        .run(Update.NOTHING)
        .timed()
        .doOnNext(result -> out.printf(
            Locale.ROOT,
            "run: nobody reads, and %d chunks are made in %d ms.%n",
            node.made(),
            result.elapsed().toMillis()))
        .then();
  }

  private static Mono<Void> beingRead(int chunks, Duration pause, PrintStream out) {
    out.printf(Locale.ROOT, "%nstream: a reader takes %d ms over each event.%n", pause.toMillis());
    out.printf(Locale.ROOT, "%8s %8s %8s%n", "made", "read", "ahead");
    return progress(chunks, pause, RunOptions.NONE)
        .doOnNext(progress -> {
          if (progress.read() % STRIDE == 0) {
            out.println(progress);
          }
        })
        .reduce(0, (most, progress) -> Math.max(most, progress.ahead()))
        .timed()
        .doOnNext(most -> out.printf(
            Locale.ROOT,
            "%d chunks were made and read in %d ms, and the node was never more than %d ahead.%n",
            chunks,
            most.elapsed().toMillis(),
            most.get()))
        .then();
  }

  /** How far the node and its reader are, after each chunk that was read. */
  static Flux<Progress> progress(int chunks, Duration pause, RunOptions options) {
    FastNode node = new FastNode(chunks);
    return new SlowReader(pause)
        .read(GraphRunner.of(node.graph()).stream(Update.NOTHING, options))
        .map(chunk -> new Progress(node.made(), chunk.index() + 1));
  }
}
