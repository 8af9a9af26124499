package io.superstep.reactor;

import io.superstep.event.GraphEvent;
import io.superstep.event.Moment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;

/** What two JVM threads say to a drain at once. */
class EventDrainRaceTests {

  private static final int ROUNDS = 40_000;
  private static final GraphEvent EVENT =
      new GraphEvent.RunResumed(new Moment("", 0, Instant.EPOCH), 1);

  @Test
  @DisplayName(
      "E20 all signals are received, and delivered one by one as far as they are asked for")
  void allIsHeardAndDeliveredAsFarAsAskedFor() {
    Race.rounds(ROUNDS, (race, random) -> {
      Watched drain = new Watched(new Ear());
      Side one = new Side(drain, random, false);
      Side other = new Side(drain, random, false);

      race.between(random, one, other);

      drain.ear.requireOneAtATime();
      int said = one.said + other.said;
      int asked = one.asked + other.asked;
      requireEqual("received", drain.received, said);
      requireEqual("delivered", drain.ear.delivered, Math.min(said, asked));
      requireEqual("released", drain.released, 0);
      drain.request(Long.MAX_VALUE);
      requireEqual("delivered in the end", drain.ear.delivered, said);
    });
  }

  @Test
  @DisplayName("E20 a cancel that races with all else lets go once, and nothing comes after it")
  void nothingComesAfterACancel() {
    Race.rounds(ROUNDS, (race, random) -> {
      Watched drain = new Watched(new Ear());
      Side one = new Side(drain, random, false);
      Side other = new Side(drain, random, true);

      race.between(random, one, other);

      drain.ear.requireOneAtATime();
      requireEqual("released", drain.released, 1);
      int delivered = drain.ear.delivered;
      requireAtMost(delivered, Math.min(one.said + other.said, one.asked + other.asked));
      drain.signal("too late");
      drain.request(1);
      requireEqual("delivered after the end", drain.ear.delivered, delivered);
      requireEqual("released in the end", drain.released, 1);
      requireEqual("ended", drain.ear.ended, 0);
    });
  }

  @Test
  @DisplayName("E20 a cancel in the middle of a delivery ends it")
  void aCancelInTheMiddleOfADeliveryEndsIt() {
    Watched drain = new Watched(new Ear());
    drain.signal("one");
    drain.signal("two");
    drain.ear.whenDelivered = drain::cancel;

    drain.request(2);

    requireEqual("delivered", drain.ear.delivered, 1);
    requireEqual("released", drain.released, 1);
  }

  @Test
  @DisplayName("E20 an end that races with requests is told once, after all that was announced")
  void theEndIsToldOnce() {
    Race.rounds(ROUNDS, (race, random) -> {
      Watched drain = new Watched(new Ear());
      int words = 1 + random.nextInt(3);

      race.between(
          random,
          () -> {
            for (int word = 0; word < words; word++) {
              drain.signal("word");
            }
            drain.signal(Watched.LAST);
          },
          () -> {
            for (int word = 0; word < words; word++) {
              drain.request(1);
            }
          });

      drain.ear.requireOneAtATime();
      requireEqual("delivered", drain.ear.delivered, words);
      requireEqual("ended", drain.ear.ended, 1);
      requireEqual("released", drain.released, 1);
    });
  }

  private static void requireEqual(String what, int found, int expected) {
    if (found != expected) {
      throw new AssertionError(what + " " + found + " and not " + expected);
    }
  }

  private static void requireAtMost(int found, int most) {
    if (found > most) {
      throw new AssertionError("delivered " + found + ", which is more than " + most);
    }
  }

  /** What one JVM thread says: words and requests by chance. */
  private static final class Side implements Runnable {

    private final List<Runnable> calls = new ArrayList<>();
    private int said;
    private int asked;

    /** The number of the last word of this side that was received. */
    private int heard;

    Side(Watched drain, Random random, boolean cancels) {
      for (int left = 1 + random.nextInt(3); left > 0; left--) {
        if (random.nextBoolean()) {
          Word word = new Word(this, ++said);
          calls.add(() -> drain.signal(word));
        } else {
          int more = 1 + random.nextInt(2);
          asked += more;
          calls.add(() -> drain.request(more));
        }
      }
      if (cancels) {
        calls.add(random.nextInt(calls.size() + 1), drain::cancel);
      }
    }

    @Override
    public void run() {
      calls.forEach(Runnable::run);
    }
  }

  /** What a side says, numbered from 1. */
  private record Word(Side by, int number) {}

  /** A drain that is always busy and announces an event for each word but the last. */
  private static final class Watched extends EventDrain {

    static final Object LAST = new Object();

    private final Ear ear;
    private int received;
    private int released;

    Watched(Ear ear) {
      super(ear, null);
      this.ear = ear;
    }

    @Override
    void advance() {
      throw new AssertionError("Something is under way.");
    }

    @Override
    boolean isUnderWay() {
      return true;
    }

    @Override
    void receive(Object signal) {
      ear.enter();
      received++;
      if (signal instanceof Word word) {
        requireEqual("overtaken: word", word.number, ++word.by.heard);
      }
      ear.leave();
      if (signal == LAST) {
        finish();
      } else {
        announce(EVENT);
      }
    }

    @Override
    void release(@Nullable Throwable error) {
      ear.enter();
      released++;
      ear.leave();
    }
  }

  /** A subscriber that counts, and notices when two are inside at once. */
  private static final class Ear implements CoreSubscriber<GraphEvent> {

    private final AtomicBoolean inside = new AtomicBoolean();
    private volatile boolean crowded;
    private Runnable whenDelivered = () -> {};
    private int delivered;
    private int ended;

    void enter() {
      if (!inside.compareAndSet(false, true)) {
        crowded = true;
      }
    }

    void leave() {
      inside.set(false);
    }

    void requireOneAtATime() {
      if (crowded) {
        throw new AssertionError("two at once");
      }
    }

    @Override
    public void onSubscribe(Subscription subscription) {}

    @Override
    public void onNext(GraphEvent event) {
      enter();
      delivered++;
      leave();
      whenDelivered.run();
    }

    @Override
    public void onError(Throwable error) {
      enter();
      ended++;
      leave();
    }

    @Override
    public void onComplete() {
      enter();
      ended++;
      leave();
    }
  }
}
