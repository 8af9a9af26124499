package io.superstep.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.json.JsonCodec;
import io.superstep.state.Channel;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MessageTextTests {

  private static final class Refused extends SuperstepException {

    private static final long serialVersionUID = 1L;

    Refused(List<Problem> problems) {
      super("headline", problems);
    }
  }

  private static Problem problem(String text) {
    return new Problem("SG-211", text, text, text);
  }

  @Test
  @DisplayName("short text without control characters stays as it is")
  void unchanged() {
    String text = "Grüße 😀 \"quoted\" 'x' \\u0007";

    assertThat(problem(text).what()).isSameAs(text);
    assertThat(MessageText.name(text)).isSameAs(text);
  }

  @Test
  @DisplayName("control characters, bidirectional controls and unpaired surrogates are escaped")
  void escapes() {
    assertThat(MessageText.name("a\n\u0000\u001b[31m\u0085\u202e\u2029\ud83db"))
        .isEqualTo("a\\u000a\\u0000\\u001b[31m\\u0085\\u202e\\u2029\\ud83db");
  }

  @Test
  @DisplayName("the middle of a long text is left out, and its length is named")
  void shortens() {
    Problem problem = problem("There is no field '" + "x".repeat(10_000_000) + "'.");

    assertThat(problem.what())
        .hasSizeLessThanOrEqualTo(600)
        .startsWith("There is no field 'xxx")
        .contains("…(10000021 characters)…")
        .endsWith("xx'.");
    assertThat(problem.toString().length()).isLessThan(2_000);
  }

  @Test
  @DisplayName("text that was made safe stays as it is when it is read again")
  void idempotent() {
    Random random = new Random(1);
    for (int round = 0; round < 2_000; round++) {
      StringBuilder text = new StringBuilder("x");
      int length = random.nextInt(2_000);
      for (int at = 0; at < length; at++) {
        text.append((char) (random.nextInt(3) == 0 ? random.nextInt(0x10000) : 'a'));
      }
      Problem once = problem(text.toString());
      Problem twice = problem(once.what());
      assertThat(twice).isEqualTo(once);
      assertThat(once.what().length()).isLessThanOrEqualTo(600);
    }
  }

  @Test
  @DisplayName("a message shows a hundred problems, and the error has all")
  void manyProblems() {
    Refused refused = new Refused(Collections.nCopies(5_000, problem("What.")));

    assertThat(refused.problems()).hasSize(5_000);
    assertThat(refused).hasMessageEndingWith("and 4900 more");
    assertThat(refused.getMessage().length()).isLessThan(20_000);
  }

  @Test
  @DisplayName("field names of 10 MB from callers and from stored data are bounded and escaped")
  void hostileNames() {
    String name = "\u001b\n" + "n".repeat(10_000_000);
    JsonCodec codec = JsonCodec.of(StateSchema.of(Channel.value("a", Object.class)));

    InvalidUpdateException unknown = Assertions.catchThrowableOfType(
        InvalidUpdateException.class,
        () -> StateSchema.of(Channel.value("a", Object.class)).accept(Update.of(Map.of(name, 1))));
    SuperstepException stored = Assertions.catchThrowableOfType(
        SuperstepException.class,
        () -> codec.decodeChanges(
            ("{\"v\":1,\"changes\":{\"\\u001b\\n" + "n".repeat(10_000_000) + "\":{\"set\":1}}}")
                .getBytes(StandardCharsets.UTF_8)));

    for (SuperstepException each : List.of(unknown, stored)) {
      assertThat(each.getMessage().length()).isLessThan(2_000);
      assertThat(each.getMessage()).doesNotContain("\u001b").contains("\\u001b");
    }
  }
}
