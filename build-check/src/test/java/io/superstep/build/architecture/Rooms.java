package io.superstep.build.architecture;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The packages of the design and what each may use: the arrows of {@code docs/architecture.md}.
 *
 * <p>A package that is not listed here has no place in the design yet; give it one before its first
 * class.
 */
final class Rooms {

  /** Core: decisions, without Reactor, threads, I/O, clock or randomness. */
  private static final Map<String, Set<String>> CORE = Map.of(
      "error", Set.of(),
      "value", Set.of("error"),
      "message", Set.of("error", "value"),
      "state", Set.of("error", "value", "message"),
      "json", Set.of("error", "value", "message", "state"),
      "question", Set.of("error", "value", "state"),
      "graph", Set.of("error", "value", "message", "state", "question"),
      "checkpoint", Set.of("error", "value", "message", "state", "question"),
      "step", Set.of("error", "value", "message", "state", "question", "graph", "checkpoint"),
      "event", Set.of("error", "value", "message", "state", "question", "checkpoint"));

  /** The modules around core; a store knows core and never the engine. */
  private static final Map<String, Set<String>> AROUND_CORE = Map.of(
      "reactor", CORE.keySet(),
      "checkpoint.redis", CORE.keySet(),
      "checkpoint.sqlite", CORE.keySet(),
      "testkit", CORE.keySet(),
      "kotlin", with(CORE.keySet(), "reactor"),
      "build", Set.of());

  private final String root;

  Rooms(String root) {
    this.root = root;
  }

  DescribedPredicate<JavaClass> core() {
    return in("core", CORE.keySet());
  }

  DescribedPredicate<JavaClass> engineAndStores() {
    return in(
        "the engine and the stores", Set.of("reactor", "checkpoint.redis", "checkpoint.sqlite"));
  }

  DescribedPredicate<JavaClass> engine() {
    return in("the engine", Set.of("reactor"));
  }

  DescribedPredicate<JavaClass> library() {
    return DescribedPredicate.describe(
        "the library", type -> !roomOf(type).equals("build") && isOurs(type));
  }

  ArchCondition<JavaClass> onlyUseTheRoomsBelow() {
    return new ArchCondition<>("only use the rooms below its own") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        String room = roomOf(type);
        Optional<Set<String>> allowed = mayUse(room);
        if (allowed.isEmpty()) {
          events.add(SimpleConditionEvent.violated(
              type, type.getName() + " is in a package without a place in Rooms"));
          return;
        }
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass().getBaseComponentType();
          if (isOurs(target)
              && !roomOf(target).equals(room)
              && !allowed.get().contains(roomOf(target))) {
            events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
          }
        }
      }
    };
  }

  private DescribedPredicate<JavaClass> in(String name, Set<String> rooms) {
    return DescribedPredicate.describe(name, type -> isOurs(type) && rooms.contains(roomOf(type)));
  }

  private boolean isOurs(JavaClass type) {
    return type.getPackageName().startsWith(root + ".");
  }

  /**
   * The longest listed name that {@code type}'s package starts with, or the package itself where
   * none does.
   */
  private String roomOf(JavaClass type) {
    String inside =
        isOurs(type) ? type.getPackageName().substring(root.length() + 1) : type.getPackageName();
    return Stream.of(CORE, AROUND_CORE)
        .flatMap(rooms -> rooms.keySet().stream())
        .filter(room -> inside.equals(room) || inside.startsWith(room + "."))
        .max(Comparator.comparingInt(String::length))
        .orElse(inside);
  }

  private static Optional<Set<String>> mayUse(String room) {
    return Optional.ofNullable(CORE.getOrDefault(room, AROUND_CORE.get(room)));
  }

  private static Set<String> with(Set<String> rooms, String another) {
    return Stream.concat(rooms.stream(), Stream.of(another))
        .collect(Collectors.toUnmodifiableSet());
  }
}
