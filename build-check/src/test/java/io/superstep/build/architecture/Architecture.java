package io.superstep.build.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.superstep.build.architecture.Reach.reachFor;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Timer;
import org.jspecify.annotations.NullMarked;
import reactor.core.publisher.Sinks;

/**
 * What every class of the library obeys, one method per rule.
 *
 * <p>The rules hold for a root package, so that the same ones can be held against {@code broken}, a
 * tree of classes that each break one of them. A rule whose module does not exist yet has nothing
 * to check and passes.
 */
final class Architecture {

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

  ArchRule everyPackageIsInItsModule() {
    return classes()
        .that()
        .resideInAPackage(root + "..")
        .should(rooms.lieInTheModuleOfTheirRoom())
        .because("a class gets the dependencies of the module it lies in, whatever its package");
  }

  ArchRule coreKnowsNoReactorThreadsOrInputOutput() {
    DescribedPredicate<JavaClass> outside = resideInAnyPackage(
            "reactor..",
            "java.net..",
            "java.nio.file..",
            "java.nio.channels..",
            "java.util.concurrent..")
        .and(not(resideInAPackage("java.util.concurrent.atomic..")))
        .or(resideInAPackage("java.io..").and(not(name("java.io.Serializable"))))
        .or(assignableTo(Thread.class))
        .or(assignableTo(Timer.class))
        .or(assignableTo(Process.class))
        .or(assignableTo(ProcessBuilder.class))
        .or(assignableTo(ProcessHandle.class))
        .or(assignableTo(Runtime.class));
    return noClasses()
        .that(rooms.core())
        .should()
        .dependOnClassesThat(outside)
        .because("core decides, the engine acts")
        .allowEmptyShould(true);
  }

  ArchRule coreIsRepeatable() {
    return noClasses()
        .that(rooms.core())
        .should()
        .dependOnClassesThat(describe("are clocks or dice", Unrepeatable::type))
        .orShould(reachFor("what may answer differently the next time", Unrepeatable::call))
        .because("ids and times come in as values, so that a replay gives the same result")
        .allowEmptyShould(true);
  }

  ArchRule theEngineNeverBlocks() {
    return noClasses()
        .that(rooms.engineAndStores().and(not(name(root + ".checkpoint.sqlite.Gate"))))
        .should(reachFor("something that blocks", Blocking::call))
        .because(
            "it runs on the threads of its users;" + " only Gate waits, for whoever closes a file")
        .allowEmptyShould(true);
  }

  ArchRule theEngineSubscribesOnlyWithASubscriberOfItsOwn() {
    return noClasses()
        .that(rooms.engineAndStores())
        .should(reachFor("a bare subscribe() or toFuture()", ReactorCalls::leavesTheChain))
        .because("they drop errors, context and cancellation")
        .allowEmptyShould(true);
  }

  ArchRule theEngineNeverPushes() {
    return noClasses()
        .that(rooms.engine().and(not(name(root + ".reactor.Stop"))))
        .should()
        .dependOnClassesThat(belongToAnyOf(Sinks.class))
        .orShould(reachFor("Flux.create or Flux.push", ReactorCalls::pushesUnasked))
        .because("a sink takes what it is given, whatever was asked for;"
            + " only Stop has one, which brings nothing but its end")
        .allowEmptyShould(true);
  }

  ArchRule theEnginePicksNoScheduler() {
    return noClasses()
        .that(rooms
            .engineAndStores()
            .and(not(name(root + ".reactor.Alarms")))
            .and(not(name(root + ".reactor.BlockingThreads")))
            .and(not(name(root + ".checkpoint.sqlite.StoreThreads")))
            .and(not(name(root + ".checkpoint.redis.DeliveryScheduler"))))
        .should(reachFor("a scheduler of its own choice", ReactorCalls::picksAScheduler))
        .orShould(reachFor("a scheduler it cannot see", ReactorCalls::hidesAScheduler))
        .because("only a node declared as blocking leaves its caller's thread, for BlockingThreads;"
            + " only Alarms says where time is counted by default;"
            + " only StoreThreads has threads of its own, to wait for a disk;"
            + " only DeliveryScheduler has threads of its own, to deliver results;"
            + " what waits is handed its scheduler, so that tests can turn the time")
        .allowEmptyShould(true);
  }

  ArchRule micrometerStaysInItsRoom() {
    return noClasses()
        .that(rooms.library().and(not(rooms.knowingMicrometer())))
        .should()
        .dependOnClassesThat(resideInAPackage("io.micrometer.."))
        .because("it is optional: all else has to work without it")
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
}
