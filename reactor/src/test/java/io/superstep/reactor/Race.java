package io.superstep.reactor;

import java.util.Random;

/**
 * Two JVM threads that start at the same moment, round after round.
 *
 * <p>They spin while they wait for each other: to be woken takes longer than what they race for. In
 * each round one of them hangs back a little, by chance, so that over many rounds every point of
 * one side meets every point of the other.
 */
final class Race {

  /** A side hangs back for up to two to the power of this turns of an empty loop. */
  private static final int LONGEST = 8;

  private static final int SPINS_BEFORE_YIELD = 1000;

  private volatile int round;
  private volatile int finished;
  private volatile Runnable other = () -> {};
  private volatile Throwable failure;

  private Race() {}

  /** Runs {@code count} rounds, each with a random source of its own; a failure names its seed. */
  static void rounds(int count, Round round) {
    Race race = new Race();
    Thread thread = new Thread(() -> race.run(count), "race");
    thread.setDaemon(true);
    thread.start();
    for (int seed = 1; seed <= count; seed++) {
      try {
        round.run(race, new Random(seed));
      } catch (RuntimeException | Error failed) {
        thread.interrupt();
        throw new AssertionError("Failed in round " + seed + ": " + failed.getMessage(), failed);
      }
    }
  }

  /** Runs both sides at once; to be called once in each round. */
  void between(Random random, Runnable one, Runnable another) {
    int delay = delay(random);
    boolean first = random.nextBoolean();
    int next = round + 1;
    other = () -> {
      hangBack(first ? delay : 0);
      another.run();
    };
    round = next;
    hangBack(first ? 0 : delay);
    one.run();
    for (int spins = 1; finished != next; spins++) {
      spin(spins);
    }
    if (failure != null) {
      throw new AssertionError(failure.getMessage(), failure);
    }
  }

  private void run(int count) {
    for (int next = 1; next <= count; next++) {
      for (int spins = 1; round != next; spins++) {
        if (Thread.currentThread().isInterrupted()) {
          return;
        }
        spin(spins);
      }
      try {
        other.run();
      } catch (RuntimeException | Error failed) {
        failure = failed;
      }
      finished = next;
    }
  }

  /** How long to hang back: as often next to nothing as a while. */
  static int delay(Random random) {
    return random.nextInt(1 << random.nextInt(LONGEST + 1));
  }

  static void hangBack(int turns) {
    for (int turn = 0; turn < turns; turn++) {
      Thread.onSpinWait();
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // the other side may need this very core
  private static void spin(int spins) {
    if (spins % SPINS_BEFORE_YIELD == 0) {
      Thread.yield();
    } else {
      Thread.onSpinWait();
    }
  }

  /** One round: what is set up, raced for and looked at. */
  @FunctionalInterface
  interface Round {

    void run(Race race, Random random);
  }
}
