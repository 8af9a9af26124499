package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.event.GraphEvent;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.Loggers;

/** Tasks that signal nothing for long are reported, and not ended. */
class StallDetectorTests {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
  private final List<String> reports = new ArrayList<>();

  private GraphRunner runner(Graph graph) {
    return GraphRunner.builder(graph)
        .timer(timer)
        .stallThreshold(MINUTE)
        .observedBy(new Reporting(null))
        .build();
  }

  /** Records the tasks that are reported. */
  private final class Reporting implements Watch {

    private final @Nullable Stage stage;

    Reporting(@Nullable Stage stage) {
      this.stage = stage;
    }

    @Override
    public Watch begin(Stage inner) {
      return new Reporting(inner);
    }

    @Override
    public void stalled(Duration silence) {
      reports.add(((Stage.Task) stage).task().node() + " " + silence);
    }

    @Override
    public void end(Ending ending, @Nullable Throwable error) {}
  }

  @Test
  @DisplayName("a silent task is reported at the threshold and whenever its silence has doubled")
  void silent() {
    Disposable run = runner(Graphs.single("silent", state -> Mono.never()))
        .run(Update.NOTHING)
        .subscribe();

    timer.advanceTimeBy(MINUTE.minusSeconds(1));
    assertThat(reports).isEmpty();
    timer.advanceTimeBy(MINUTE.multipliedBy(9));

    assertThat(reports).containsExactly("silent PT1M", "silent PT2M", "silent PT4M", "silent PT8M");
    run.dispose();
  }

  @Test
  @DisplayName("without an option a task is reported after five minutes of silence")
  void byDefault() {
    Disposable run = GraphRunner.builder(Graphs.single("silent", state -> Mono.never()))
        .timer(timer)
        .observedBy(new Reporting(null))
        .build()
        .run(Update.NOTHING)
        .subscribe();

    timer.advanceTimeBy(Duration.ofMinutes(5).minusSeconds(1));
    assertThat(reports).isEmpty();
    timer.advanceTimeBy(Duration.ofMinutes(2));

    assertThat(reports).containsExactly("silent PT5M");
    run.dispose();
  }

  @Test
  @DisplayName("a task that emits chunks is not reported")
  void chunks() {
    Graph graph = Graphs.single(
        "busy",
        state ->
            Flux.interval(Duration.ofSeconds(40), timer).map(tick -> (NodeOutput) new Chunk(tick)));
    Disposable run = runner(graph).stream(Update.NOTHING).subscribe();

    timer.advanceTimeBy(Duration.ofMinutes(30));

    assertThat(reports).isEmpty();
    run.dispose();
  }

  @Test
  @DisplayName("a task that waits for demand or for its next attempt is not reported")
  void waiting() {
    Graph chunks = Graphs.single(
        "slowed", state -> Flux.range(0, 1000).map(tick -> (NodeOutput) new Chunk(tick)));
    Graph retried = graph()
        .node("retried", state -> Mono.error(new IllegalStateException("broken")))
        .policy("retried", NodePolicy.retry(3).backoff(Duration.ofHours(2), Duration.ofHours(2)))
        .sequence(START, "retried", END)
        .build();
    List<Disposable> runs = List.of(
        runner(chunks).stream(Update.NOTHING).subscribeWith(new Requesting(5)),
        runner(retried).run(Update.NOTHING).subscribe());

    timer.advanceTimeBy(Duration.ofMinutes(30));

    assertThat(reports).isEmpty();
    runs.forEach(Disposable::dispose);
  }

  private static final class Requesting extends BaseSubscriber<GraphEvent> {

    private final int count;

    Requesting(int count) {
      this.count = count;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      subscription.request(count);
    }
  }

  @Test
  @DisplayName("a task inside a subgraph is reported once, by its own node")
  void nested() {
    Graph outer = graph()
        .subgraph("outer", Graphs.single("inner", state -> Mono.never()))
        .sequence(START, "outer", END)
        .build();
    Disposable run = runner(outer).run(Update.NOTHING).subscribe();

    timer.advanceTimeBy(MINUTE.multipliedBy(2).minusSeconds(1));

    assertThat(reports).containsExactly("inner PT1M");
    run.dispose();
  }

  @Test
  @DisplayName("a computed node that never returns is reported while it occupies its JVM thread")
  void computed() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch returns = new CountDownLatch(1);
    Graph graph = graph()
        .compute("stuck", state -> {
          entered.countDown();
          returns.await();
          return Update.NOTHING;
        })
        .sequence(START, "stuck", END)
        .build();
    Disposable run = runner(graph)
        .run(Update.NOTHING)
        .subscribeOn(Schedulers.boundedElastic())
        .subscribe();
    entered.await();

    timer.advanceTimeBy(MINUTE.multipliedBy(2).minusSeconds(1));

    assertThat(reports).containsExactly("stuck PT1M");
    returns.countDown();
    run.dispose();
  }

  @Test
  @DisplayName("runs that have ended are forgotten, and zero turns the detector off")
  void forgotten() {
    GraphRunner runner = runner(Graphs.counting(3));
    runner.run(Update.NOTHING).block(Duration.ofSeconds(10));
    assertThat(runner.stalls().watched()).isZero();

    GraphRunner off = GraphRunner.builder(Graphs.single("silent", state -> Mono.never()))
        .stallThreshold(Duration.ZERO)
        .build();
    Disposable run = off.run(Update.NOTHING).subscribe();
    assertThat(off.stalls().watched()).isZero();
    run.dispose();
    assertThatThrownBy(
            () -> GraphRunner.builder(Graphs.counting(1)).stallThreshold(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("a sample that is scheduled keeps no runner alive, nor the threads of its store")
  void collected() {
    WeakReference<GraphRunner> used = new WeakReference<>(used());

    assertThat(Flux.interval(Duration.ofMillis(10))
            .doOnNext(any -> System.gc())
            .any(any -> used.get() == null)
            .block(Duration.ofSeconds(10)))
        .isTrue();
    timer.advanceTimeBy(MINUTE); // the sample is still scheduled
  }

  private GraphRunner used() {
    GraphRunner runner = runner(Graphs.counting(3));
    runner.run(Update.NOTHING).block(Duration.ofSeconds(10));
    return runner;
  }

  @Test
  @DisplayName("the log has one warning per report, without state values")
  void logged() {
    List<String> lines = new CopyOnWriteArrayList<>();
    Loggers.useCustomLoggers(name -> RecordingLogger.of(name, lines));
    try {
      Disposable run = runner(Graphs.single("silent", state -> Mono.never()))
          .run(Update.NOTHING)
          .subscribe();
      timer.advanceTimeBy(MINUTE.multipliedBy(2).minusSeconds(1));
      run.dispose();
    } finally {
      Loggers.resetLoggerFactory();
    }

    assertThat(lines.stream().filter(line -> line.contains("io.superstep.stalled")))
        .singleElement()
        .asString()
        .startsWith("WARN io.superstep.stalled: Node 'silent' of graph 'sample' has signalled"
            + " nothing for PT1M");
  }
}
