package io.superstep.checkpoint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.cluster.SlotHash;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RedisKeysTests {

  private static final List<String> ODD_NAMES = List.of(
      "", "{", "}", "{}", "}{", "a{b}c", "%7b", "order 7", "ü", "💬", "\uD83D", "\0", "\n", "a\"b",
      "?*[x]");

  @ParameterizedTest
  @ValueSource(strings = {"", "}", "{}", "{a}", "a}b{c", "plain", "\uD83D"})
  void allKeysOfAThreadLieTogether(String thread) {
    RedisKeys keys = new RedisKeys("p");

    Set<Integer> slots =
        keys.thread(thread).stream().map(key -> SlotHash.getSlot(key)).collect(Collectors.toSet());
    assertThat(slots).hasSize(1);
    assertThat(keys.events(thread)).allMatch(key -> slots.contains(SlotHash.getSlot(key)));
  }

  @Test
  void noTwoThreadsShareAKey() {
    RedisKeys keys = new RedisKeys("p");

    assertThat(ODD_NAMES.stream().flatMap(name -> keys.thread(name).stream()))
        .doesNotHaveDuplicates()
        .doesNotContainAnyElementsOf(keys.index())
        .allMatch(key -> key.chars().allMatch(code -> code > ' ' && code < 127));
  }

  @Test
  void namesAreReadBackAsTheyWere() {
    assertThat(ODD_NAMES)
        .allSatisfy(
            name -> assertThat(ThreadNames.read(RedisSpace.bytes(ThreadNames.escaped(name))))
                .isEqualTo(name));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{a}", "a}"})
  void aPrefixThatWouldMoveKeysIsRefused(String prefix) {
    assertThatThrownBy(() -> new RedisKeys(prefix))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no braces");
  }
}
