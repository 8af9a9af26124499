package io.superstep.json;

import static io.superstep.json.Texts.bytes;
import static io.superstep.json.Texts.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.superstep.memory.MemoryItem;
import io.superstep.memory.Namespace;
import io.superstep.memory.Writer;
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

class MemoryCodecTests {

  private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.000000006Z");
  private static final MemoryCodec CODEC = MemoryCodec.of();

  private static Map<String, @Nullable Object> data() {
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("text", "ü\"\u0000");
    data.put("numbers", List.of((byte) 1, (short) 2, 3, 4L, 5.5f, 6.5, Double.NaN));
    data.put("large", List.of(BigInteger.TEN.pow(30), new BigDecimal("1.50")));
    data.put("nothing", null);
    data.put("deep", Map.of("$set", Arrays.asList(true, null)));
    return data;
  }

  @Test
  @DisplayName("X.21 what is remembered comes back, numbers of their types")
  void items() {
    for (MemoryItem item : List.of(
        new MemoryItem(
            Namespace.of("users", "4/2"),
            "likes",
            data(),
            TIME,
            TIME.plusSeconds(1),
            new Writer("t/ü", 3, 9)),
        new MemoryItem(Namespace.ROOT, "k", Map.of(), TIME, null, null))) {
      assertThat(CODEC.decode(CODEC.encode(item))).isEqualTo(item);
      assertThat(MemoryCodec.of(Compression.from(0))
              .decode(MemoryCodec.of(Compression.from(0)).encode(item)))
          .isEqualTo(item);
    }
  }

  @Test
  @DisplayName("S2.10 an item is written as it always was")
  void golden() {
    MemoryItem item = new MemoryItem(
        Namespace.of("users", "42"), "likes", Map.of("tea", 2L), TIME, null, new Writer("t", 3, 9));

    assertThat(text(CODEC.encode(item)))
        .isEqualTo("{\"v\":1,\"namespace\":\"users/42/\",\"key\":\"likes\","
            + "\"value\":{\"tea\":{\"$long\":2}},\"written\":\"2026-01-02T03:04:05.000000006Z\","
            + "\"thread\":\"t\",\"sequence\":3,\"fence\":9}");
  }

  @Test
  @DisplayName("Promise 8: text that is no item is a typed error")
  void hostile() {
    for (String text : List.of(
        "{\"v\":1}",
        "{\"v\":1,\"namespace\":\"users\",\"key\":\"k\",\"value\":{},\"written\":\"" + TIME + "\"}",
        "{\"v\":1,\"namespace\":\"a/\",\"key\":\"\",\"value\":{},\"written\":\"" + TIME + "\"}",
        "{\"v\":1,\"namespace\":\"a/\",\"key\":\"k\",\"value\":[],\"written\":\"" + TIME + "\"}",
        "{\"v\":1,\"namespace\":\"a/\",\"key\":\"k\",\"value\":{\"x\":{\"$set\":[1]}},\"written\":\""
            + TIME + "\"}",
        "{\"v\":1,\"namespace\":\"a/\",\"key\":\"k\",\"value\":{},\"written\":\"yesterday\"}",
        "{\"v\":1,\"namespace\":\"a/\",\"key\":\"k\",\"value\":{},\"written\":\"" + TIME
            + "\",\"thread\":\"t\",\"sequence\":0,\"fence\":1}")) {
      assertThat(catchThrowable(() -> CODEC.decode(bytes(text))))
          .as(text)
          .isInstanceOf(InvalidJsonException.class);
    }
  }
}
