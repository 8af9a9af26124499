package io.superstep.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MemoryQueryTests {

  private static final Namespace ADA = Namespace.of("users", "ada");

  private static MemoryItem item(Namespace namespace, String key, @Nullable Object field) {
    Map<String, @Nullable Object> value = new LinkedHashMap<>();
    value.put("field", field);
    return new MemoryItem(namespace, key, value, Instant.EPOCH, null, null);
  }

  private static boolean equal(@Nullable Object asked, @Nullable Object there) {
    return MemoryQuery.ALL.where("field", asked).accepts(item(ADA, "k", there));
  }

  @Test
  @DisplayName("E24 a query narrows by namespace, key and what was seen")
  void narrows() {
    MemoryItem item = item(ADA, "key", 1);

    assertThat(MemoryQuery.ALL.accepts(item)).isTrue();
    assertThat(MemoryQuery.below(ADA).keyPrefix("ke").accepts(item)).isTrue();
    assertThat(MemoryQuery.below(ADA.child("x")).accepts(item)).isFalse();
    assertThat(MemoryQuery.below(ADA).keyPrefix("ey").accepts(item)).isFalse();
    assertThat(MemoryQuery.below(ADA).after(item.address()).accepts(item)).isFalse();
    assertThat(MemoryQuery.below(ADA).after(new Address(ADA, "kex")).accepts(item))
        .isTrue();
  }

  @Test
  @DisplayName("E24 fields are equal by what they say, numbers whatever their types")
  void equality() {
    assertThat(equal(42, 42L)).isTrue();
    assertThat(equal((byte) 42, BigInteger.valueOf(42))).isTrue();
    assertThat(equal(42, new BigDecimal("42.00"))).isTrue();
    assertThat(equal(0.1, new BigDecimal("0.1"))).isTrue();
    assertThat(equal(0.1f, 0.1)).isTrue();
    assertThat(equal(0.0, -0.0)).isTrue();
    assertThat(equal(Double.NaN, Double.NaN)).isTrue();
    assertThat(equal(Double.NaN, 1)).isFalse();
    assertThat(equal(1, Double.POSITIVE_INFINITY)).isFalse();
    assertThat(equal(42, 43L)).isFalse();
    assertThat(equal(42, "42")).isFalse();
    assertThat(equal(1, true)).isFalse();
    assertThat(equal(null, null)).isTrue();
    assertThat(equal(null, 0)).isFalse();
    assertThat(equal(0, null)).isFalse();
    assertThat(equal(List.of(1, 2), Arrays.asList(1L, 2.0))).isTrue();
    assertThat(equal(List.of(1), List.of(1, 2))).isFalse();
    assertThat(equal(List.of(1, 2), List.of(2, 1))).isFalse();
    assertThat(equal(Map.of("a", 1, "b", 2), Map.of("b", 2L, "a", 1L))).isTrue();
    assertThat(equal(Map.of("a", 1), Map.of("a", 1, "b", 2))).isFalse();
    assertThat(equal(Map.of("a", 1), List.of(1))).isFalse();
  }

  @Test
  @DisplayName("E24 a field that is missing equals nothing")
  void missingFields() {
    assertThat(MemoryQuery.ALL.where("other", null).accepts(item(ADA, "k", 1))).isFalse();
    assertThat(MemoryQuery.ALL.where("field", 1).where("other", 1).accepts(item(ADA, "k", 1)))
        .isFalse();
  }

  @Test
  @DisplayName("E12 a query that could never be answered is refused")
  void refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MemoryQuery.ALL.limit(0))
        .withMessage("limit must be at least 1, and was 0.");
    assertThat(catchThrowableOfType(
                InvalidMemoryException.class, () -> MemoryQuery.ALL.keyPrefix("k".repeat(513)))
            .code())
        .isEqualTo("SG-433");
    assertThat(catchThrowableOfType(
                InvalidMemoryException.class, () -> MemoryQuery.ALL.where("field", 'c'))
            .code())
        .isEqualTo("SG-431");
  }
}
