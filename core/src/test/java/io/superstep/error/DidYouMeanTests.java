package io.superstep.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DidYouMeanTests {

  @ParameterizedTest
  @CsvSource({
    "cuont,count", // neighbours swapped
    "reviwer,reviewer", // a letter missing
    "answwer,answer", // a letter doubled
    "stetus,status", // a letter wrong
    "prespectives,perspectives",
    "ab,abc",
  })
  void findsTheNameThatWasMeant(String typed, String meant) {
    assertThat(DidYouMean.among(
            List.of("messages", "abc", "count", "reviewer", "answer", "status", "perspectives"),
            typed))
        .contains(meant);
  }

  @ParameterizedTest
  @CsvSource({"topic,status", "x,yz", "count,mount_everest"})
  void guessesNothingWhenNothingIsNear(String typed, String known) {
    assertThat(DidYouMean.among(List.of(known), typed)).isEmpty();
  }

  @Test
  void takesTheNearestAndOfEquallyNearOnesTheFirst() {
    assertThat(DidYouMean.among(List.of("counter", "count", "mount"), "coun")).contains("count");
    assertThat(DidYouMean.among(List.of("bode", "code"), "node")).contains("bode");
  }

  @Test
  void staysQuietAboutNamesNobodyTypes() {
    String long1 = "n".repeat(100_000);

    assertThat(DidYouMean.among(List.of(long1 + "x"), long1)).isEmpty();
  }

  @Test
  void knowsNothingAmongNothing() {
    assertThat(DidYouMean.among(List.of(), "count")).isEmpty();
    assertThat(DidYouMean.among(List.of("count", "a"), "")).isEmpty();
    assertThat(DidYouMean.among(List.of("a", "b"), "c")).isEmpty();
  }
}
