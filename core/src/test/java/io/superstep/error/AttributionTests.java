package io.superstep.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.json.ThreadCodec;
import io.superstep.question.Answer;
import io.superstep.question.Question;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class AttributionTests {

  private static final Instant TIME = Instant.EPOCH;
  private static final Task TASK = new Task("t/1-1", 1, 0, "work", null);
  private static final Cause.Source SOURCE = new Cause.Source("t", new CheckpointId(1, 1));

  private static List<ThrowingCallable> entrances(String name) {
    return List.of(
        () -> Cause.update(name, null),
        () -> Cause.fork(name, null),
        () -> Cause.copy(SOURCE, name, null),
        () -> Cause.merge(SOURCE, name, null),
        () -> new QueuedInput("i", Update.NOTHING, name, TIME),
        () -> new Answer("q", "publish", true, name, TIME, "r"),
        () -> new TaskNote.Asked(TASK, 1, "q", name, Question.yesNo("?").prompt(), TIME));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\nb", "\u0000", "a\u001b[31m", "\u202eadmin", "\ud83d", "x\u0085"})
  @DisplayName("names with control characters are refused wherever they enter")
  void controlCharacters(String name) {
    for (ThrowingCallable entrance : entrances(name)) {
      InvalidNameException refused = catchThrowableOfType(InvalidNameException.class, entrance);
      assertThat(refused.code()).isEqualTo("SG-417");
      assertThat(refused).hasMessageNotContaining(name);
    }
  }

  @Test
  @DisplayName("names of 10 MB are refused wherever they enter")
  void longNames() {
    for (ThrowingCallable entrance : entrances("n".repeat(10_000_000))) {
      InvalidNameException refused = catchThrowableOfType(InvalidNameException.class, entrance);
      assertThat(refused).hasMessageContaining("1000");
      assertThat(refused.getMessage().length()).isLessThan(1_000);
    }
  }

  @Test
  @DisplayName("other names and reasons are kept as they are")
  void kept() {
    String name = "Ada Grüße 😀 \"x\" <ada@example.com>";
    Cause cause = Cause.update(name, "line 1\r\n\tline 2");

    assertThat(cause.author()).isEqualTo(name);
    assertThat(cause.reason()).isEqualTo("line 1\r\n\tline 2");
    assertThat(Attribution.name("author", "n".repeat(1_000))).hasSize(1_000);
  }

  @Test
  @DisplayName("reasons are bounded, and have no control characters but line breaks and tabs")
  void reasons() {
    for (String reason : List.of("r".repeat(10_001), "a\u0007b")) {
      InvalidNameException refused =
          catchThrowableOfType(InvalidNameException.class, () -> Cause.update("ada", reason));
      assertThat(refused.code()).isEqualTo("SG-417");
    }
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " \u00a0\t", "a\nb", "\u202eadmin", "\ud83d"})
  @DisplayName("a lease owner that is missing, blank or has control characters is refused")
  void owners(@Nullable String owner) {
    InvalidNameException refused =
        catchThrowableOfType(InvalidNameException.class, () -> Attribution.owner(owner));

    assertThat(refused).hasMessageContaining("SG-417").hasMessageContaining("lease owner");
  }

  @Test
  @DisplayName("a lease owner has at most 100 characters")
  void ownerLength() {
    String longest = "w".repeat(100);

    assertThat(Attribution.owner(longest)).isSameAs(longest);
    assertThat(Attribution.owner("web-7:4711")).isEqualTo("web-7:4711");
    InvalidNameException refused =
        catchThrowableOfType(InvalidNameException.class, () -> Attribution.owner(longest + "w"));
    assertThat(refused)
        .hasMessageContaining("has 101 characters, and the maximum is 100")
        .hasMessageContaining("Use at most 100 characters");
  }

  @Test
  @DisplayName("names that were stored before are read, shortened and escaped")
  void stored() {
    byte[] document = ("{\"v\":1,\"id\":\"i-1\",\"by\":\"a\\n" + "b".repeat(2_000)
            + "\",\"time\":\"2025-12-11T10:00:00Z\",\"writes\":[]}")
        .getBytes(StandardCharsets.UTF_8);

    QueuedInput input = ThreadCodec.create().decodeInput(document, Schemas.NONE);

    assertThat(input.by()).startsWith("a\\u000abbb").hasSizeLessThanOrEqualTo(100);
  }
}
