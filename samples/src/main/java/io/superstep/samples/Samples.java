package io.superstep.samples;

import io.superstep.samples.backpressure.BackpressureSample;
import io.superstep.samples.debate.DebateSample;
import io.superstep.samples.review.ReviewSample;

/** Runs a sample by its number, which is the only argument. */
public final class Samples {

  private Samples() {}

  public static void main(String... number) {
    switch (number[0]) {
      case "1" -> DebateSample.main();
      case "2" -> BackpressureSample.main();
      case "3" -> ReviewSample.main();
      default ->
        throw new IllegalArgumentException(
            "There is no sample " + number[0]
                + ". There are: 1, a debate; 2, a fast node and a slow reader; 3, a review, in Kotlin.");
    }
  }
}
