package io.superstep.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NumberedTests {

  @Test
  void numbersGoOnWhateverIsDropped() {
    Random random = new Random(1);
    Numbered<Long> numbered = new Numbered<>();
    Deque<Long> model = new ArrayDeque<>();
    for (int round = 0; round < 2_000; round++) {
      for (int left = random.nextInt(50); left > 0; left--) {
        model.addLast(numbered.next());
        numbered.add(numbered.next());
      }
      long before = numbered.first() + random.nextInt(60) - 5;
      long dropped = 0;
      while (!model.isEmpty() && model.getFirst() < before) {
        model.removeFirst();
        dropped++;
      }

      assertThat(numbered.dropBefore(before)).isEqualTo(dropped);

      assertThat(numbered.isEmpty()).isEqualTo(model.isEmpty());
      assertThat(numbered.next() - numbered.first()).isEqualTo(model.size());
      model.forEach(number -> assertThat(numbered.get(number)).isEqualTo(number));
    }
  }

  @Test
  @DisplayName("any number may be the limit of what is dropped")
  void anyLimit() {
    Numbered<String> numbered = new Numbered<>();
    numbered.add("one");
    numbered.add("two");

    assertThat(numbered.dropBefore(Long.MIN_VALUE)).isZero();
    assertThat(numbered.dropBefore(-1)).isZero();
    assertThat(numbered.dropBefore(Long.MAX_VALUE)).isEqualTo(2);
    assertThat(numbered.next()).isEqualTo(3);
  }

  @Test
  void whatIsNotThereCannotBeGot() {
    Numbered<String> numbered = new Numbered<>();
    numbered.add("one");
    numbered.add("two");
    numbered.dropBefore(2);

    assertThat(numbered.get(2)).isEqualTo("two");
    assertThatThrownBy(() -> numbered.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> numbered.get(3)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
