package io.superstep.build.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.function.Predicate;

/** How code reaches for other code: it calls it, constructs it, or refers to it by {@code ::}. */
final class Reach {

  private Reach() {}

  static ArchCondition<JavaClass> reachFor(String what, Predicate<CodeUnitAccessTarget> forbidden) {
    return new ArchCondition<>("reach for " + what) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (JavaCodeUnitAccess<?> access : type.getCodeUnitAccessesFromSelf()) {
          events.add(new SimpleConditionEvent(
              type, forbidden.test(access.getTarget()), access.getDescription()));
        }
      }
    };
  }
}
