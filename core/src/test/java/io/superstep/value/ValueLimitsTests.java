package io.superstep.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Values that would cost whoever walks them next their stack, their memory or their patience. */
@Timeout(30)
class ValueLimitsTests {

  private static String refusedWith(@Nullable Object value) {
    return refusedWith(ValueType.ANY, value);
  }

  private static String refusedWith(ValueType<?> type, @Nullable Object value) {
    try {
      type.freeze(value);
    } catch (InvalidValueException refused) {
      assertThat(refused.getMessage().length()).isLessThan(1_000);
      return refused.code();
    }
    throw new AssertionError("The value was taken.");
  }

  @Nested
  class ACyclicValue {

    @Test
    void isRefusedWhenItContainsItself() {
      List<Object> list = new ArrayList<>();
      list.add(list);
      Map<String, Object> map = new HashMap<>();
      map.put("self", map);

      assertThat(refusedWith(list)).isEqualTo("SG-203");
      assertThat(refusedWith(map)).isEqualTo("SG-203");
      assertThat(refusedWith(ValueType.of(List.class), list)).isEqualTo("SG-203");
    }

    @Test
    void isRefusedWhenTheWayBackIsLong() {
      List<Object> list = new ArrayList<>();
      Map<String, Object> map = new HashMap<>();
      list.add(Set.of("a"));
      list.add(map);
      map.put("back", Map.of("to", new ArrayList<>(List.of(1, Collections.singleton(2)))));
      map.put("list", Arrays.asList(1, list));

      assertThat(refusedWith(list)).isEqualTo("SG-203");
      assertThat(refusedWith(map)).isEqualTo("SG-203");
    }

    @Test
    void isRefusedAtOnceThoughEachLevelBranches() {
      List<List<Object>> levels = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        levels.add(new ArrayList<>());
      }
      for (int i = 0; i < 100; i++) {
        levels.get(i).add(levels.get((i + 1) % 100));
        levels.get(i).add(levels.get((i + 1) % 100));
      }

      assertThat(refusedWith(levels.get(0))).isEqualTo("SG-203");
    }

    @Test
    void isRefusedInAKeyWithoutSpellingTheKeyOut() {
      List<Object> key = new ArrayList<>();
      IdentityHashMap<Object, Object> map = new IdentityHashMap<>();
      map.put(key, 1);
      key.add(Map.of("back", Arrays.asList(1, key)));

      assertThat(refusedWith(map)).isEqualTo("SG-203");
    }

    @Test
    void isNotMistakenForAValueThatHoldsEqualParts() {
      List<Object> empty = new ArrayList<>();
      List<Object> outer = List.of(empty, List.of(empty, List.of()), empty);

      assertThat(ValueType.ANY.freeze(outer)).isEqualTo(outer);
    }
  }

  @Nested
  class ADeepValue {

    private Object nested(int levels) {
      Object value = "core";
      for (int i = 0; i < levels; i++) {
        value =
            i % 2 == 0 ? Collections.singletonList(value) : Collections.singletonMap("k", value);
      }
      return value;
    }

    @Test
    void isTakenUpToTheLimitAndRefusedBeyondIt() {
      assertThat(ValueType.ANY.freeze(nested(Freezing.MAX_DEPTH))).isNotNull();
      assertThat(refusedWith(nested(Freezing.MAX_DEPTH + 1))).isEqualTo("SG-204");
    }

    @Test
    void isRefusedInAListThatIsFrozenAlready() {
      ValueType<List<Object>> lists = ValueType.of(new TypeRef<List<Object>>() {});
      FrozenList<Object> frozen = (FrozenList<Object>) lists.freeze(List.of());
      FrozenList<Object> deeper = frozen.append(List.of(nested(Freezing.MAX_DEPTH)));

      assertThat(refusedWith(lists, deeper)).isEqualTo("SG-204");
    }

    @Test
    void isRefusedAtTenThousandLevels() {
      assertThat(refusedWith(nested(10_000))).isEqualTo("SG-204");
    }

    @Test
    void isRefusedAtTenThousandLevelsOfLists() {
      List<Object> value = new ArrayList<>();
      for (int i = 0; i < 10_000; i++) {
        value = new ArrayList<>(Collections.singletonList(value));
      }

      assertThat(refusedWith(value)).isEqualTo("SG-204");
      assertThat(refusedWith(ValueType.of(List.class), value)).isEqualTo("SG-204");
    }

    @Test
    void isRefusedWhenItWasWrappedAgainAndAgain() {
      Object value = ValueType.ANY.freeze(List.of());
      int wrapped = 1;
      String refusal = null;
      while (refusal == null && wrapped < 10_000) {
        try {
          value = ValueType.ANY.freeze(
              switch (wrapped % 3) {
                case 0 -> Collections.singletonList(value);
                case 1 -> Collections.singletonMap("k", value);
                default -> Collections.singleton(value);
              });
          wrapped++;
        } catch (InvalidValueException refused) {
          refusal = refused.code();
        }
      }

      assertThat(refusal).isEqualTo("SG-204");
      assertThat(wrapped).isEqualTo(Freezing.MAX_DEPTH);
    }

    @Test
    void isRefusedWhenItGrewInsideAFrozenList() {
      FrozenList<@Nullable Object> list = list(List.of());
      String refusal = null;
      int rounds = 0;
      while (refusal == null && rounds < 2_000) {
        try {
          list = list(List.of(1, 2, 3)).append(List.of(list));
          rounds++;
        } catch (InvalidValueException refused) {
          refusal = refused.code();
        }
      }

      assertThat(refusal).isEqualTo("SG-204");
      assertThat(rounds).isBetween(Freezing.MAX_DEPTH - 1, Freezing.MAX_DEPTH + 1);
    }

    @SuppressWarnings("unchecked")
    private FrozenList<@Nullable Object> list(List<?> elements) {
      return (FrozenList<@Nullable Object>) ValueType.ANY.freeze(elements);
    }

    @Test
    void canBeReadUpToTheLimit() {
      Object value = ValueType.ANY.freeze(nested(Freezing.MAX_DEPTH));

      assertThat(value).isEqualTo(nested(Freezing.MAX_DEPTH));
      assertThat(value.hashCode()).isEqualTo(nested(Freezing.MAX_DEPTH).hashCode());
      assertThat(value.toString()).contains("core");
    }
  }

  @Nested
  class ALargeValue {

    @Test
    void isRefusedAsTextAsBytesAndAsAList() {
      assertThat(refusedWith("x".repeat(17 << 20))).isEqualTo("SG-205");
      assertThat(refusedWith(new byte[17 << 20])).isEqualTo("SG-205");
      assertThat(refusedWith(new long[3 << 20])).isEqualTo("SG-205");
      assertThat(refusedWith(Collections.nCopies(3 << 20, 1))).isEqualTo("SG-205");
      assertThat(refusedWith(List.of("x".repeat(9 << 20), "x".repeat(9 << 20))))
          .isEqualTo("SG-205");
      assertThat(refusedWith(ValueType.of(String.class), "x".repeat(17 << 20))).isEqualTo("SG-205");
      assertThat(refusedWith(ValueType.of(byte[].class), new byte[17 << 20])).isEqualTo("SG-205");
    }

    @Test
    void isTakenIfTheLimitIsRaised() {
      String text = "x".repeat(17 << 20);

      assertThat(ValueType.ANY.freeze(text, 20 << 20)).isSameAs(text);
      Assertions.assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> ValueType.ANY.freeze("four", 3))
          .withMessageContaining("3 bytes")
          .withMessageContaining("upTo")
          .withMessageNotContaining("four");
      assertThat(ValueType.ANY.freeze("four", 4)).isEqualTo("four");
    }

    @Test
    void isRefusedBeforeRoomIsMadeForIt() {
      assertThat(refusedWith(Collections.nCopies(Integer.MAX_VALUE, "x"))).isEqualTo("SG-205");
      assertThat(refusedWith(List.of(Collections.nCopies(Integer.MAX_VALUE, "x"))))
          .isEqualTo("SG-205");
      assertThat(refusedWith(new AbstractMap<String, Object>() {
            @Override
            public int size() {
              return Integer.MAX_VALUE;
            }

            @Override
            public Set<Entry<String, Object>> entrySet() {
              throw new AssertionError("Nobody should have to look.");
            }
          }))
          .isEqualTo("SG-205");
    }
  }

  @Nested
  class SharedParts {

    private List<Object> laughs(int levels) {
      List<Object> value = new ArrayList<>(List.of("ha"));
      for (int i = 0; i < levels; i++) {
        value = new ArrayList<>(Collections.nCopies(10, value));
      }
      return value;
    }

    @Test
    void areCountedAsOftenAsTheyStandThere() {
      Assertions.assertThat(refusedWith(laughs(9))).isEqualTo("SG-205");
      assertThat(refusedWith(laughs(400))).isEqualTo("SG-205");
      assertThat(ValueType.ANY.freeze(laughs(3))).isEqualTo(laughs(3));
    }

    @Test
    void areCountedWhenTheyComeFrozenToo() {
      Object value = ValueType.ANY.freeze(List.of("ha"));
      String refusal = null;
      int rounds = 0;
      while (refusal == null && rounds < 100) {
        try {
          value = ValueType.ANY.freeze(
              switch (rounds % 3) {
                case 0 -> Collections.nCopies(10, value);
                case 1 -> Map.of("a", value, "b", value, "c", value);
                default -> Set.of(List.of(1, value), List.of(2, value));
              });
          rounds++;
        } catch (InvalidValueException refused) {
          refusal = refused.code();
        }
      }

      assertThat(refusal).isEqualTo("SG-205");
      assertThat(rounds).isBetween(8, 20);
    }
  }

  @Test
  void aMapThatChangesMeanwhileGivesAMapOrATypedErrorButNeverABrokenOne() {
    Map<Object, Object> shrinking = new LinkedHashMap<>(Map.of("a", 1, "b", 2)) {
      private static final long serialVersionUID = 1L;

      @Override
      public int size() {
        return 3; // as a concurrent map may, between two changes
      }
    };
    Map<Object, Object> growing = new ConcurrentHashMap<>(Map.of("a", 1, "b", 2)) {
      private static final long serialVersionUID = 1L;

      @Override
      public int size() {
        return 1;
      }
    };

    assertThat(ValueType.ANY.freeze(shrinking)).isEqualTo(Map.of("a", 1, "b", 2));
    assertThat(ValueType.ANY.freeze(growing)).isEqualTo(Map.of("a", 1, "b", 2));
  }

  @Test
  void aWideValueIsFrozenQuickly() {
    List<Object> rows = new ArrayList<>();
    for (int i = 0; i < 50_000; i++) {
      rows.add(Map.of("id", i, "tags", List.of("a", "b")));
    }

    Assertions.assertThatCode(() -> ValueType.ANY.freeze(rows)).doesNotThrowAnyException();
  }
}
