package io.superstep.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamespaceTests {

  private static InvalidMemoryException refusal(ThrowingCallable call) {
    InvalidMemoryException refused = catchThrowableOfType(InvalidMemoryException.class, call);
    assertThat(refused.code()).isEqualTo("SG-433");
    return refused;
  }

  @Test
  @DisplayName("E24 a namespace is a path of names")
  void names() {
    Namespace namespace = Namespace.of("users", "42").child("preferences");

    assertThat(namespace.names()).containsExactly("users", "42", "preferences");
    assertThat(namespace).hasToString("users/42/preferences/");
    assertThat(namespace).isEqualTo(Namespace.of("users", "42", "preferences"));
    assertThat(namespace).hasSameHashCodeAs(Namespace.of("users", "42", "preferences"));
    assertThat(namespace).isNotEqualTo(Namespace.of("users", "42"));
    assertThat(Namespace.ROOT.names()).isEmpty();
    assertThat(Namespace.ROOT).hasToString("");
  }

  @Test
  @DisplayName("E24 what is below a namespace starts with it, name by name")
  void prefixes() {
    Namespace user = Namespace.of("users", "1");

    assertThat(user.startsWith(user)).isTrue();
    assertThat(user.child("likes").startsWith(user)).isTrue();
    assertThat(user.startsWith(Namespace.ROOT)).isTrue();
    assertThat(user.startsWith(user.child("likes"))).isFalse();
    assertThat(Namespace.of("users", "10").startsWith(user)).isFalse();
    assertThat(Namespace.of("users", "1/likes").startsWith(user)).isFalse();
    assertThat(Namespace.of("users/1").startsWith(user)).isFalse();
    assertThat(Namespace.of("users/1").startsWith(Namespace.of("users"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain-._~09AZ",
        "a/b",
        "%",
        "%2F",
        " ",
        "\n\u0000",
        "é",
        "漢字",
        "\uD83D\uDE80",
        "\uFFFF",
        "+&=?*[]{}"
      })
  @DisplayName("E24 the text of a namespace is ASCII and is read again, whatever its names are")
  void texts(String name) {
    for (Namespace namespace : List.of(Namespace.of(name), Namespace.of("a", name, name))) {
      assertThat(namespace.toString()).matches("([-._~A-Za-z0-9%]+/)+");
      assertThat(Namespace.parse(namespace.toString())).isEqualTo(namespace);
      assertThat(Namespace.parse(namespace.toString()).names()).isEqualTo(namespace.names());
    }
    assertThat(Namespace.parse("")).isEqualTo(Namespace.ROOT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "users", "/", "a//", "a b/", "é/", "%/", "%2/", "%2f/", "%41/", "%GG/", "%FF/", "a/b"
      })
  @DisplayName("E12 a text that no namespace has is refused")
  void otherTexts(String text) {
    refusal(() -> Namespace.parse(text));
  }

  @Test
  @DisplayName("E24 what is below a namespace stands together in the order")
  void order() {
    List<Namespace> sorted = new ArrayList<>();
    for (String name : List.of("1", "10", "1-a", "1 a", "1~", "0", "é")) {
      sorted.add(Namespace.of("users", name));
      sorted.add(Namespace.of("users", name, "likes"));
    }
    Collections.sort(sorted);

    Namespace user = Namespace.of("users", "1");
    int first = sorted.indexOf(user);
    assertThat(sorted.get(first + 1)).isEqualTo(user.child("likes"));
    assertThat(sorted).isSortedAccordingTo((a, b) -> a.toString().compareTo(b.toString()));
  }

  @Test
  @DisplayName("E12 names that are empty, too long, too many or half characters are refused")
  void badNames() {
    assertThat(refusal(() -> Namespace.of("users", "")))
        .hasMessageContaining("empty")
        .hasMessageContaining("'users/'");
    String longest = "n".repeat(Namespace.MAX_NAME_LENGTH);
    assertThat(Namespace.of(longest).names()).containsExactly(longest);
    assertThat(refusal(() -> Namespace.of(longest + "n")))
        .hasMessageContaining("129 characters")
        .hasMessageNotContaining(longest);
    refusal(() -> Namespace.of("\uD83D"));
    refusal(() -> Namespace.of("a\uDE80b"));

    Namespace deepest = Namespace.ROOT;
    for (int depth = 0; depth < Namespace.MAX_DEPTH; depth++) {
      deepest = deepest.child("n");
    }
    Namespace full = deepest;
    assertThat(refusal(() -> full.child("n"))).hasMessageContaining("more than 16 names");
  }

  @Test
  @DisplayName("E24 keys are ordered as their bytes are, and addresses by namespace and key")
  void addresses() {
    assertThat(
            List.of("", "K", "k", "k-", "k1", "é", "漢", "\uFF5E", "\uD83D\uDE80", "\uD83D\uDE81"))
        .isSortedAccordingTo(Address.KEY_ORDER);
    Namespace one = Namespace.of("a");
    assertThat(List.of(
            new Address(Namespace.ROOT, "z"),
            new Address(one, "a"),
            new Address(one, "b"),
            new Address(one.child("c"), "a"),
            new Address(Namespace.of("b"), "a")))
        .isSorted();
    assertThat(new Address(one, "k")).hasToString("'k' in namespace 'a/'");
  }

  @Test
  @DisplayName("E12 keys that are empty, too long or half characters are refused")
  void badKeys() {
    String longest = "k".repeat(Address.MAX_KEY_LENGTH);
    assertThat(new Address(Namespace.ROOT, longest).key()).isEqualTo(longest);

    refusal(() -> new Address(Namespace.ROOT, ""));
    assertThat(refusal(() -> new Address(Namespace.ROOT, longest + "k")))
        .hasMessageContaining("513 characters");
    refusal(() -> new Address(Namespace.ROOT, "k\uD83D"));
    refusal(() -> MemoryWrite.remove(Namespace.ROOT, ""));
  }
}
