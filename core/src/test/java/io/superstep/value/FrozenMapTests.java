package io.superstep.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrozenMapTests {

  private static final ValueType<Map<Object, @Nullable Object>> ANYTHING =
      ValueType.of(new TypeRef<Map<Object, @Nullable Object>>() {});

  private static FrozenMap<Object, @Nullable Object> frozen(Map<?, ?> entries) {
    return (FrozenMap<Object, @Nullable Object>) ANYTHING.freeze(entries);
  }

  private record Version(
      FrozenMap<Object, @Nullable Object> map, Map<Object, @Nullable Object> expected) {

    void check(int mask) {
      assertThat(map.size()).isEqualTo(expected.size());
      assertThat(new ArrayList<>(map.entrySet())).isEqualTo(new ArrayList<>(expected.entrySet()));
      assertThat(new ArrayList<>(map.keySet())).isEqualTo(new ArrayList<>(expected.keySet()));
      assertThat(new ArrayList<>(map.values())).isEqualTo(new ArrayList<>(expected.values()));
      assertThat(map.equals(expected)).isTrue();
      assertThat(expected.equals(map)).isTrue();
      assertThat(map.hashCode()).isEqualTo(expected.hashCode());
      for (int id = 0; id < 60; id++) {
        Object key = new Collider(id, mask);
        assertThat(map.get(key)).isEqualTo(expected.get(key));
        assertThat(map.containsKey(key)).isEqualTo(expected.containsKey(key));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 0b111, -1})
  void everyVersionKeepsItsEntriesAndTheirOrder(int mask) {
    Seeds.each(100, random -> {
      List<Version> versions = new ArrayList<>();
      versions.add(new Version(frozen(Map.of()), Map.of()));
      for (int move = 0; move < 15; move++) {
        Version base = versions.get(
            random.nextInt(4) == 0 ? random.nextInt(versions.size()) : versions.size() - 1);
        Map<Object, @Nullable Object> more = new LinkedHashMap<>();
        for (int i = random.nextInt(8); i > 0; i--) {
          more.put(
              new Collider(random.nextInt(60), mask),
              random.nextInt(8) == 0 ? null : random.nextInt(100));
        }
        Map<Object, @Nullable Object> expected = new LinkedHashMap<>(base.expected());
        expected.putAll(more);
        versions.add(new Version(base.map().merge(more), expected));
      }

      versions.forEach(version -> version.check(mask));
    });
  }

  @Test
  void knowsThousandsOfKeys() {
    FrozenMap<Object, @Nullable Object> map = frozen(Map.of());
    for (int i = 0; i < 3_000; i++) {
      map = map.merge(Map.of("k" + i, i));
      map = map.merge(Map.of("k" + i / 3, -i));
    }

    assertThat(map).hasSize(3_000);
    assertThat(map.get("k999")).isEqualTo(-2_999);
    assertThat(map.get("k1000")).isEqualTo(1_000);
    assertThat(map.get("k2999")).isEqualTo(2_999);
    assertThat(new ArrayList<>(map.keySet()).get(1_234)).isEqualTo("k1234");
  }

  @Test
  void tellsAnEntryWithoutAValueFromNoEntry() {
    Map<Object, @Nullable Object> given = new LinkedHashMap<>();
    given.put("a", null);
    FrozenMap<Object, @Nullable Object> map = frozen(given);

    assertThat(map.get("a")).isNull();
    assertThat(map.containsKey("a")).isTrue();
    assertThat(map.getOrDefault("a", 1)).isNull();
    assertThat(map.getOrDefault("b", 1)).isEqualTo(1);
    assertThat(map.get(null)).isNull();
    assertThat(map.containsKey(null)).isFalse();
  }

  @Test
  void everyMutatorIsRefused() {
    FrozenMap<Object, @Nullable Object> map = frozen(Map.of("a", 1));
    List<Consumer<Map<Object, @Nullable Object>>> mutators = List.of(
        m -> m.put("b", 2),
        m -> m.putAll(Map.of("b", 2)),
        m -> m.putIfAbsent("b", 2),
        m -> m.computeIfAbsent("b", key -> 2),
        m -> m.computeIfPresent("a", (key, value) -> 2),
        m -> m.compute("a", (key, value) -> null),
        m -> m.merge("a", 2, (one, other) -> other),
        m -> m.replace("a", 2),
        m -> m.replaceAll((key, value) -> 2),
        m -> m.remove("a"),
        m -> m.remove("a", 1),
        Map::clear,
        m -> m.keySet().remove("a"),
        m -> m.keySet().add("b"),
        m -> m.values().remove(1),
        m -> m.entrySet().clear(),
        m -> m.entrySet().iterator().next().setValue(2));

    for (Consumer<Map<Object, @Nullable Object>> mutator : mutators) {
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> mutator.accept(map));
    }
    assertThat(map).isEqualTo(Map.of("a", 1));
  }

  @Test
  void theCallersMapStaysTheCallers() {
    List<Integer> inner = new ArrayList<>(List.of(1));
    Map<Object, Object> given = new LinkedHashMap<>(Map.of("a", inner));
    FrozenMap<Object, @Nullable Object> map = frozen(given);
    FrozenMap<Object, @Nullable Object> merged = frozen(Map.of()).merge(given);

    given.put("b", 2);
    inner.add(2);

    assertThat(map).isEqualTo(Map.of("a", List.of(1)));
    assertThat(merged).isEqualTo(Map.of("a", List.of(1)));
  }

  @Test
  void valuesAreCheckedOnTheirWayIn() {
    @SuppressWarnings("unchecked")
    FrozenMap<Object, Object> counts = (FrozenMap<Object, Object>) (FrozenMap<?, ?>)
        ValueType.of(new TypeRef<Map<String, Integer>>() {}).freeze(Map.of("a", 1));

    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> counts.merge(Map.of("a", "one")));
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> counts.merge(Map.of("b", "one")));
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> counts.merge(Map.of(2, 2)));
    assertThat(counts).isEqualTo(Map.of("a", 1));
  }

  @Test
  void aMergeOfNothingChangesNothing() {
    FrozenMap<Object, @Nullable Object> map = frozen(Map.of("a", 1));

    assertThat(map.merge(Map.of())).isEqualTo(map);
  }
}
