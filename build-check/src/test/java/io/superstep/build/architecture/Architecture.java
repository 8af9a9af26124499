package io.superstep.build.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.MethodCallTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.Lock;
import java.util.function.Predicate;
import org.jspecify.annotations.NullMarked;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * What every class of the library obeys, one method per rule.
 *
 * <p>The rules hold for a root package, so that the same ones can be held against {@code broken}, a
 * tree of classes that each break one of them. A rule whose module does not exist yet has nothing
 * to check and passes.
 */
final class Architecture {

  private static final Set<String> CLOCKS_AND_DICE = Set.of(
      "java.lang.System.currentTimeMillis",
      "java.lang.System.nanoTime",
      "java.lang.Math.random",
      "java.util.UUID.randomUUID");

  private static final Set<String> BLOCKING_OPERATORS =
      Set.of("block", "blockFirst", "blockLast", "blockOptional", "toIterable", "toStream");

  private final String root;
  private final Rooms rooms;

  Architecture(String root) {
    this.root = root;
    this.rooms = new Rooms(root);
  }

  ArchRule arrowsPointOneWay() {
    return classes()
        .that()
        .resideInAPackage(root + "..")
        .should(rooms.onlyUseTheRoomsBelow())
        .because("a reader can then start at the bottom and never has to look up");
  }

  ArchRule packagesAreFreeOfCycles() {
    return slices().matching(root + ".(**)").should().beFreeOfCycles().allowEmptyShould(true);
  }

  ArchRule coreKnowsNoReactorThreadsOrInputOutput() {
    DescribedPredicate<JavaClass> outside = resideInAnyPackage(
            "reactor..",
            "java.net..",
            "java.nio.file..",
            "java.nio.channels..",
            "java.util.concurrent..")
        .and(DescribedPredicate.not(resideInAPackage("java.util.concurrent.atomic..")))
        .or(resideInAPackage("java.io..")
            .and(DescribedPredicate.not(HasName.Predicates.name("java.io.Serializable"))))
        .or(JavaClass.Predicates.assignableTo(Thread.class));
    return noClasses()
        .that(rooms.core())
        .should()
        .dependOnClassesThat(outside)
        .because("core decides, the engine acts")
        .allowEmptyShould(true);
  }

  ArchRule coreReadsNoClockAndRollsNoDice() {
    return noClasses()
        .that(rooms.core())
        .should(call("the clock or a random source", Architecture::readsClockOrDice))
        .because("ids and times come in as values, so that a replay gives the same result")
        .allowEmptyShould(true);
  }

  ArchRule theEngineNeverBlocks() {
    return noClasses()
        .that(rooms.engineAndStores())
        .should(call("something that blocks", Architecture::blocks))
        .because("it runs on the threads of its users")
        .allowEmptyShould(true);
  }

  ArchRule theEngineSubscribesOnlyWithASubscriberOfItsOwn() {
    return noClasses()
        .that(rooms.engineAndStores())
        .should(call("a bare subscribe()", Architecture::subscribesBare))
        .because("a bare subscribe() drops errors, context and cancellation")
        .allowEmptyShould(true);
  }

  ArchRule theEngineHasNoSinks() {
    return noClasses()
        .that(rooms.engine())
        .should()
        .dependOnClassesThat(JavaClass.Predicates.belongToAnyOf(Sinks.class))
        .because("a sink takes what it is given, whatever was asked for")
        .allowEmptyShould(true);
  }

  ArchRule theEnginePicksNoScheduler() {
    return noClasses()
        .that(rooms.engine())
        .should(call(
            "a scheduler of its own choice",
            target -> target.getOwner().isEquivalentTo(Schedulers.class)
                && !target.getName().equals("boundedElastic")))
        .because("only a node declared as blocking leaves its caller's thread, for boundedElastic")
        .allowEmptyShould(true);
  }

  ArchRule nobodyPrints() {
    return noClasses()
        .that(rooms.library())
        .should(ACCESS_STANDARD_STREAMS)
        .because("events are our log")
        .allowEmptyShould(true);
  }

  ArchRule namesSayWhatATypeIs() {
    return noClasses()
        .that()
        .resideInAPackage(root + "..")
        .should()
        .haveSimpleNameStartingWith("Abstract")
        .orShould()
        .haveNameMatching(".*(Impl|Manager|Utils?|Helper)$")
        .orShould()
        .resideInAnyPackage("..util..", "..common..", "..impl..")
        .because("a newcomer guesses the room from the name");
  }

  ArchRule everyPackageIsNullMarked() {
    return classes().that().resideInAPackage(root + "..").should(beInANullMarkedPackage());
  }

  private static ArchCondition<JavaClass> beInANullMarkedPackage() {
    return new ArchCondition<>("be in a package whose package-info.java says @NullMarked") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        boolean marked = type.getPackage().tryGetPackageInfo().isPresent()
            && type.getPackage().getPackageInfo().isAnnotatedWith(NullMarked.class);
        events.add(
            new SimpleConditionEvent(type, marked, type.getName() + (marked ? " is" : " is not")));
      }
    };
  }

  private static boolean readsClockOrDice(MethodCallTarget target) {
    JavaClass owner = target.getOwner();
    return CLOCKS_AND_DICE.contains(owner.getName() + "." + target.getName())
        || (owner.getPackageName().equals("java.time") && target.getName().equals("now"))
        || owner.isAssignableTo(Random.class)
        || owner.getPackageName().startsWith("java.util.random");
  }

  private static boolean blocks(MethodCallTarget target) {
    JavaClass owner = target.getOwner();
    return switch (target.getName()) {
      case "sleep", "join" -> owner.isAssignableTo(Thread.class);
      case "wait" -> true;
      case "get" -> owner.isAssignableTo(Future.class);
      case "await", "acquire" ->
        owner.isAssignableTo(CountDownLatch.class) || owner.isAssignableTo(Semaphore.class);
      case "lock" -> owner.isAssignableTo(Lock.class);
      case "take", "put" -> owner.isAssignableTo(BlockingQueue.class);
      default ->
        BLOCKING_OPERATORS.contains(target.getName()) && owner.isAssignableTo(Publisher.class);
    };
  }

  private static boolean subscribesBare(MethodCallTarget target) {
    return target.getName().equals("subscribe")
        && target.getOwner().isAssignableTo(Publisher.class)
        && target.getRawParameterTypes().stream()
            .noneMatch(parameter -> parameter.isAssignableTo(Subscriber.class));
  }

  private static ArchCondition<JavaClass> call(String what, Predicate<MethodCallTarget> forbidden) {
    return new ArchCondition<>("call " + what) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (JavaMethodCall call : type.getMethodCallsFromSelf()) {
          events.add(new SimpleConditionEvent(
              type, forbidden.test(call.getTarget()), call.getDescription()));
        }
      }
    };
  }
}
