package io.superstep.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.value.FrozenMap;
import io.superstep.value.ValueType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.CharBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MemoryWriteTests {

  private static final Namespace ADA = Namespace.of("users", "ada");
  private static final Instant NOW = Instant.ofEpochSecond(1_000);

  private static InvalidMemoryException refusal(Map<String, ? extends @Nullable Object> value) {
    return catchThrowableOfType(
        InvalidMemoryException.class, () -> MemoryWrite.put(ADA, "k", value));
  }

  @Test
  @DisplayName("E24 a value is frozen at the door")
  void frozen() {
    List<Object> list = new ArrayList<>(List.of(1));
    Map<String, @Nullable Object> value = new LinkedHashMap<>(Map.of("list", list));
    MemoryWrite.Put put = MemoryWrite.put(ADA, "k", value);

    list.add(2);
    value.put("more", 1);

    assertThat(put.value()).isInstanceOf(FrozenMap.class).isEqualTo(Map.of("list", List.of(1)));
    assertThat(put.lasting(Duration.ofHours(1)).value()).isSameAs(put.value());
    assertThat(put.item(NOW, null).value()).isSameAs(put.value());
    assertThat(put).isEqualTo(MemoryWrite.put(ADA, "k", Map.of("list", List.of(1))));
  }

  static Stream<Arguments> strangers() {
    return Stream.<Object>of(
            new UUID(1, 2),
            'c',
            TimeUnit.DAYS,
            new AtomicInteger(1),
            CharBuffer.wrap("text"),
            new byte[] {1},
            new Object[] {1},
            Set.of(1),
            Instant.EPOCH,
            new Object())
        .map(stranger -> Arguments.of(stranger));
  }

  @ParameterizedTest
  @MethodSource("strangers")
  @DisplayName("E12 what is not plain data is refused, with its place")
  void strangersAreRefused(Object stranger) {
    for (Object frozenOrNot : Arrays.asList(stranger, frozenIfItCanBe(stranger))) {
      InvalidMemoryException refused = refusal(Map.of("a", List.of(0, Map.of("b", frozenOrNot))));

      assertThat(refused.code()).isEqualTo("SG-431");
      assertThat(refused.problems().get(0).where())
          .isEqualTo("item 'k' in namespace 'users/ada/', value at .a[1].b");
    }
  }

  private static Object frozenIfItCanBe(Object stranger) {
    return stranger instanceof Set<?> ? ValueType.ANY.freeze(stranger) : stranger;
  }

  @Test
  @DisplayName("E12 maps are by text only")
  void otherKeys() {
    InvalidMemoryException refused = refusal(Map.of("a", Map.of(1, "x")));

    assertThat(refused.code()).isEqualTo("SG-431");
    assertThat(refused).hasMessageContaining("type Integer").hasMessageContaining(".a.{key}");
    assertThat(refusal(Map.of("a", ValueType.ANY.freeze(Map.of(1, "x")))).code())
        .isEqualTo("SG-431");
  }

  @Test
  @SuppressWarnings("NullAway") // callers may be careless
  @DisplayName("E12 a value that is missing or contains itself is refused")
  void neverPlain() {
    Map<String, @Nullable Object> cyclic = new LinkedHashMap<>();
    cyclic.put("self", cyclic);

    assertThat(refusal(cyclic).code()).isEqualTo("SG-431");
    assertThat(refusal(null).code()).isEqualTo("SG-431");
  }

  @Test
  @DisplayName(
      "E12 a value that is too deep or too large is refused, and its contents are not shown")
  void tooMuch() {
    Object deep = "secret";
    for (int depth = 0; depth < 501; depth++) {
      deep = List.of(deep);
    }

    assertThat(refusal(Map.of("deep", deep)).code()).isEqualTo("SG-432");
    InvalidMemoryException large = refusal(Map.of("large", "secret".repeat(3 << 20)));
    assertThat(large.code()).isEqualTo("SG-432");
    assertThat(large).hasMessageContaining(".large").hasMessageNotContaining("secret");
    InvalidMemoryException longWay = refusal(Map.of("n".repeat(10_000), 'c'));
    assertThat(longWay.getMessage()).hasSizeLessThan(1_000);
  }

  @Test
  @DisplayName("E24 the size of a value counts texts, names, elements and the digits of numbers")
  void sizes() {
    MemoryWrite small = MemoryWrite.put(ADA, "k", Map.of("name", "12345678"));
    small.requireSize(36);
    InvalidMemoryException refused =
        catchThrowableOfType(InvalidMemoryException.class, () -> small.requireSize(35));
    assertThat(refused.code()).isEqualTo("SG-432");
    assertThat(refused)
        .hasMessageContaining("about 36 bytes")
        .hasMessageContaining("'k' in namespace 'users/ada/'");

    BigInteger huge = BigInteger.ONE.shiftLeft(16_000);
    for (Object number : List.of(huge, new BigDecimal(huge, 3), List.of(Map.of("n", huge)))) {
      MemoryWrite write = MemoryWrite.put(ADA, "k", Map.of("n", number));
      assertThat(catchThrowableOfType(InvalidMemoryException.class, () -> write.requireSize(2_000)))
          .isNotNull();
      write.requireSize(2_100);
    }
    MemoryWrite.remove(ADA, "k").requireSize(0);
  }

  @Test
  @DisplayName("E24 a write says what stands there afterwards")
  void items() {
    Writer writer = new Writer("t", 2, 1);
    MemoryWrite.Put put = MemoryWrite.put(ADA, "k", Map.of("text", "x"));

    assertThat(put.item(NOW, writer))
        .isEqualTo(new MemoryItem(ADA, "k", Map.of("text", "x"), NOW, null, writer));
    assertThat(put.lasting(Duration.ofHours(1)).item(NOW, null).expires())
        .isEqualTo(NOW.plus(Duration.ofHours(1)));
    assertThat(put.lasting(Duration.ofSeconds(Long.MAX_VALUE)).item(NOW, null).expires())
        .as("beyond the end of time")
        .isNull();
    assertThat(put.lasting(Duration.ofSeconds(Long.MAX_VALUE))
            .item(Instant.MAX, null)
            .expires())
        .isNull();
    assertThat(MemoryWrite.remove(ADA, "k").item(NOW, writer)).isNull();
    assertThat(MemoryWrite.remove(ADA, "k").address()).isEqualTo(new Address(ADA, "k"));
  }

  @Test
  @DisplayName("E24 an item lives until the moment at which it expires")
  void alive() {
    MemoryItem item =
        MemoryWrite.put(ADA, "k", Map.of()).lasting(Duration.ofSeconds(1)).item(NOW, null);

    assertThat(item.isAliveAt(NOW.plusMillis(999))).isTrue();
    assertThat(item.isAliveAt(NOW.plusSeconds(1))).isFalse();
    assertThat(MemoryWrite.put(ADA, "k", Map.of()).item(NOW, null).isAliveAt(Instant.MAX))
        .isTrue();
  }

  @Test
  @DisplayName("E12 a time to live that is none is refused")
  void noTime() {
    MemoryWrite.Put put = MemoryWrite.put(ADA, "k", Map.of());

    assertThatIllegalArgumentException()
        .isThrownBy(() -> put.lasting(Duration.ZERO))
        .withMessageContaining("ttl");
    assertThatIllegalArgumentException().isThrownBy(() -> put.lasting(Duration.ofSeconds(-1)));
  }
}
