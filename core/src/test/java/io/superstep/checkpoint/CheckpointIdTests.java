package io.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CheckpointIdTests {

  @ParameterizedTest
  @ValueSource(strings = {"1-1", "12-7", "9223372036854775807-9223372036854775807", "100-10"})
  @DisplayName("an id is parsed, and written as it was")
  void roundTrip(String text) {
    assertThat(CheckpointId.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "1",
        "1-",
        "-1",
        "1-1-1",
        "0-1",
        "1-0",
        "01-1",
        "1-01",
        "+1-1",
        "1-+1",
        "-1-1",
        "1--1",
        " 1-1",
        "1-1 ",
        "1-1\n",
        "a-1",
        "\u0661-1", // ARABIC-INDIC DIGIT ONE
        "1-\uff11", // FULLWIDTH DIGIT ONE
        "1\u22121", // MINUS SIGN
        "9223372036854775808-1",
        "1-99999999999999999999",
        "1e3-1"
      })
  @DisplayName("any other text is refused with a typed error")
  void refused(String text) {
    InvalidCheckpointIdException refused =
        catchThrowableOfType(InvalidCheckpointIdException.class, () -> CheckpointId.parse(text));

    assertThat(refused.code()).isEqualTo("SG-418");
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 10_000_000})
  @DisplayName("the error does not quote the text")
  void doesNotQuote(int length) {
    InvalidCheckpointIdException refused = catchThrowableOfType(
        InvalidCheckpointIdException.class, () -> CheckpointId.parse("7".repeat(length) + "-1"));

    assertThat(refused.getMessage().length()).isLessThan(500);
    assertThat(refused).hasMessageNotContaining("777");
  }
}
