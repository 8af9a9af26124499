package io.superstep.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NaturalOrderTests {

  @Test
  void numbersStandByTheirSize() {
    assertThat(sorted("t/10/0/say-0", "t/9/1/say-0", "t/9/0/tool-10", "t/9/0/tool-9"))
        .containsExactly("t/9/0/tool-9", "t/9/0/tool-10", "t/9/1/say-0", "t/10/0/say-0");
  }

  @Test
  void aBeginningStandsBeforeTheWhole() {
    assertThat(sorted("ab", "a1", "", "a", "a12", "a1b"))
        .containsExactly("", "a", "ab", "a1", "a1b", "a12");
  }

  @Test
  void numbersOfOneSizeStandByTheirDigitsAndZerosInFrontCount() {
    assertThat(sorted("20", "19", "001", "1", "100"))
        .containsExactly("1", "19", "20", "001", "100");
  }

  @Test
  void itIsAnOrderAndOnlyEqualTextsAreAtOnePlace() {
    Seeds.each(500, random -> {
      String[] texts = {
        text(random), text(random), text(random), text(random), text(random), text(random)
      };
      for (String a : texts) {
        for (String b : texts) {
          int order = NaturalOrder.compare(a, b);

          assertThat(order == 0).isEqualTo(a.equals(b));
          assertThat(Integer.signum(NaturalOrder.compare(b, a))).isEqualTo(-Integer.signum(order));
          for (String c : texts) {
            if (order <= 0 && NaturalOrder.compare(b, c) <= 0) {
              assertThat(NaturalOrder.compare(a, c)).isLessThanOrEqualTo(0);
            }
          }
        }
      }
    });
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(6); length > 0; length--) {
      text.append("019/a".charAt(random.nextInt(5)));
    }
    return text.toString();
  }

  private static List<String> sorted(String... texts) {
    List<String> sorted = new ArrayList<>(List.of(texts));
    Collections.sort(sorted, NaturalOrder::compare);
    return sorted;
  }
}
