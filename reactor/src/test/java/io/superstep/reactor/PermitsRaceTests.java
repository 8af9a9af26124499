package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Ticker;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.state.Update;
import io.superstep.step.Superstep;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Schedulers;

/** What two JVM threads do with the same permits at once. */
class PermitsRaceTests {

  private static final int ROUNDS = 10_000;

  private static final Graph GRAPH = Graph.builder("sample")
      .compute("work", state -> Update.NOTHING)
      .sequence(START, "work", END)
      .build();

  private static SuperstepLoop loop(Graph graph, Permits permits, Ear ear) {
    Run run = new Run(
        graph,
        "",
        Opening.begun(() -> Superstep.open(graph, "t", graph.schema().start(), Update.NOTHING)),
        new Environment(
            true,
            null,
            () -> Instant.EPOCH,
            null,
            RunOptions.NONE,
            new Stop(),
            new KnownAnswers(graph, Ticker.disabledTicker()),
            permits,
            Schedulers::boundedElastic,
            new StallDetector(Duration.ZERO, Schedulers::parallel),
            false,
            null),
        null,
        null);
    return new SuperstepLoop(run, ear);
  }

  @Test
  @DisplayName("E18 never more permits are out than there are, and all come back")
  void neverMoreAreOutThanThereAre() {
    Race.rounds(3 * ROUNDS, (race, random) -> {
      int most = 1 + random.nextInt(2);
      Permits permits = Permits.of(most);
      AtomicInteger out = new AtomicInteger();
      SuperstepLoop loop = loop(GRAPH, permits, new Ear());
      Runnable side = () -> {
        for (int turn = 0; turn < 50; turn++) {
          if (permits.take(loop)) {
            require("out", out.incrementAndGet() <= most);
            out.decrementAndGet();
            permits.giveBack();
          } else {
            require("refused although there are two", most == 1);
          }
        }
      };

      race.between(random, side, side);

      for (int left = most; left > 0; left--) {
        require("came back", permits.take(loop));
      }
      require("came back twice", !permits.take(loop));
    });
  }

  @Test
  @DisplayName("E18 a permit that comes back finds whoever is about to wait for it")
  void nobodyWhoWaitsIsForgotten() {
    Race.rounds(ROUNDS, (race, random) -> {
      Permits permits = Permits.of(1);
      permits.take(loop(GRAPH, permits, new Ear()));
      Ear ear = new Ear();
      SuperstepLoop waiting = loop(GRAPH, permits, ear);
      waiting.request(1); // the run is open, and its step starts when more is asked for

      race.between(random, () -> waiting.request(Long.MAX_VALUE), permits::giveBack);

      require("completed", ear.completed == 1);
    });
  }

  @Test
  @DisplayName("E18 a permit that comes back while others are being told finds those left out")
  void nobodyIsLeftOutOfTheTelling() {
    Queue<MonoSink<Update>> started = new ConcurrentLinkedQueue<>();
    Graph graph = Graph.builder("sample")
        .node("work", state -> Mono.<Update>create(started::add))
        .sequence(START, "work", END)
        .build();

    Race.rounds(ROUNDS, (race, random) -> {
      Permits permits = Permits.of(1);
      permits.take(loop(graph, permits, new Ear()));
      Ear one = new Ear();
      Ear other = new Ear();
      loop(graph, permits, one).request(Long.MAX_VALUE);
      loop(graph, permits, other).request(Long.MAX_VALUE);
      int delay = Race.delay(random);

      race.between(random, permits::giveBack, () -> finishFirst(started, delay));
      finishAll(started);

      require("completed", one.completed == 1 && other.completed == 1);
    });
  }

  private static void finishFirst(Queue<MonoSink<Update>> started, int delay) {
    for (int patience = 10_000_000; started.isEmpty() && patience > 0; patience--) {
      Thread.onSpinWait();
    }
    Race.hangBack(delay);
    finishAll(started);
  }

  private static void finishAll(Queue<MonoSink<Update>> started) {
    for (MonoSink<Update> work = started.poll(); work != null; work = started.poll()) {
      work.success();
    }
  }

  @Test
  @DisplayName("E18 a permit that comes back is not lost with one who no longer wants it")
  void oneWhoIsGoneTakesNothingAlong() {
    Permits permits = Permits.of(1);
    permits.take(loop(GRAPH, permits, new Ear()));
    Ear[] ears = {new Ear(), new Ear(), new Ear()};
    for (Ear ear : ears) {
      ear.loop = loop(GRAPH, permits, ear);
      ear.loop.request(Long.MAX_VALUE);
    }
    ears[0].loop.cancel();
    ears[2].loop.cancel();

    permits.giveBack();

    assertThat(ears).extracting(ear -> ear.completed).containsExactly(0, 1, 0);
  }

  @Test
  @DisplayName("E18 two runs that share a permit take turns, and both come to their end")
  void twoRunsTakeTurns() {
    AtomicInteger working = new AtomicInteger();
    Graph graph = Graph.builder("sample")
        .compute("work", state -> {
          require("alone", working.incrementAndGet() == 1);
          working.decrementAndGet();
          return Update.NOTHING;
        })
        .compute("more", state -> Update.NOTHING)
        .edge(START, "work")
        .edge(START, "more")
        .edge("work", END)
        .edge("more", END)
        .build();

    Race.rounds(ROUNDS, (race, random) -> {
      Permits permits = Permits.of(1);
      Ear one = new Ear();
      Ear other = new Ear();
      SuperstepLoop first = loop(graph, permits, one);
      SuperstepLoop second = loop(graph, permits, other);

      race.between(
          random, () -> first.request(Long.MAX_VALUE), () -> second.request(Long.MAX_VALUE));

      require("completed", one.completed == 1 && other.completed == 1);
    });
  }

  private static void require(String what, boolean holds) {
    if (!holds) {
      throw new AssertionError("not so: " + what);
    }
  }

  private static final class Ear implements CoreSubscriber<GraphEvent> {

    private @Nullable SuperstepLoop loop;
    private volatile int completed;

    @Override
    public void onSubscribe(Subscription subscription) {}

    @Override
    public void onNext(GraphEvent event) {}

    @Override
    public void onError(Throwable error) {}

    @Override
    public void onComplete() {
      completed = 1;
    }
  }
}
