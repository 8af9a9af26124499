package io.superstep.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Random;
import java.util.RandomAccess;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrozenListTests {

  private static final int[] EDGES = {
    0, 1, 2, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 1055, 1056, 1057, 32767, 32768, 32769, 32800,
    32801, 34000
  };

  private static final ValueType<List<@Nullable Object>> ANYTHING = ValueType.listOf(ValueType.ANY);

  private static final Function<@Nullable Object, @Nullable Object> SELF = FrozenListTests::self;
  private static final Function<@Nullable Object, @Nullable Object> FEW_KEYS =
      FrozenListTests::fewKeys;

  private static @Nullable Object self(@Nullable Object element) {
    return element;
  }

  private static @Nullable Object fewKeys(@Nullable Object element) {
    return element == null || (Integer) element % 7 == 0 ? null : (Integer) element % 100;
  }

  private static FrozenList<@Nullable Object> frozen(Collection<?> elements) {
    return (FrozenList<@Nullable Object>) ANYTHING.freeze(elements);
  }

  private static FrozenList<@Nullable Object> numbers(int size) {
    return frozen(numbered(0, size));
  }

  private static List<@Nullable Object> numbered(int from, int count) {
    List<@Nullable Object> numbers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      numbers.add(from + i);
    }
    return numbers;
  }

  /** A list and what it has to hold, for ever. */
  private record Version(FrozenList<@Nullable Object> list, List<@Nullable Object> expected) {

    void check() {
      assertThat(list.size()).isEqualTo(expected.size());
      assertThat(Arrays.equals(list.toArray(), expected.toArray()))
          .as("toArray")
          .isTrue();
      assertThat(list.equals(expected)).as("equals").isTrue();
      int position = 0;
      for (Object element : list) {
        if (!Objects.equals(element, expected.get(position))) {
          throw new AssertionError("The iterator differs at " + position);
        }
        if (list.get(position) != element) {
          throw new AssertionError("get differs at " + position);
        }
        position++;
      }
      assertThat(position).isEqualTo(expected.size());
      List<@Nullable Object> visited = new ArrayList<>();
      list.forEach(visited::add);
      assertThat(visited.equals(expected)).as("forEach").isTrue();
    }

    void checkPosition(@Nullable Object key, Function<@Nullable Object, @Nullable Object> keyOf) {
      int last = -1;
      for (int position = 0; position < expected.size(); position++) {
        if (key.equals(keyOf.apply(expected.get(position)))) {
          last = position;
        }
      }
      assertThat(list.positionOf(key, keyOf)).as("position of key %s", key).isEqualTo(last);
    }
  }

  @Nested
  class AgainstAnArrayList {

    @Test
    void everyVersionOfASmallListKeepsItsContents() {
      Seeds.each(200, random -> play(random, EDGES[random.nextInt(12)], 25));
    }

    @Test
    void everyVersionOfALargeListKeepsItsContents() {
      Seeds.each(8, random -> play(random, EDGES[12 + random.nextInt(EDGES.length - 12)], 10));
    }

    private void play(Random random, int size, int moves) {
      List<Version> versions = new ArrayList<>();
      versions.add(started(random, size));
      for (int move = 0; move < moves; move++) {
        // Now and then an old version is taken up again, as a fork does.
        Version base = versions.get(
            random.nextInt(4) == 0 ? random.nextInt(versions.size()) : versions.size() - 1);
        Version next = moved(random, base);
        versions.add(next);
        if (random.nextBoolean()) {
          next.checkPosition(1 + random.nextInt(99), random.nextInt(3) == 0 ? SELF : FEW_KEYS);
        }
        if (random.nextInt(4) == 0) {
          base.checkPosition(1 + random.nextInt(99), FEW_KEYS);
        }
      }
      versions.forEach(Version::check);
    }

    private Version started(Random random, int size) {
      List<@Nullable Object> elements = elements(random, size);
      return new Version(frozen(elements), elements);
    }

    private List<@Nullable Object> elements(Random random, int count) {
      List<@Nullable Object> elements = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        elements.add(random.nextInt(20) == 0 ? null : random.nextInt(200));
      }
      return elements;
    }

    private Version moved(Random random, Version base) {
      List<@Nullable Object> expected = new ArrayList<>(base.expected());
      FrozenList<@Nullable Object> list = base.list();
      switch (random.nextInt(7)) {
        case 0, 1 -> {
          List<@Nullable Object> one = elements(random, 1);
          expected.addAll(one);
          return new Version(list.append(one), expected);
        }
        case 2, 3 -> {
          List<@Nullable Object> more =
              elements(random, random.nextInt(8) == 0 ? list.size() + 1 : random.nextInt(100));
          expected.addAll(more);
          return new Version(list.append(random.nextBoolean() ? more : frozen(more)), expected);
        }
        case 4 -> {
          TreeMap<Integer, @Nullable Object> replaced = new TreeMap<>();
          for (int i = random.nextInt(6); i > 0 && !expected.isEmpty(); i--) {
            int position = random.nextInt(expected.size());
            Object element = random.nextInt(9) == 0
                ? null
                : random.nextBoolean() ? expected.get(position) : (Integer) random.nextInt(200);
            replaced.put(position, element);
            expected.set(position, element);
          }
          return new Version(list.replace(replaced), expected);
        }
        case 5 -> {
          TreeSet<Integer> removed = new TreeSet<>();
          int share = 1 + random.nextInt(10);
          for (int position = expected.size() - 1; position >= 0; position--) {
            if (random.nextInt(share) == 0) {
              removed.add(position);
            }
          }
          removed.descendingSet().forEach(position -> expected.remove((int) position));
          return new Version(list.remove(removed), expected);
        }
        default -> {
          TreeMap<Integer, @Nullable Object> inserted = new TreeMap<>();
          for (int i = random.nextInt(40); i > 0; i--) {
            inserted.put(random.nextInt(expected.size() + 1), null);
          }
          inserted.replaceAll((position, nothing) -> random.nextInt(200));
          // Upwards, so that a place once filled is never moved again.
          inserted.forEach(expected::add);
          return new Version(list.insert(inserted), expected);
        }
      }
    }
  }

  @Nested
  class AtTheEdgesOfItsLeaves {

    @Test
    void growsOneByOneAndKeepsEveryVersionAtAnEdge() {
      List<FrozenList<@Nullable Object>> kept = new ArrayList<>();
      FrozenList<@Nullable Object> list = numbers(0);
      for (int size = 0; size <= 34_000; size++) {
        assertThat(list.size()).isEqualTo(size);
        if (Arrays.binarySearch(EDGES, size) >= 0) {
          kept.add(list);
        }
        list = list.append(List.of(size));
      }

      assertThat(kept).hasSize(EDGES.length);
      for (int i = 0; i < EDGES.length; i++) {
        new Version(kept.get(i), numbered(0, EDGES[i])).check();
      }
    }

    @Test
    void isTheSameHoweverItWasBuilt() {
      for (int size : EDGES) {
        for (int first : new int[] {0, 1, 33, 1024}) {
          if (first <= size) {
            FrozenList<@Nullable Object> grown =
                numbers(first).append(numbered(first, size - first));

            new Version(grown, numbered(0, size)).check();
            assertThat(grown.hashCode()).isEqualTo(numbers(size).hashCode());
          }
        }
      }
    }

    @Test
    void growsBeyondAMillion() {
      FrozenList<@Nullable Object> list = numbers(0);
      List<FrozenList<@Nullable Object>> kept = new ArrayList<>();
      for (int i = 0; i < 1_060_000; i += 1_000) {
        if (i % 500_000 == 0) {
          kept.add(list);
        }
        list = list.append(numbered(i, 1_000));
      }
      kept.add(list);

      for (FrozenList<@Nullable Object> version : kept) {
        int next = 0;
        for (Object element : version) {
          if (!element.equals(next) || !version.get(next).equals(next)) {
            throw new AssertionError("Position " + next + " holds " + element);
          }
          next++;
        }
        assertThat(next).isEqualTo(version.size());
      }
    }

    @Test
    void replacesAtEveryEdge() {
      for (int size : EDGES) {
        FrozenList<@Nullable Object> list = numbers(size);
        List<@Nullable Object> expected = numbered(0, size);
        TreeMap<Integer, @Nullable Object> replaced = new TreeMap<>();
        for (int edge : EDGES) {
          if (edge < size) {
            replaced.put(edge, -edge - 1);
            expected.set(edge, -edge - 1);
          }
        }

        new Version(list.replace(replaced), expected).check();
        new Version(list, numbered(0, size)).check();
      }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 32, 33, 1024, 1056, 1057, 32_801})
    void refusesPositionsItDoesNotHave(int size) {
      FrozenList<@Nullable Object> list = numbers(size);
      List<Runnable> beyond = List.of(
          () -> list.get(-1),
          () -> list.get(size),
          () -> list.replace(new TreeMap<>(Collections.singletonMap(size, 0))),
          () -> list.replace(new TreeMap<>(Collections.singletonMap(-1, 0))),
          () -> list.remove(new TreeSet<>(List.of(size))),
          () -> list.remove(new TreeSet<>(List.of(-1))),
          () -> list.insert(new TreeMap<>(Collections.singletonMap(size + 1, 0))),
          () -> list.insert(new TreeMap<>(Collections.singletonMap(-1, 0))));

      for (Runnable call : beyond) {
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
            .isThrownBy(call::run)
            .withMessageContaining("Position ")
            .withMessageContaining(" is out of bounds of a list of size ");
      }
      new Version(list, numbered(0, size)).check();
    }

    @Test
    void itsIteratorEnds() {
      for (int size : new int[] {0, 1, 32, 33}) {
        Iterator<@Nullable Object> iterator = numbers(size).iterator();
        for (int i = 0; i < size; i++) {
          assertThat(iterator.next()).isEqualTo(i);
        }

        assertThat(iterator.hasNext()).isFalse();
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(iterator::next);
      }
    }
  }

  @Nested
  class KeyLookup {

    private final Function<@Nullable String, @Nullable Object> firstLetter = this::firstLetterOf;

    private @Nullable Object firstLetterOf(@Nullable String text) {
      return text == null || text.isEmpty() ? null : text.charAt(0);
    }

    @SuppressWarnings("unchecked")
    private FrozenList<@Nullable String> texts(@Nullable String... texts) {
      return (FrozenList<@Nullable String>) (FrozenList<?>) frozen(Arrays.asList(texts));
    }

    @Test
    void findsTheLastOfSeveralAndNoneWithoutAKey() {
      FrozenList<@Nullable String> list = texts("ape", "bee", null, "ant", "", "cow");

      assertThat(list.positionOf('a', firstLetter)).isEqualTo(3);
      assertThat(list.positionOf('b', firstLetter)).isEqualTo(1);
      assertThat(list.positionOf('z', firstLetter)).isEqualTo(-1);
      assertThat(list.positionOf("", firstLetter)).isEqualTo(-1);
    }

    @Test
    void looksAtEachElementOnceHoweverOftenItIsAsked() {
      int[] looks = {0};
      Function<@Nullable Object, @Nullable Object> counting = element -> {
        looks[0]++;
        return element;
      };
      FrozenList<@Nullable Object> list = numbers(1_000);

      for (int i = 0; i < 100; i++) {
        assertThat(list.positionOf(i, counting)).isEqualTo(i);
      }
      assertThat(looks[0]).isEqualTo(1_000);
      for (int i = 1_000; i < 1_100; i++) {
        list = list.append(List.of(i));
        assertThat(list.positionOf(i, counting)).isEqualTo(i);
      }
      assertThat(looks[0]).isEqualTo(1_100);
    }

    @Test
    void doesNotMixUpTheKeysOfTwoFunctions() {
      FrozenList<@Nullable String> list = texts("ape", "bee");
      Function<@Nullable String, @Nullable Object> lastLetter =
          text -> text == null ? null : text.charAt(text.length() - 1);

      assertThat(list.positionOf('e', firstLetter)).isEqualTo(-1);
      assertThat(list.positionOf('e', lastLetter)).isEqualTo(1);
      assertThat(list.positionOf('a', firstLetter)).isZero();
      assertThat(list.positionOf('a', lastLetter)).isEqualTo(-1);
    }

    @Test
    void followsReplacementsThatKeepTheKeyAndThoseThatDoNot() {
      FrozenList<@Nullable String> list = texts("ape", "bee", "cow");
      assertThat(list.positionOf('b', firstLetter)).isEqualTo(1);

      FrozenList<@Nullable String> same = list.replace(new TreeMap<>(Map.of(1, "bug")));
      FrozenList<@Nullable String> other = list.replace(new TreeMap<>(Map.of(1, "ass")));
      FrozenList<@Nullable String> none = list.replace(new TreeMap<>(Map.of(1, "")));

      assertThat(same.positionOf('b', firstLetter)).isEqualTo(1);
      assertThat(other.positionOf('b', firstLetter)).isEqualTo(-1);
      assertThat(other.positionOf('a', firstLetter)).isEqualTo(1);
      assertThat(none.positionOf('b', firstLetter)).isEqualTo(-1);
      assertThat(none.replace(new TreeMap<>(Map.of(1, "dog"))).positionOf('d', firstLetter))
          .isEqualTo(1);
      assertThat(list.positionOf('b', firstLetter)).isEqualTo(1);
    }

    @Test
    void findsTextsWhetherTheyAscendOrNot() {
      Function<@Nullable String, @Nullable Object> self = text -> text;
      Seeds.each(40, random -> {
        FrozenList<@Nullable String> list = texts();
        int next = 0;
        for (int step = 0; step < 150; step++) {
          boolean ascends = random.nextInt(step < 50 ? 1_000 : 10) > 0;
          String id = random.nextInt(200) == 0
              ? null
              : "t/" + (ascends ? next += 2 : random.nextInt(400)) + "/0/say-0";
          if (random.nextInt(20) == 0 && !list.isEmpty()) {
            int position = random.nextInt(list.size());
            String same = list.get(position);
            list = list.replace(new TreeMap<>(Collections.singletonMap(
                position, random.nextBoolean() || same == null ? id : new String(same))));
          }
          list = list.append(Collections.singletonList(id));
          if (random.nextBoolean()) {
            String sought = "t/" + random.nextInt(400) + "/0/say-0";
            assertThat(list.positionOf(sought, self)).isEqualTo(list.lastIndexOf(sought));
          }
        }
        for (int number = 0; number < 400; number++) {
          String sought = "t/" + number + "/0/say-0";
          assertThat(list.positionOf(sought, self)).isEqualTo(list.lastIndexOf(sought));
        }
      });
    }

    @Test
    void looksAtEachTextOnceWhileTheyAscend() {
      int[] looks = {0};
      Function<@Nullable String, @Nullable Object> counting = text -> {
        looks[0]++;
        return text;
      };
      FrozenList<@Nullable String> list = texts();

      for (int step = 0; step < 1_000; step++) {
        assertThat(list.positionOf("t/" + step, counting)).isEqualTo(-1);
        list = list.append(List.of("t/" + step));
        assertThat(list.positionOf("t/" + step, counting)).isEqualTo(step);
      }

      assertThat(looks[0]).isEqualTo(1_000);
    }

    @Test
    void twoListsGrownFromOneDoNotSeeEachOthersKeys() {
      FrozenList<@Nullable String> root = texts("ape");
      assertThat(root.positionOf('a', firstLetter)).isZero();

      FrozenList<@Nullable String> left = root.append(List.of("bee"));
      FrozenList<@Nullable String> right = root.append(List.of("cow"));

      assertThat(left.positionOf('b', firstLetter)).isEqualTo(1);
      assertThat(right.positionOf('b', firstLetter)).isEqualTo(-1);
      assertThat(right.positionOf('c', firstLetter)).isEqualTo(1);
      assertThat(left.positionOf('c', firstLetter)).isEqualTo(-1);
      assertThat(root.positionOf('b', firstLetter)).isEqualTo(-1);
    }
  }

  @Nested
  class Immutability {

    @Test
    void everyMutatorIsRefused() {
      FrozenList<@Nullable Object> list = numbers(40);
      List<Consumer<List<@Nullable Object>>> mutators = List.of(
          l -> l.add(1),
          l -> l.add(0, 1),
          l -> l.addAll(List.of(1)),
          l -> l.addAll(0, List.of(1)),
          l -> l.set(0, 1),
          l -> l.remove(0),
          l -> l.remove((Object) 1),
          l -> l.removeAll(List.of(1)),
          l -> l.retainAll(List.of(1)),
          l -> l.removeIf(element -> true),
          l -> l.replaceAll(element -> 1),
          l -> l.sort(null),
          List::clear,
          l -> l.subList(1, 3).set(0, 1),
          l -> l.subList(1, 3).clear(),
          l -> {
            Iterator<@Nullable Object> iterator = l.iterator();
            iterator.next();
            iterator.remove();
          },
          l -> {
            var iterator = l.listIterator();
            iterator.next();
            iterator.set(1);
          },
          l -> l.listIterator().add(1));

      for (Consumer<List<@Nullable Object>> mutator : mutators) {
        assertThatExceptionOfType(UnsupportedOperationException.class)
            .isThrownBy(() -> mutator.accept(list));
      }
      new Version(list, numbered(0, 40)).check();
    }

    @Test
    void whatIsTakenOutAsAnArrayIsACopy() {
      FrozenList<@Nullable Object> list = numbers(3);

      list.toArray()[0] = 7;
      Object[] typed = list.toArray(new Object[0]);
      typed[1] = 7;

      new Version(list, numbered(0, 3)).check();
    }

    @Test
    void theCallersListStaysTheCallers() {
      List<@Nullable Object> given = numbered(0, 40);
      FrozenList<@Nullable Object> list = frozen(given);
      FrozenList<@Nullable Object> appended = numbers(0).append(given);

      given.set(0, "changed");

      assertThat(list.get(0)).isEqualTo(0);
      assertThat(appended.get(0)).isEqualTo(0);
    }
  }

  @Nested
  class Sharing {

    @Test
    void untouchedElementsAreTheSameObjects() {
      List<Object> given = new ArrayList<>();
      for (int i = 0; i < 2_000; i++) {
        given.add(new Object());
      }
      FrozenList<@Nullable Object> list = frozen(given);
      Object other = new Object();

      FrozenList<@Nullable Object> grown = list.append(List.of(other));
      FrozenList<@Nullable Object> replaced =
          list.replace(new TreeMap<>(Collections.singletonMap(700, other)));

      for (int i = 0; i < 2_000; i++) {
        assertThat(grown.get(i)).isSameAs(given.get(i));
        assertThat(replaced.get(i)).isSameAs(i == 700 ? other : given.get(i));
      }
    }

    @Test
    void nothingAppendedIsTheSameList() {
      FrozenList<@Nullable Object> list = numbers(3);

      assertThat(list.append(List.of())).isSameAs(list);
      assertThat(list.replace(new TreeMap<>())).isSameAs(list);
    }

    @Test
    void elementsAreCheckedOnTheirWayIn() {
      @SuppressWarnings("unchecked")
      FrozenList<Object> texts = (FrozenList<Object>)
          (FrozenList<?>) ValueType.listOf(ValueType.of(String.class)).freeze(List.of("a"));

      assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> texts.append(List.of(1)));
      assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> texts.replace(new TreeMap<>(Map.of(0, 1))));
      assertThatExceptionOfType(InvalidValueException.class)
          .isThrownBy(() -> texts.insert(new TreeMap<>(Map.of(0, 1))));
    }
  }

  @Nested
  class WhenSeveralAppendToOneList {

    @Test
    void eachSeesItsOwn() {
      FrozenList<@Nullable Object> base = numbers(33).append(List.of("base"));

      FrozenList<@Nullable Object> first = base.append(List.of("a", "b"));
      FrozenList<@Nullable Object> second = base.append(List.of("c"));
      FrozenList<@Nullable Object> third = second.append(List.of("d"));

      assertThat(base).hasSize(34).endsWith("base");
      assertThat(first).hasSize(36).endsWith("base", "a", "b");
      assertThat(second).hasSize(35).endsWith("base", "c");
      assertThat(third).hasSize(36).endsWith("base", "c", "d");
    }

    @Test
    void aNullIsNotTakenForRoom() {
      FrozenList<@Nullable Object> base = numbers(33).append(List.of("base"));

      FrozenList<@Nullable Object> first = base.append(Collections.singletonList(null));
      FrozenList<@Nullable Object> second = base.append(Arrays.asList("a", null));
      FrozenList<@Nullable Object> third = base.append(List.of("b"));
      FrozenList<@Nullable Object> fourth = first.append(List.of("c"));

      assertThat(first).hasSize(35).endsWith(Arrays.asList("base", null).toArray());
      assertThat(second).hasSize(36).endsWith("base", "a", null);
      assertThat(third).hasSize(35).endsWith("base", "b");
      assertThat(fourth).hasSize(36).endsWith("base", null, "c");
    }

    @Test
    void eachSeesItsOwnAlsoAtTheSameTime() {
      FrozenList<@Nullable Object> base = numbers(33).append(List.of("base"));
      for (int round = 0; round < 2_000; round++) {
        FrozenList<@Nullable Object> from = base;

        List<FrozenList<@Nullable Object>> grown = IntStream.range(0, 4)
            .parallel()
            .mapToObj(who -> from.append(List.of("by " + who, "and " + who)))
            .toList();

        for (int who = 0; who < grown.size(); who++) {
          assertThat(grown.get(who)).hasSize(from.size() + 2).endsWith("by " + who, "and " + who);
        }
        base = grown.get(round % grown.size());
      }
    }
  }

  @Test
  void isAListLikeAnyOther() {
    FrozenList<@Nullable Object> list = frozen(Arrays.asList("a", null, "b", "a"));

    assertThat(list).isInstanceOf(RandomAccess.class);
    assertThat(list).isEqualTo(Arrays.asList("a", null, "b", "a"));
    assertThat(Arrays.asList("a", null, "b", "a")).isEqualTo(list);
    assertThat(list.hashCode()).isEqualTo(Arrays.asList("a", null, "b", "a").hashCode());
    assertThat(list.indexOf(null)).isEqualTo(1);
    assertThat(list.lastIndexOf("a")).isEqualTo(3);
    assertThat(list.contains("b")).isTrue();
    assertThat(list.subList(1, 3)).containsExactly(null, "b");
    assertThat(list.stream().filter("a"::equals).count()).isEqualTo(2);
    assertThat(list).hasToString("[a, null, b, a]");
  }
}
