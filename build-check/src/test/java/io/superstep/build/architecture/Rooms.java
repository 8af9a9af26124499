package io.superstep.build.architecture;

import static java.util.Map.entry;

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
 * The packages of the design, the module each belongs to and what each may use: the arrows of
 * {@code docs/architecture.md}.
 *
 * <p>A package that is not listed here has no place in the design yet; give it one before its first
 * class.
 */
final class Rooms {

  /** Core: decisions, without Reactor, threads, I/O, clock or randomness. */
  private static final Map<String, Set<String>> CORE = Map.ofEntries(
      entry("error", Set.of()),
      entry("value", Set.of("error")),
      entry("message", Set.of("error", "value")),
      entry("state", Set.of("error", "value", "message")),
      entry("memory", Set.of("error", "value")),
      entry("question", Set.of("error", "value", "state")),
      entry("graph", Set.of("error", "value", "message", "state", "memory", "question")),
      entry("checkpoint", Set.of("error", "value", "message", "state", "memory", "question")),
      entry(
          "step",
          Set.of(
              "error", "value", "message", "state", "memory", "question", "graph", "checkpoint")),
      entry(
          "event",
          Set.of("error", "value", "message", "state", "memory", "question", "checkpoint")),
      entry(
          "json",
          Set.of(
              "error",
              "value",
              "message",
              "state",
              "memory",
              "question",
              "graph",
              "checkpoint",
              "event")));

  /** The modules around core; a store knows core and never the engine. */
  private static final Map<String, Room> AROUND_CORE = Map.of(
      "reactor", new Room("superstep-reactor", CORE.keySet()),
      "reactor.micrometer", new Room("superstep-reactor", with(CORE.keySet(), "reactor")),
      "checkpoint.redis", new Room("superstep-checkpoint-redis", CORE.keySet()),
      "checkpoint.redis.micrometer",
          new Room("superstep-checkpoint-redis", with(CORE.keySet(), "checkpoint.redis")),
      "checkpoint.sqlite", new Room("superstep-checkpoint-sqlite", CORE.keySet()),
      "testkit", new Room("superstep-testkit", CORE.keySet()),
      "kotlin", new Room("superstep-kotlin", with(CORE.keySet(), "reactor")),
      "samples", new Room("superstep-samples", everythingPublished()),
      "benchmarks", new Room("superstep-benchmarks", everythingPublished()),
      "build", new Room("superstep-build-check", Set.of()));

  private static final Set<String> ENGINE = Set.of("reactor", "reactor.micrometer");

  /** What is never published, and may talk to its user directly. */
  private static final Set<String> NOT_IN_THE_LIBRARY = Set.of("samples", "benchmarks", "build");

  /**
   * One room.
   *
   * @param module the artifact its classes are packaged in
   * @param mayUse the rooms below it
   */
  private record Room(String module, Set<String> mayUse) {}

  private final String root;

  Rooms(String root) {
    this.root = root;
  }

  DescribedPredicate<JavaClass> core() {
    return in("core", CORE.keySet());
  }

  DescribedPredicate<JavaClass> engineAndStores() {
    return in(
        "the engine and the stores",
        with(ENGINE, "checkpoint.redis", "checkpoint.redis.micrometer", "checkpoint.sqlite"));
  }

  DescribedPredicate<JavaClass> engine() {
    return in("the engine", ENGINE);
  }

  DescribedPredicate<JavaClass> knowingMicrometer() {
    return in("what knows Micrometer", Set.of("reactor.micrometer", "checkpoint.redis.micrometer"));
  }

  DescribedPredicate<JavaClass> library() {
    return DescribedPredicate.describe(
        "the library", type -> isOurs(type) && !NOT_IN_THE_LIBRARY.contains(roomOf(type)));
  }

  ArchCondition<JavaClass> onlyUseTheRoomsBelow() {
    return new ArchCondition<>("only use the rooms below its own") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        String room = roomOf(type);
        Optional<Room> place = find(room);
        if (place.isEmpty()) {
          events.add(SimpleConditionEvent.violated(
              type, type.getName() + " is in a package without a place in Rooms"));
          return;
        }
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          JavaClass target = dependency.getTargetClass().getBaseComponentType();
          if (isOurs(target)
              && !roomOf(target).equals(room)
              && !place.get().mayUse().contains(roomOf(target))) {
            events.add(SimpleConditionEvent.violated(type, dependency.getDescription()));
          }
        }
      }
    };
  }

  ArchCondition<JavaClass> lieInTheModuleOfTheirRoom() {
    return new ArchCondition<>("lie in the module of their room") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        String module = Origin.moduleOf(type);
        find(roomOf(type))
            .filter(room -> !room.module().equals(module))
            .ifPresent(room -> events.add(SimpleConditionEvent.violated(
                type,
                "%s lies in %s, but its package belongs to %s"
                    .formatted(type.getName(), module, room.module()))));
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
    return Stream.concat(CORE.keySet().stream(), AROUND_CORE.keySet().stream())
        .filter(room -> inside.equals(room) || inside.startsWith(room + "."))
        .max(Comparator.comparingInt(String::length))
        .orElse(inside);
  }

  private static Optional<Room> find(String room) {
    return CORE.containsKey(room)
        ? Optional.of(new Room("superstep-core", CORE.get(room)))
        : Optional.ofNullable(AROUND_CORE.get(room));
  }

  private static Set<String> everythingPublished() {
    return with(
        CORE.keySet(),
        "reactor",
        "reactor.micrometer",
        "checkpoint.redis",
        "checkpoint.redis.micrometer",
        "checkpoint.sqlite",
        "kotlin",
        "testkit");
  }

  private static Set<String> with(Set<String> rooms, String... others) {
    return Stream.concat(rooms.stream(), Stream.of(others)).collect(Collectors.toUnmodifiableSet());
  }
}
