package io.superstep.build.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.BaseStream;
import java.util.stream.Stream;

/** What may answer differently the next time: clocks, dice, the machine, the order of threads. */
final class Unrepeatable {

  private static final Set<String> CALLS = Set.of(
      "java.lang.Math.random",
      "java.lang.StrictMath.random",
      "java.lang.System.currentTimeMillis",
      "java.lang.System.getProperties",
      "java.lang.System.getProperty",
      "java.lang.System.getenv",
      "java.lang.System.nanoTime",
      "java.util.UUID.randomUUID");

  private Unrepeatable() {}

  /** Clocks are all {@code InstantSource}s, and dice are all {@code RandomGenerator}s. */
  static boolean type(JavaClass type) {
    return type.isAssignableTo(InstantSource.class)
        || type.isAssignableTo(RandomGenerator.class)
        || type.getPackageName().startsWith("java.util.random");
  }

  static boolean call(CodeUnitAccessTarget target) {
    JavaClass owner = target.getOwner();
    return CALLS.contains(owner.getName() + "." + target.getName())
        || asksForNow(target)
        || goesParallel(target)
        || shufflesWithItsOwnDice(target);
  }

  private static boolean asksForNow(CodeUnitAccessTarget target) {
    JavaClass owner = target.getOwner();
    return (owner.getPackageName().startsWith("java.time") && target.getName().equals("now"))
        || (owner.isEquivalentTo(Date.class)
            && target.getName().equals("<init>")
            && target.getRawParameterTypes().isEmpty());
  }

  private static boolean goesParallel(CodeUnitAccessTarget target) {
    return target.getName().startsWith("parallel")
        && Stream.of(Arrays.class, BaseStream.class, Collection.class)
            .anyMatch(target.getOwner()::isAssignableTo);
  }

  private static boolean shufflesWithItsOwnDice(CodeUnitAccessTarget target) {
    return target.getOwner().isEquivalentTo(Collections.class)
        && target.getName().equals("shuffle")
        && target.getRawParameterTypes().size() == 1;
  }
}
