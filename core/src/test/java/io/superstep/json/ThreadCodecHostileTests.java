package io.superstep.json;

import static io.superstep.json.SampleThread.SCHEMAS;
import static io.superstep.json.Texts.bytes;
import static io.superstep.json.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.state.Schemas;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThreadCodecHostileTests {

  private static final ThreadCodec CODEC = ThreadCodec.create();

  /** Something that is stored, with how it is read. */
  private static final class Stored {

    private final byte[] bytes;
    private final BiConsumer<byte[], Schemas> reading;

    Stored(byte[] bytes, BiConsumer<byte[], Schemas> reading) {
      this.bytes = bytes;
      this.reading = reading;
    }
  }

  private static List<Stored> stored() {
    List<Stored> stored = new ArrayList<>();
    SampleThread.commits()
        .forEach(
            commit -> stored.add(new Stored(CODEC.encode(commit, SCHEMAS), CODEC::decodeEntry)));
    SampleThread.notes()
        .forEach(note -> stored.add(new Stored(
            CODEC.encodeWhole(note, SCHEMAS),
            (bytes, schemas) -> CODEC.decodeNotes(List.of(bytes), schemas))));
    stored.add(new Stored(CODEC.encode(SampleThread.input(), SCHEMAS), CODEC::decodeInput));
    stored.add(new Stored(
        CODEC.encode(SampleThread.commits().get(3).position().state(), SCHEMAS),
        CODEC::decodeState));
    return stored;
  }

  @Test
  @DisplayName("Promise 8: text that is cut off anywhere is a typed error")
  void cutOff() {
    stored().forEach(each -> {
      for (int length = 0; length < each.bytes.length; length++) {
        byte[] cut = Arrays.copyOf(each.bytes, length);
        assertThat(catchThrowable(() -> each.reading.accept(cut, SCHEMAS)))
            .as("cut at %d: %s", length, text(cut))
            .isInstanceOf(InvalidJsonException.class);
      }
    });
  }

  @Test
  @DisplayName("Promise 8: text that was tampered with is read, or is a typed error")
  void tampered() {
    Random random = new Random(7);
    String[] parts = {
      "{", "}", "[", "]", "null", "-1", "1e999", "\"x\"", "true", ",", ":", "9999999999"
    };
    stored().forEach(each -> {
      for (int round = 0; round < 400; round++) {
        String text = text(each.bytes);
        int from = random.nextInt(text.length());
        int to = Math.min(text.length(), from + random.nextInt(12));
        String other =
            text.substring(0, from) + parts[random.nextInt(parts.length)] + text.substring(to);
        for (Schemas schemas : List.of(SCHEMAS, Schemas.NONE)) {
          Throwable refused = catchThrowable(() -> each.reading.accept(bytes(other), schemas));
          if (refused != null) {
            assertThat(refused).as(other).isInstanceOf(InvalidJsonException.class);
          }
        }
      }
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"v\":2}", "{\"v\":99,\"id\":\"1-1\"}", "{}", "[]", "{\"id\":\"1-1\"}"})
  @DisplayName("Promise 8: another version of the format is a typed error")
  void otherVersions(String text) {
    stored()
        .forEach(each -> assertThat(catchThrowable(() -> each.reading.accept(bytes(text), SCHEMAS)))
            .isInstanceOf(InvalidJsonException.class));
    InvalidJsonException refused = catchThrowableOfType(
        InvalidJsonException.class, () -> CODEC.decodeEntry(bytes("{\"v\":2}"), SCHEMAS));
    assertThat(refused.code()).isEqualTo("SG-303");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"v\":1,\"note\":\"began\",\"task\":{\"origin\":\"t/1-1\",\"step\":1,\"index\":0,\"node\":\"a\"}}",
        "{\"v\":1,\"note\":\"burnt\",\"task\":{\"origin\":\"t/1-1\",\"step\":1,\"index\":0,\"node\":\"a\"},\"attempt\":1}",
        "{\"v\":1,\"note\":\"began\",\"attempt\":1}",
        "{\"v\":1,\"note\":\"began\",\"task\":{\"origin\":\"t/1-1\"},\"attempt\":1}",
        "{\"v\":1,\"said\":{},\"note\":\"ended\",\"task\":{},\"attempt\":1}",
        "{\"v\":1,\"note\":\"began\",\"task\":{\"origin\":\"t/1-1\",\"step\":-1,\"index\":0,\"node\":\"a\"},\"attempt\":1}"
      })
  @DisplayName("Promise 8: a note that lacks something is a typed error")
  void incomplete(String text) {
    assertThat(catchThrowable(() -> CODEC.decodeNotes(List.of(bytes(text)), SCHEMAS)))
        .isInstanceOf(InvalidJsonException.class);
  }
}
