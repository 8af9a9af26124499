package io.superstep.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrozenSetTests {

  private static final ValueType<Set<@Nullable Object>> ANYTHING = ValueType.setOf(ValueType.ANY);

  private static FrozenSet<@Nullable Object> frozen(Collection<?> elements) {
    return (FrozenSet<@Nullable Object>) ANYTHING.freeze(new LinkedHashSet<>(elements));
  }

  private record Version(FrozenSet<@Nullable Object> set, Set<@Nullable Object> expected) {

    void check(int mask) {
      assertThat(set).hasSameSizeAs(expected);
      assertThat(new ArrayList<>(set)).isEqualTo(new ArrayList<>(expected));
      assertThat(set).isEqualTo(expected).hasSameHashCodeAs(expected);
      for (int id = 0; id < 60; id++) {
        Object candidate = new Collider(id, mask);
        assertThat(set.contains(candidate)).isEqualTo(expected.contains(candidate));
      }
      assertThat(set.contains(null)).isEqualTo(expected.contains(null));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 0b111, -1})
  void everyVersionKeepsItsElementsAndTheirOrder(int mask) {
    Seeds.each(100, random -> {
      List<Version> versions = new ArrayList<>();
      versions.add(new Version(frozen(List.of()), new LinkedHashSet<>()));
      for (int move = 0; move < 15; move++) {
        Version base = versions.get(
            random.nextInt(4) == 0 ? random.nextInt(versions.size()) : versions.size() - 1);
        List<@Nullable Object> more = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
          more.add(random.nextInt(15) == 0 ? null : new Collider(random.nextInt(60), mask));
        }
        Set<@Nullable Object> missing = new LinkedHashSet<>(more);
        missing.removeAll(base.expected());
        Set<@Nullable Object> expected = new LinkedHashSet<>(base.expected());
        expected.addAll(more);

        assertThat(base.set().missing(more)).isEqualTo(new ArrayList<>(missing));
        versions.add(new Version(base.set().union(more), expected));
      }

      versions.forEach(version -> version.check(mask));
    });
  }

  @Test
  void growsToThousandsAndFindsThemAll() {
    FrozenSet<@Nullable Object> set = frozen(List.of());
    for (int i = 0; i < 5_000; i++) {
      set = set.union(List.of(i, i / 2));
    }

    assertThat(set).hasSize(5_000);
    for (int i = 0; i < 5_000; i++) {
      assertThat(set.contains(i)).isTrue();
      assertThat(set.position(i)).isEqualTo(i);
    }
    assertThat(set.contains(5_000)).isFalse();
  }

  @Test
  void aUnionWithWhatItHoldsIsTheSameSet() {
    FrozenSet<@Nullable Object> set = frozen(Arrays.asList("a", null, "b"));

    assertThat(set.union(Arrays.asList("b", null, "b"))).isSameAs(set);
    assertThat(set.union(List.of())).isSameAs(set);
    assertThat(set.missing(List.of("c", "a", "c"))).containsExactly("c");
  }

  @Test
  void everyMutatorIsRefused() {
    FrozenSet<@Nullable Object> set = frozen(List.of("a", "b"));
    List<Consumer<Set<@Nullable Object>>> mutators = List.of(
        s -> s.add("c"),
        s -> s.addAll(List.of("c")),
        s -> s.remove("a"),
        s -> s.removeAll(List.of("a")),
        s -> s.retainAll(List.of("a")),
        s -> s.removeIf("a"::equals),
        Set::clear,
        s -> {
          var iterator = s.iterator();
          iterator.next();
          iterator.remove();
        });

    for (Consumer<Set<@Nullable Object>> mutator : mutators) {
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> mutator.accept(set));
    }
    assertThat(set).containsExactly("a", "b");
  }

  @Test
  void theCallersSetStaysTheCallers() {
    Set<Object> given = new LinkedHashSet<>(List.of("a", new HashSet<>(List.of("x"))));
    FrozenSet<@Nullable Object> set = frozen(given);

    given.add("b");

    assertThat(set).containsExactly("a", Set.of("x"));
    assertThat(set.contains(Set.of("x"))).isTrue();
  }

  @Test
  void elementsAreCheckedOnTheirWayIn() {
    @SuppressWarnings("unchecked")
    FrozenSet<Object> texts = (FrozenSet<Object>)
        (FrozenSet<?>) ValueType.setOf(ValueType.of(String.class)).freeze(Set.of("a"));

    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> texts.union(List.of(1)));
    assertThat(texts).containsExactly("a");
  }
}
