package io.superstep.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HashIndexTests {

  private record Version(HashIndex index, Map<Object, Integer> expected) {

    void check(int mask) {
      for (int id = 0; id < 300; id++) {
        Object key = new Collider(id, mask);
        assertThat(index.position(key)).isEqualTo(expected.getOrDefault(key, -1));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 0b11, 0x1F, 0x20, 0xFF, 0x80000000, 0xC0000001, -1})
  void everyVersionKnowsItsKeysHoweverTheirHashesCollide(int mask) {
    Seeds.each(4, random -> {
      List<Version> versions = new ArrayList<>();
      Version last = new Version(HashIndex.EMPTY, Map.of());
      for (int i = 0; i < 200; i++) {
        Collider key = new Collider(random.nextInt(250), mask);
        Map<Object, Integer> expected = new HashMap<>(last.expected());
        expected.put(key, i);
        last = new Version(last.index().with(key, i), expected);
        if (i % 20 == 0) {
          versions.add(last);
        }
      }
      versions.add(last);

      versions.forEach(version -> version.check(mask));
    });
  }

  @Test
  void anEmptyIndexKnowsNothing() {
    assertThat(HashIndex.EMPTY.position("a")).isEqualTo(-1);
    assertThat(HashIndex.EMPTY.with("a", 3).position("a")).isEqualTo(3);
    assertThat(HashIndex.EMPTY.position("a")).isEqualTo(-1);
  }

  @Test
  void tenThousandKeysOfOneHashDoNotNeedADeepStack() throws InterruptedException {
    List<Integer> wrong = new ArrayList<>();
    List<Throwable> failures = new ArrayList<>();
    Thread narrow = new Thread(
        null,
        () -> {
          HashIndex index = HashIndex.EMPTY;
          for (int id = 0; id < 10_000; id++) {
            index = index.with(new Collider(id, 0), id);
          }
          index = index.with(new Collider(5_000, 0), 1);
          for (int id = 0; id < 10_000; id += 97) {
            if (index.position(new Collider(id, 0)) != id) {
              wrong.add(id);
            }
          }
          if (index.position(new Collider(5_000, 0)) != 1) {
            wrong.add(5_000);
          }
        },
        "narrow stack",
        256 << 10);
    narrow.setUncaughtExceptionHandler((thread, failure) -> failures.add(failure));

    narrow.start();
    narrow.join();

    assertThat(failures).isEmpty();
    assertThat(wrong).isEmpty();
  }
}
