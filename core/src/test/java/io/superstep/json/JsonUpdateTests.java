package io.superstep.json;

import static io.superstep.json.Texts.bytes;
import static io.superstep.json.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.state.Channel;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonUpdateTests {

  private static final Channel<@Nullable LocalDate> DAY = Channel.value("day", LocalDate.class);
  private static final Channel<@Nullable Object> ANY = Channel.value("any", Object.class);
  private static final Channel<@Nullable String> ITEM =
      Channel.value("item", String.class).argument();
  private static final Channel<@Nullable String> KEY =
      Channel.value("key", String.class).runtimeOnly();

  private static final JsonCodec CODEC = JsonCodec.of(StateSchema.of(DAY, ANY, ITEM, KEY));

  @Test
  void writesComeBackInOrderWithTheirArguments() {
    Update update = Update.of(DAY, LocalDate.of(2025, 1, 2))
        .and(ITEM, "one")
        .and(Update.overwrite(ANY, 5L))
        .and(DAY, null);

    byte[] bytes = CODEC.encode(update);

    assertThat(text(bytes))
        .isEqualTo("{\"v\":1,\"writes\":[[\"day\",\"2025-01-02\"],[\"item\",\"one\"],"
            + "[\"any\",{\"$long\":5},\"overwrite\"],[\"day\",null]]}");
    assertThat(CODEC.decodeUpdate(bytes)).isEqualTo(update);
  }

  @Test
  void writesByNameComeBackTyped() {
    Update update = Update.of("day", LocalDate.EPOCH);

    assertThat(CODEC.decodeUpdate(CODEC.encode(update))).isEqualTo(Update.of(DAY, LocalDate.EPOCH));
  }

  @Test
  void anEmptyUpdateIsOneToo() {
    assertThat(CODEC.decodeUpdate(CODEC.encode(Update.NOTHING))).isEqualTo(Update.NOTHING);
  }

  @Test
  void whatLivesOnlyAsLongAsARunStaysBehind() {
    assertThat(text(CODEC.encode(Update.of(KEY, "secret")))).isEqualTo("{\"v\":1,\"writes\":[]}");
  }

  @Test
  void anUpdateThatDoesNotFitTheSchemaIsRefusedAsEverywhere() {
    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() -> CODEC.encode(Update.of("day", "tomorrow")));
    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() -> CODEC.encode(Update.of("week", 1)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[1]",
        "[[]]",
        "[[\"day\"]]",
        "[[1,2]]",
        "[[\"any\",1,\"over\"]]",
        "[[\"any\",1,\"overwrite\",2]]",
        "[[\"any\",1,2]]"
      })
  void brokenWritesAreRefused(String writes) {
    InvalidJsonException refused = catchThrowableOfType(
        InvalidJsonException.class,
        () -> CODEC.decodeUpdate(bytes("{\"v\":1,\"writes\":" + writes + "}")));

    assertThat(refused.code()).isEqualTo("SG-302");
  }
}
