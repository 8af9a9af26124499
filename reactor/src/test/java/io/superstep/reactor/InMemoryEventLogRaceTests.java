package io.superstep.reactor;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import io.superstep.event.Moment;
import io.superstep.state.Schemas;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.scheduler.Schedulers;

/** What two JVM threads do to a log at once; followers are woken by the one that appends. */
class InMemoryEventLogRaceTests {

  private static final int ROUNDS = 5_000;
  private static final int EVENTS = 3;
  private static final Moment MOMENT = new Moment("", 1, Instant.EPOCH);

  private final InMemoryEventLog log =
      InMemoryEventLog.builder().scheduler(Schedulers.immediate()).maxIdle(100).build();

  private static GraphEvent fact(long number) {
    return new GraphEvent.CheckpointSaved(MOMENT, number, new CheckpointId(number, 1));
  }

  private void append(String thread) {
    for (long number = 1; number <= EVENTS; number++) {
      log.append(thread, 1, List.of(fact(number)), Schemas.NONE).block();
    }
  }

  private static String thread(Random random) {
    return Long.toString(random.nextLong());
  }

  @Test
  @DisplayName("X.20 whoever subscribes while others append gets each fact once")
  void subscribing() {
    Race.rounds(ROUNDS, (race, random) -> {
      String thread = thread(random);
      Ear ear = new Ear(Long.MAX_VALUE);

      race.between(
          random,
          () -> append(thread),
          () -> log.follow(thread, 0, Chunks.SO_FAR, Schemas.NONE).subscribe(ear));

      ear.requireSeen(EVENTS);
      ear.subscription.cancel();
    });
  }

  @Test
  @DisplayName("X.19 as much is delivered as is asked for while others append")
  void requesting() {
    Race.rounds(ROUNDS, (race, random) -> {
      String thread = thread(random);
      Ear ear = new Ear(0);
      log.follow(thread, 0, Chunks.NONE, Schemas.NONE).subscribe(ear);
      int asked = random.nextInt(EVENTS + 1);

      race.between(random, () -> append(thread), () -> {
        for (int left = asked; left > 0; left--) {
          ear.subscription.request(1);
        }
      });

      ear.requireSeen(asked);
      ear.subscription.request(EVENTS);
      ear.requireSeen(EVENTS);
      ear.subscription.cancel();
    });
  }

  @Test
  @DisplayName("X.19 nothing comes after a cancel that races with appending")
  void cancelling() {
    Race.rounds(ROUNDS, (race, random) -> {
      String thread = thread(random);
      Ear ear = new Ear(Long.MAX_VALUE);
      log.follow(thread, 0, Chunks.FROM_NOW_ON, Schemas.NONE).subscribe(ear);

      race.between(random, () -> append(thread), ear.subscription::cancel);

      int seen = ear.seen;
      log.append(thread, 1, List.of(fact(EVENTS + 1)), Schemas.NONE).block();
      ear.requireSeen(seen);
    });
  }

  @Test
  @DisplayName("X.19 a trim that races with a follower makes it miss nothing unheard")
  void trimming() {
    Race.rounds(ROUNDS, (race, random) -> {
      String thread = thread(random);
      Ear ear = new Ear(0);
      append(thread);
      log.follow(thread, 0, Chunks.NONE, Schemas.NONE).subscribe(ear);

      race.between(
          random,
          () -> log.trim(thread, 1 + random.nextInt(EVENTS + 1)).block(),
          () -> ear.subscription.request(EVENTS));

      if (ear.error == null) {
        ear.requireSeen(EVENTS);
        ear.subscription.cancel();
      } else {
        ear.requireSeen(ear.seen);
      }
    });
  }

  /** A subscriber that notices when it is told out of order, or by two at once. */
  private static final class Ear implements CoreSubscriber<GraphEvent> {

    private final long first;
    private final AtomicBoolean inside = new AtomicBoolean();
    private volatile Subscription subscription;
    private volatile String broken = "";
    private volatile int seen;
    private volatile Throwable error;

    Ear(long first) {
      this.first = first;
    }

    void requireSeen(int count) {
      if (seen != count || !broken.isEmpty()) {
        throw new AssertionError("seen " + seen + " and not " + count + broken);
      }
    }

    @Override
    public void onSubscribe(Subscription given) {
      subscription = given;
      if (first > 0) {
        given.request(first);
      }
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // that only one is inside is what is tested
    public void onNext(GraphEvent event) {
      if (!inside.compareAndSet(false, true)) {
        broken = ", two at once";
      }
      seen++;
      if (event.sequence() != seen) {
        broken = ", out of order";
      }
      inside.set(false);
    }

    @Override
    public void onError(Throwable failed) {
      error = failed;
    }

    @Override
    public void onComplete() {
      broken = ", completed";
    }
  }
}
