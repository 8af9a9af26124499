package io.superstep.build.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import java.time.Duration;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Calls of Reactor by which a user loses an error, the demand, or the choice of the thread. */
final class ReactorCalls {

  private ReactorCalls() {}

  /** {@code subscribe()} with anything but a subscriber, and {@code toFuture()}. */
  static boolean leavesTheChain(CodeUnitAccessTarget target) {
    return target.getOwner().isAssignableTo(Publisher.class)
        && (target.getName().equals("toFuture")
            || (target.getName().equals("subscribe") && !takes(target, Subscriber.class)));
  }

  static boolean pushesUnasked(CodeUnitAccessTarget target) {
    return target.getOwner().isAssignableTo(Flux.class) && target.getName().matches("create|push");
  }

  static boolean picksAScheduler(CodeUnitAccessTarget target) {
    return target.getOwner().isEquivalentTo(Schedulers.class)
        && !target.getName().equals("boundedElastic");
  }

  /** Whatever waits for a time has a scheduler; where it takes none, it has one of its own. */
  static boolean hidesAScheduler(CodeUnitAccessTarget target) {
    JavaClass owner = target.getOwner();
    return (owner.getPackageName().startsWith("reactor.") || owner.isAssignableTo(Publisher.class))
        && takes(target, Duration.class)
        && !takes(target, Scheduler.class);
  }

  private static boolean takes(CodeUnitAccessTarget target, Class<?> type) {
    return target.getRawParameterTypes().stream()
        .anyMatch(parameter -> parameter.isAssignableTo(type));
  }
}
