package io.superstep.state;

import io.superstep.message.Message;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Values as a user could hand them in, made up by a random source: always mutable, never twice. */
final class Generated {

  private static final String[] WORDS = {"ape", "bee", "cow", "dog", "eel", "fox", "gnu", "hen"};

  private final Random random;

  Generated(Random random) {
    this.random = random;
  }

  boolean onceIn(int times) {
    return random.nextInt(times) == 0;
  }

  int upTo(int limit) {
    return random.nextInt(limit);
  }

  String word() {
    return WORDS[random.nextInt(WORDS.length)];
  }

  List<String> words() {
    List<String> words = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      words.add(word());
    }
    return words;
  }

  List<Integer> numbers() {
    List<Integer> numbers = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      numbers.add(random.nextInt(40));
    }
    return numbers;
  }

  byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(4)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Anything that can be kept, down to {@code depth} containers; never an array. */
  Object anything(int depth) {
    return switch (random.nextInt(depth == 0 ? 4 : 8)) {
      case 0 -> random.nextInt(100);
      case 1 -> word();
      case 2 -> random.nextBoolean();
      case 3 -> random.nextInt(100) / 8.0;
      case 4, 5 -> list(depth - 1);
      case 6 -> tree(depth - 1);
      default -> set();
    };
  }

  private @Nullable Object element(int depth) {
    return onceIn(12) ? null : anything(depth);
  }

  List<@Nullable Object> list(int depth) {
    List<@Nullable Object> list = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      list.add(element(depth));
    }
    return list;
  }

  Set<Object> set() {
    Set<Object> set = new LinkedHashSet<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      set.add(random.nextInt(30));
    }
    return set;
  }

  /** A map by name in which the same names come up again and again, so that merges meet. */
  Map<String, @Nullable Object> tree(int depth) {
    Map<String, @Nullable Object> tree = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      tree.put(word(), depth > 0 && onceIn(2) ? tree(depth - 1) : element(depth));
    }
    return tree;
  }

  List<Message> messages() {
    List<Message> messages = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      messages.add(message());
    }
    return messages;
  }

  private Message message() {
    String id = "m" + random.nextInt(12);
    return switch (random.nextInt(12)) {
      case 0 -> Message.removeAll();
      case 1, 2 -> Message.remove(id);
      case 3, 4 -> Message.human(word());
      case 5, 6 -> Message.ai(word()).withMetadata(tree(1)).withId(id);
      default -> Message.human(word() + random.nextInt(100)).withId(id);
    };
  }

  /**
   * All that can be seen of {@code value}, orders included, in lists that share nothing with it:
   * equal for values that nobody could tell apart.
   */
  static @Nullable Object seen(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      List<@Nullable Object> seen = new ArrayList<>(List.of("map"));
      map.forEach((key, entry) -> {
        seen.add(seen(key));
        seen.add(seen(entry));
      });
      return seen;
    }
    if (value instanceof Collection<?> elements) {
      List<@Nullable Object> seen = new ArrayList<>();
      seen.add(value instanceof Set<?> ? "set" : "list");
      elements.forEach(element -> seen.add(seen(element)));
      return seen;
    }
    if (value != null && value.getClass().isArray()) {
      List<@Nullable Object> seen = new ArrayList<>(List.of("array"));
      for (int i = 0; i < Array.getLength(value); i++) {
        seen.add(Array.get(value, i));
      }
      return seen;
    }
    return value;
  }

  /** Changes everything about {@code value} that can be changed, as its owner is free to do. */
  static void spoil(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      map.values().forEach(Generated::spoil);
      ifMutable(map::clear);
    } else if (value instanceof Collection<?> elements) {
      elements.forEach(Generated::spoil);
      ifMutable(elements::clear);
    } else if (value instanceof byte[] bytes) {
      java.util.Arrays.fill(bytes, (byte) 99);
    }
  }

  private static void ifMutable(Runnable change) {
    try {
      change.run();
    } catch (UnsupportedOperationException frozen) {
      // What is frozen already cannot be spoilt; that is the point of it.
    }
  }
}
