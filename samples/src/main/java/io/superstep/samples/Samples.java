package io.superstep.samples;

import io.superstep.samples.backpressure.BackpressureSample;
import io.superstep.samples.debate.DebateSample;
import io.superstep.samples.review.ReviewSample;
import java.util.Arrays;

/** Runs a sample by its number, which is the first argument; the others are for the sample. */
public final class Samples {

  private Samples() {}

  public static void main(String... arguments) {
    String number = arguments[0];
    switch (number) {
      case "1" -> DebateSample.main(Arrays.copyOfRange(arguments, 1, arguments.length));
      case "2" -> BackpressureSample.main();
      case "3" -> ReviewSample.main();
      default ->
        throw new IllegalArgumentException(
            "There is no sample " + number
                + ". There are: 1, a debate; 2, a fast node and a slow reader; 3, a review, in Kotlin.");
    }
  }
}
