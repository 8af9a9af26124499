package io.superstep.json;

import static io.superstep.json.Texts.bytes;
import static io.superstep.json.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.state.Channel;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CompressionTests {

  private static final Channel<String> DRAFT = Channel.text("draft");
  private static final Schemas SCHEMAS = Schemas.of(StateSchema.of(DRAFT));
  private static final ThreadCodec PLAIN = ThreadCodec.create();
  private static final ThreadCodec SMALL =
      ThreadCodec.builder().stage(Compression.from(1_000)).build();

  private static State holding(String draft) {
    return Texts.fold(SCHEMAS.schema().start(), Update.of(DRAFT, draft));
  }

  /** Words in no order, of a small vocabulary as prose has it. */
  private static String prose(int length) {
    Random random = new Random(1);
    StringBuilder prose = new StringBuilder();
    while (prose.length() < length) {
      prose.append(Integer.toString(random.nextInt(2_000), 36)).append(' ');
    }
    return prose.toString();
  }

  @Test
  @DisplayName("S2.33 5 MB of words in no order are stored in less, and come back")
  void compresses() {
    State state = holding(prose(5 << 20));

    byte[] stored = SMALL.encode(state, SCHEMAS);

    assertThat(stored.length).isLessThan(3 << 20);
    assertThat(SMALL.decodeState(stored, SCHEMAS)).isEqualTo(state);
  }

  @Test
  @DisplayName("S2.33 5 MB of a document that repeats itself are stored in less than 1 MB")
  void repetitions() {
    State state = holding("All work and no play makes Jack a dull boy.\n".repeat(120_000));

    assertThat(SMALL.encode(state, SCHEMAS).length).isLessThan(1 << 20);
  }

  @Test
  @DisplayName("S2.33 what was stored without compression is still read")
  void readsOldRows() {
    State state = holding("x".repeat(5_000));

    assertThat(SMALL.decodeState(PLAIN.encode(state, SCHEMAS), SCHEMAS)).isEqualTo(state);
  }

  @Test
  @DisplayName("S2.33 what is short stays as it is")
  void shortOnes() {
    assertThat(text(SMALL.encode(holding("short"), SCHEMAS))).startsWith("{");
  }

  @Test
  void anyBytesComeBackWhereverTheStageStands() {
    Random random = new Random(3);
    Compression stage = Compression.from(100);
    for (int length = 0; length < 300; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      if (length > 0 && length % 2 == 0) {
        bytes[0] = 0x78; // as what was compressed begins
      }
      assertThat(stage.undo(stage.apply(bytes))).isEqualTo(bytes);
    }
  }

  @Test
  void whatIsCutOffOrBrokenIsATypedError() {
    byte[] stored = SMALL.encode(holding(prose(5_000)), SCHEMAS);
    byte[] longer = Arrays.copyOf(stored, stored.length + 1);
    byte[] broken = stored.clone();
    broken[stored.length / 2] ^= 0x55;

    for (byte[] each :
        new byte[][] {Arrays.copyOf(stored, stored.length / 2), longer, broken, bytes("x")}) {
      InvalidJsonException refused =
          catchThrowableOfType(InvalidJsonException.class, () -> SMALL.decodeState(each, SCHEMAS));
      assertThat(refused.code()).isEqualTo("SG-305");
    }
  }

  /** About a thousandth of {@code size}. */
  private static byte[] deflatedZeros(int size) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
      byte[] zeros = new byte[1 << 16];
      for (int left = size; left > 0; left -= zeros.length) {
        deflater.write(zeros, 0, Math.min(left, zeros.length));
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return out.toByteArray();
  }

  @Test
  @DisplayName("255 KB that inflate to 250 MB are refused at the limit, which the error names")
  void inflationIsLimited() {
    byte[] bomb = deflatedZeros(250 << 20);

    InvalidJsonException refused =
        catchThrowableOfType(InvalidJsonException.class, () -> SMALL.decodeState(bomb, SCHEMAS));

    assertThat(bomb.length).isLessThan(300 << 10);
    assertThat(refused.code()).isEqualTo("SG-311");
    assertThat(refused)
        .hasMessageContaining("67108864 bytes")
        .hasMessageContaining("maxInflatedSize");
  }

  @Test
  @DisplayName("the limit of inflation is an option, and includes documents of exactly its size")
  void theLimitIsAnOption() {
    Compression stage = Compression.from(0).maxInflatedSize(10_000);

    assertThat(stage.undo(deflatedZeros(10_000))).hasSize(10_000);
    assertThat(catchThrowableOfType(
                InvalidJsonException.class, () -> stage.undo(deflatedZeros(10_001)))
            .code())
        .isEqualTo("SG-311");
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> stage.maxInflatedSize(0));
  }

  @Test
  @DisplayName("a document beyond the limit is stored without compression, and can be read")
  void beyondTheLimit() {
    ThreadCodec tight =
        ThreadCodec.builder().stage(Compression.from(0).maxInflatedSize(1_000)).build();
    State state = holding("x".repeat(2_000));

    byte[] stored = tight.encode(state, SCHEMAS);

    assertThat(text(stored)).startsWith("{");
    assertThat(tight.decodeState(stored, SCHEMAS)).isEqualTo(state);
  }

  @Test
  void aSizeIsNotNegative() {
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> Compression.from(-1));
  }
}
