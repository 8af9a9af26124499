package io.superstep.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.Serializable;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class ValueTypeTests {

  private enum Mood {
    CALM
  }

  private record Plan(String title) {}

  private sealed interface Shape {}

  private record Circle(double radius) implements Shape {}

  private static InvalidValueException refusal(ValueType<?> type, @Nullable Object value) {
    try {
      type.freeze(value);
    } catch (InvalidValueException refused) {
      return refused;
    }
    throw new AssertionError("A " + type + " took the value.");
  }

  @Test
  void aListThatChangesWhileItIsReadIsRefused() {
    List<String> changing = new ArrayList<>(List.of("a")) {
      private static final long serialVersionUID = 1L;

      @Override
      public Object[] toArray() {
        throw new ConcurrentModificationException();
      }
    };

    assertThat(refusal(ValueType.ANY, changing).code()).isEqualTo("SG-206");
  }

  @Nested
  class OfEveryKind {

    @Test
    void plainValuesAreTakenAsTheyAre() {
      Plan plan = new Plan("p");
      Circle circle = new Circle(1);
      Instant now = Instant.EPOCH;

      assertThat(ValueType.of(Plan.class).freeze(plan)).isSameAs(plan);
      assertThat(ValueType.of(Shape.class).freeze(circle)).isSameAs(circle);
      assertThat(ValueType.of(Instant.class).freeze(now)).isSameAs(now);
      assertThat(ValueType.of(Mood.class).freeze(Mood.CALM)).isSameAs(Mood.CALM);
      assertThat(ValueType.of(String.class).freeze("s")).isEqualTo("s");
      assertThat(ValueType.of(Number.class).freeze(BigDecimal.ONE)).isEqualTo(BigDecimal.ONE);
      assertThat(ValueType.ANY.freeze(plan)).isSameAs(plan);
      assertThat(ValueType.ANY.freeze(null)).isNull();
    }

    @Test
    void primitivesAreBoxed() {
      assertThat(ValueType.of(int.class)).isEqualTo(ValueType.of(Integer.class));
      assertThat(ValueType.of(int.class).raw()).isEqualTo(Integer.class);
      assertThat(ValueType.of(boolean.class).freeze(true)).isEqualTo(true);
      assertThat(ValueType.of(char.class)).hasToString("Character");
    }

    @Test
    void containersBecomeFrozenAllTheWayDown() {
      Map<String, List<Set<Integer>>> given = new HashMap<>();
      given.put("a", new ArrayList<>(List.of(new LinkedHashSet<>(List.of(1, 2)))));

      Map<String, List<Set<Integer>>> frozen =
          ValueType.of(new TypeRef<Map<String, List<Set<Integer>>>>() {}).freeze(given);

      assertThat(frozen).isEqualTo(given).isInstanceOf(FrozenMap.class);
      assertThat(frozen.get("a")).isInstanceOf(FrozenList.class);
      assertThat(frozen.get("a").get(0)).isInstanceOf(FrozenSet.class);
      given.get("a").add(Set.of());
      given.clear();
      assertThat(frozen).isEqualTo(Map.of("a", List.of(Set.of(1, 2))));
    }

    @Test
    void anythingRecognisesContainersByWhatTheyAre() {
      assertThat(ValueType.ANY.freeze(new ArrayList<>(List.of(1)))).isInstanceOf(FrozenList.class);
      assertThat(ValueType.ANY.freeze(new TreeSet<>(List.of(1)))).isInstanceOf(FrozenSet.class);
      assertThat(ValueType.ANY.freeze(new TreeMap<>(Map.of(1, 2)))).isInstanceOf(FrozenMap.class);
      assertThat(ValueType.ANY.freeze(new ArrayDeque<>(List.of(1, 2)))).isEqualTo(List.of(1, 2));
      assertThat(ValueType.ANY.freeze(Map.of(1, 2).values())).isEqualTo(List.of(2));
      assertThat(ValueType.ANY.freeze(Map.of(1, 2).keySet())).isEqualTo(Set.of(1));
    }

    @Test
    void aListMayBeGivenAsAnyCollectionWithAnOrder() {
      ValueType<List<Integer>> type = ValueType.listOf(ValueType.of(Integer.class));

      assertThat(type.freeze(new ArrayDeque<>(List.of(1, 2)))).containsExactly(1, 2);
      assertThat(type.freeze(new PriorityQueue<>(List.of(1, 2)))).containsExactly(1, 2);
      assertThat(type.freeze(new CopyOnWriteArrayList<>(List.of(1, 2)))).containsExactly(1, 2);
      assertThat(type.freeze(new ArrayList<>(List.of(1, 2, 3)).subList(1, 3)))
          .containsExactly(2, 3);
      assertThat(type.freeze(Arrays.asList(1, 2))).containsExactly(1, 2);
      assertThat(refusal(type, Set.of(1)).code()).isEqualTo("SG-201");
      assertThat(refusal(type, Map.of()).code()).isEqualTo("SG-201");
      assertThat(
              refusal(ValueType.setOf(ValueType.of(Integer.class)), List.of(1)).code())
          .isEqualTo("SG-201");
    }

    @Test
    void whatIsEqualOnceFrozenStandsInASetOnce() {
      Set<Object> queues = new LinkedHashSet<>();
      queues.add(new ArrayDeque<>(List.of(1)));
      queues.add(new ArrayDeque<>(List.of(1)));

      assertThat(queues).hasSize(2);
      assertThat(ValueType.ANY.freeze(queues)).isEqualTo(Set.of(List.of(1)));
    }

    @Test
    void orderIsKept() {
      Map<String, Integer> map = new LinkedHashMap<>();
      Set<Integer> set = new LinkedHashSet<>();
      for (int i = 50; i > 0; i--) {
        map.put("k" + i, i);
        set.add(i);
      }

      assertThat(
              ValueType.of(new TypeRef<Map<String, Integer>>() {}).freeze(map).values())
          .containsExactlyElementsOf(map.values());
      assertThat(ValueType.setOf(ValueType.of(Integer.class)).freeze(set))
          .containsExactlyElementsOf(set);
    }

    @Test
    void whatIsFrozenUnderTheSameTypeIsPassedOn() {
      ValueType<List<String>> texts = ValueType.of(new TypeRef<List<String>>() {});
      List<String> frozen = texts.freeze(List.of("a"));

      assertThat(texts.freeze(frozen)).isSameAs(frozen);
      assertThat(ValueType.listOf(ValueType.of(String.class)).freeze(frozen)).isSameAs(frozen);
      assertThat(ValueType.listOf(texts).freeze(List.of(frozen)).get(0)).isSameAs(frozen);
    }

    @Test
    void whatIsFrozenUnderAnotherTypeIsCheckedAgain() {
      Object numbers = ValueType.ANY.freeze(List.of(1));
      Object map = ValueType.ANY.freeze(Map.of("a", 1));
      Object set = ValueType.ANY.freeze(Set.of(1));

      assertThat(refusal(ValueType.of(new TypeRef<List<String>>() {}), numbers).code())
          .isEqualTo("SG-201");
      assertThat(
              refusal(ValueType.of(new TypeRef<Map<String, String>>() {}), map).code())
          .isEqualTo("SG-201");
      assertThat(refusal(ValueType.of(new TypeRef<Map<Integer, Integer>>() {}), map)
              .code())
          .isEqualTo("SG-201");
      assertThat(refusal(ValueType.of(new TypeRef<Set<String>>() {}), set).code())
          .isEqualTo("SG-201");
      assertThat(ValueType.of(new TypeRef<List<Integer>>() {}).freeze(numbers)).containsExactly(1);
    }

    @Test
    void knowsWhichValuesAreContainers() {
      assertThat(ValueType.of(List.class).isContainer()).isTrue();
      assertThat(ValueType.of(Set.class).isContainer()).isTrue();
      assertThat(ValueType.of(Map.class).isContainer()).isTrue();
      assertThat(ValueType.of(Collection.class).isContainer()).isTrue();
      assertThat(ValueType.of(String.class).isContainer()).isFalse();
      assertThat(ValueType.of(byte[].class).isContainer()).isFalse();
      assertThat(ValueType.ANY.isContainer()).isFalse();
    }
  }

  @Nested
  class Refusals {

    private final ValueType<Map<String, List<Map<String, Integer>>>> deep =
        ValueType.of(new TypeRef<>() {});

    @Test
    void nameThePathToTheWrongElement() {
      InvalidValueException refused =
          refusal(deep, Map.of("plans", List.of(Map.of("a", 1), Map.of("b", "s3cret"))));

      assertThat(refused.code()).isEqualTo("SG-201");
      assertThat(refused.problem().where()).isEqualTo("the value at .plans[1].b");
      assertThat(refused).hasMessageContaining("String").hasMessageContaining("Integer");
      assertThat(refused).message().doesNotContain("s3cret");
    }

    @Test
    void nameThePathToAnElementThatIsMissing() {
      Map<String, @Nullable Integer> withNull = new HashMap<>();
      withNull.put("b", null);

      InvalidValueException refused = refusal(deep, Map.of("plans", List.of(withNull)));

      assertThat(refused.code()).isEqualTo("SG-202");
      assertThat(refused.problem().where()).isEqualTo("the value at .plans[0].b");
      assertThat(refusal(deep, null).problem().where()).isEqualTo("the value");
      assertThat(refusal(ValueType.of(String.class), null).code()).isEqualTo("SG-202");
      assertThat(refusal(ValueType.listOf(ValueType.of(String.class)), Arrays.asList("a", null))
              .problem()
              .where())
          .isEqualTo("the value at [1]");
    }

    @Test
    void nullElementsAreFineWhereAnythingIs() {
      Map<String, @Nullable Object> map = new HashMap<>();
      map.put("a", null);
      List<@Nullable Object> list = Arrays.asList(1, null, map);
      Set<@Nullable Object> set = new LinkedHashSet<>(Arrays.asList(null, 1));

      assertThat(ValueType.ANY.freeze(list)).isEqualTo(list);
      assertThat(ValueType.ANY.freeze(map)).isEqualTo(map);
      assertThat(ValueType.ANY.freeze(set)).isEqualTo(set);
    }

    @Test
    void aMapNeedsItsKeys() {
      Map<@Nullable String, Integer> nullKey = new HashMap<>();
      nullKey.put(null, 1);

      assertThat(refusal(ValueType.ANY, nullKey).code()).isEqualTo("SG-202");
      assertThat(refusal(ValueType.of(new TypeRef<Map<String, Integer>>() {}), nullKey)
              .code())
          .isEqualTo("SG-202");
      assertThat(refusal(ValueType.of(new TypeRef<Map<String, Integer>>() {}), Map.of(1, 1))
              .code())
          .isEqualTo("SG-201");
    }

    @Test
    void sayAnArrayOfObjectsCannotBeKept() {
      assertThat(refusal(ValueType.ANY, new String[] {"a"}).code()).isEqualTo("SG-206");
      assertThat(refusal(ValueType.ANY, Collections.singletonList(new int[][] {{1}}))
              .code())
          .isEqualTo("SG-206");
    }

    @Test
    void aKeyThatIsNoNameIsNotSpelledOut() {
      Map<Object, Object> given = Map.of(List.of("s3cret"), "x");

      InvalidValueException refused =
          refusal(ValueType.of(new TypeRef<Map<List<String>, Integer>>() {}), given);

      assertThat(refused.code()).isEqualTo("SG-201");
      assertThat(refused).message().doesNotContain("s3cret");
    }

    @Test
    void aLongPathIsCutShort() {
      Object value = "x";
      for (int i = 0; i < 100; i++) {
        value = Map.of("a rather long key", value);
      }
      ValueType<?> type = ValueType.of(Integer.class);
      for (int i = 0; i < 100; i++) {
        type = ValueType.mapOf(ValueType.of(String.class), type);
      }

      assertThat(refusal(type, value).problem().where()).hasSizeLessThan(250).endsWith("…");
    }

    @Test
    void containersDoNotHideBehindAnInterfaceTheyHappenToImplement() {
      ValueType<Serializable> type = ValueType.of(Serializable.class);

      assertThat(refusal(type, new ArrayList<>(List.of(1))).code()).isEqualTo("SG-206");
      assertThat(refusal(type, new HashMap<>()).code()).isEqualTo("SG-206");
      assertThat(refusal(type, new byte[] {1}).code()).isEqualTo("SG-206");
      assertThat(refusal(ValueType.of(Cloneable.class), new int[0]).code()).isEqualTo("SG-206");
      assertThat(type.freeze("text")).isEqualTo("text");
    }
  }

  @Nested
  class UnusableTypes {

    @Test
    void areRefusedWithTheFix() {
      assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> ValueType.of(ArrayList.class))
          .satisfies(error -> assertThat(error.code()).isEqualTo("SG-206"))
          .withMessageContaining("List, Set or Map");
      assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> ValueType.of(new TypeRef<Map<String, TreeMap<String, Integer>>>() {}))
          .withMessageContaining("TreeMap");
      assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> ValueType.of(String[].class))
          .withMessageContaining("Use a List");
      assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> ValueType.of(int[][].class));
      assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> ValueType.of(new TypeRef<List<String>[]>() {}))
          .withMessageContaining("Use a List");
    }
  }

  @Nested
  class PrimitiveArrays {

    @Test
    void areCopiedInAndOut() {
      byte[] given = {1, 2};
      ValueType<byte[]> type = ValueType.of(byte[].class);
      byte[] frozen = type.freeze(given);

      given[0] = 9;
      type.handOut(frozen)[1] = 9;

      assertThat(frozen).containsExactly(1, 2);
      assertThat(ValueType.of(int[].class).freeze(new int[] {1})).containsExactly(1);
      assertThat(refusal(ValueType.of(int[].class), new long[] {1}).code()).isEqualTo("SG-201");
    }

    @Test
    void areCopiedInAndOutOfListsAndMaps() {
      byte[] inList = {1};
      byte[] inMap = {1};
      List<byte[]> list = ValueType.of(new TypeRef<List<byte[]>>() {}).freeze(List.of(inList));
      Map<String, byte[]> map =
          ValueType.of(new TypeRef<Map<String, byte[]>>() {}).freeze(Map.of("a", inMap));

      inList[0] = 9;
      inMap[0] = 9;
      list.get(0)[0] = 9;
      list.iterator().next()[0] = 9;
      list.forEach(bytes -> bytes[0] = 9);
      ((byte[]) list.toArray()[0])[0] = 9;
      list.toArray(new byte[0][])[0][0] = 9;
      list.stream().forEach(bytes -> bytes[0] = 9);
      list.subList(0, 1).get(0)[0] = 9;
      map.get("a")[0] = 9;
      map.values().iterator().next()[0] = 9;
      map.entrySet().iterator().next().getValue()[0] = 9;
      map.forEach((key, bytes) -> bytes[0] = 9);

      assertThat(list.get(0)).containsExactly(1);
      assertThat(map.get("a")).containsExactly(1);
    }

    @Test
    void areRefusedWhereTheyHadToBeFoundByTheirContents() {
      assertThat(refusal(ValueType.of(new TypeRef<Set<byte[]>>() {}), Set.of(new byte[1]))
              .code())
          .isEqualTo("SG-206");
      assertThat(refusal(ValueType.ANY, Set.of(new byte[1])).code()).isEqualTo("SG-206");
      assertThat(refusal(ValueType.ANY, Map.of(new byte[1], 1)).code()).isEqualTo("SG-206");
    }

    @Test
    void areCopiedInsideAnythingToo() {
      int[] given = {1};
      Object frozen = ValueType.ANY.freeze(Map.of("deep", List.of(given)));

      given[0] = 9;
      int[] out = (int[]) ((List<?>) ((Map<?, ?>) frozen).get("deep")).get(0);
      out[0] = 8;

      assertThat((int[]) ((List<?>) ((Map<?, ?>) frozen).get("deep")).get(0)).containsExactly(1);
    }
  }

  private abstract static class FixedPoint implements List<FixedPoint> {}

  private static <E extends List<E>> ValueType<E> endless() {
    return ValueType.of(new TypeRef<E>() {});
  }

  @Nested
  class Equality {

    @Test
    void isThatOfTheJavaType() {
      assertThat(ValueType.of(new TypeRef<List<String>>() {}))
          .isEqualTo(ValueType.listOf(ValueType.of(String.class)))
          .hasSameHashCodeAs(ValueType.listOf(ValueType.of(String.class)));
      assertThat(ValueType.of(new TypeRef<Map<String, Set<Integer>>>() {}))
          .isEqualTo(ValueType.mapOf(
              ValueType.of(String.class), ValueType.setOf(ValueType.of(Integer.class))));
      assertThat(ValueType.of(new TypeRef<Optional<String>>() {}))
          .isEqualTo(ValueType.of(new TypeRef<Optional<String>>() {}));
      assertThat(ValueType.of(List.class)).isEqualTo(ValueType.listOf(ValueType.ANY));
      assertThat(ValueType.of(Object.class)).isSameAs(ValueType.ANY);
      assertThat(ValueType.of(new TypeRef<Collection<String>>() {}))
          .isEqualTo(ValueType.of(new TypeRef<List<String>>() {}));
    }

    @Test
    void tellsTypesApart() {
      assertThat(ValueType.of(new TypeRef<List<String>>() {}))
          .isNotEqualTo(ValueType.of(new TypeRef<List<Integer>>() {}))
          .isNotEqualTo(ValueType.of(new TypeRef<Set<String>>() {}))
          .isNotEqualTo(ValueType.of(String.class))
          .isNotEqualTo("List<String>");
      assertThat(ValueType.of(new TypeRef<Optional<String>>() {}))
          .isNotEqualTo(ValueType.of(new TypeRef<Optional<Integer>>() {}));
      assertThat(ValueType.of(new TypeRef<Map<String, Integer>>() {}))
          .isNotEqualTo(ValueType.of(new TypeRef<Map<Integer, String>>() {}));
    }

    @Test
    void wildcardsAndVariablesStandForTheirBound() {
      assertThat(ValueType.of(new TypeRef<List<? extends Number>>() {}))
          .isEqualTo(ValueType.listOf(ValueType.of(Number.class)));
      assertThat(ValueType.of(new TypeRef<List<?>>() {}))
          .isEqualTo(ValueType.listOf(ValueType.ANY));
      assertThat(this.<Integer>variable()).isEqualTo(ValueType.listOf(ValueType.of(Number.class)));
    }

    private <N extends Number> ValueType<List<N>> variable() {
      return ValueType.of(new TypeRef<List<N>>() {});
    }

    @Test
    void aVariableThatIsItsOwnBoundIsFollowedOnce() {
      assertThat(ValueTypeTests.<FixedPoint>endless()).isEqualTo(ValueType.listOf(ValueType.ANY));
    }

    @Test
    void theNameIsShort() {
      assertThat(ValueType.of(new TypeRef<Map<String, List<Integer>>>() {}))
          .hasToString("Map<String, List<Integer>>");
      assertThat(ValueType.of(byte[].class)).hasToString("byte[]");
      assertThat(ValueType.ANY).hasToString("Object");
    }
  }

  @Nested
  class TypeRefs {

    @Test
    void captureTheWholeType() {
      assertThat(new TypeRef<List<String>>() {}.type().getTypeName())
          .isEqualTo("java.util.List<java.lang.String>");
      assertThat(new TypeRef<List<String>>() {}).hasToString("java.util.List<java.lang.String>");
    }

    @Test
    @SuppressWarnings("rawtypes")
    void sayWhatTheyNeedWhenTheTypeIsMissing() {
      assertThatIllegalStateException()
          .isThrownBy(() -> new TypeRef() {})
          .withMessageContaining("new TypeRef<List<String>>() {}");
    }

    @Test
    void areNotFooledByASubclassOfASubclass() {
      class Texts extends TypeRef<List<String>> {}
      class MoreTexts extends Texts {}

      assertThatCode(Texts::new).doesNotThrowAnyException();
      assertThatIllegalStateException().isThrownBy(MoreTexts::new);
    }
  }
}
