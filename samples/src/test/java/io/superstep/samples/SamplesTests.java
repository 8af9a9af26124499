package io.superstep.samples;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SamplesTests {

  @Test
  void anUnknownNumberIsAnsweredWithThoseThereAre() {
    assertThatThrownBy(() -> Samples.main("7"))
        .hasMessage("There is no sample 7."
            + " There are: 1, a debate; 2, a fast node and a slow reader; 3, a review, in Kotlin.");
  }
}
