package io.superstep.value;

import java.util.Random;

/** Runs a property for many random sources, each known by its seed. */
public final class Seeds {

  private Seeds() {}

  /** Checks {@code property} for the seeds 1 to {@code count}; a failure names its seed. */
  public static void each(int count, Property property) {
    for (int seed = 1; seed <= count; seed++) {
      one(seed, property);
    }
  }

  /** Checks {@code property} for one seed: what to call to look into a failure. */
  public static void one(long seed, Property property) {
    try {
      property.check(new Random(seed));
    } catch (RuntimeException | Error failure) {
      throw new AssertionError("Failed for seed " + seed + ": " + failure.getMessage(), failure);
    }
  }

  /** Something that holds whatever the random source says. */
  @FunctionalInterface
  public interface Property {

    void check(Random random);
  }
}
