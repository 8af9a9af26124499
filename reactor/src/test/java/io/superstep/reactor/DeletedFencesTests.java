package io.superstep.reactor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DeletedFencesTests {

  @Test
  @DisplayName("fences are found as in a map, and never go backwards")
  void asAMap() {
    Random random = new Random(1);
    DeletedFences fences = new DeletedFences(100_000);
    Map<String, Long> model = new HashMap<>();
    for (int round = 0; round < 20_000; round++) {
      String thread = "thread-" + random.nextInt(5_000);
      long fence = 1L + random.nextInt(1_000);
      fences.add(thread, fence);
      model.merge(thread, fence, Math::max);
    }

    model.forEach((thread, fence) -> assertThat(fences.of(thread)).isEqualTo(fence));
    assertThat(fences.of("another")).isZero();
    assertThat(fences.size()).isEqualTo(model.size());
  }

  @Test
  @DisplayName("the last threads are known, and the number of entries is bounded")
  void bounded() {
    DeletedFences fences = new DeletedFences(1_000);
    for (int number = 1; number <= 100_000; number++) {
      fences.add("thread-" + number, number);
      assertThat(fences.size()).isLessThanOrEqualTo(2_000);
    }

    for (int number = 100_000 - 999; number <= 100_000; number++) {
      assertThat(fences.of("thread-" + number)).isEqualTo(number);
    }
    assertThat(fences.of("thread-1")).isZero();
  }
}
