package io.superstep.build.architecture;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTests {

  private static final String ROOT = "io.superstep";
  private static final String BROKEN = "io.superstep.build.architecture.broken";
  private static final Modules MODULES = new Modules(Path.of(".."));

  private static final JavaClasses PRODUCTION = new ClassFileImporter()
      .withImportOption(new ImportOption.DoNotIncludeTests())
      .importPackages(ROOT);

  private static final JavaClasses BROKEN_TREE = new ClassFileImporter().importPackages(BROKEN);

  /** Each rule beside the classes of the broken tree that break it. */
  static Stream<Arguments> rules() {
    return Stream.of(
        rule(
            "arrows point one way",
            Architecture::arrowsPointOneWay,
            "state.LooksUpAtTheGraph",
            "reactor.LooksUpAtMicrometer",
            "attic.HasNoPlace"),
        rule(
            "packages are free of cycles",
            Architecture::packagesAreFreeOfCycles,
            "state.LooksUpAtTheGraph"),
        rule(
            "every package is in its module",
            Architecture::everyPackageIsInItsModule,
            "state.LiesInAnotherModule"),
        rule(
            "core knows no Reactor, threads or input and output",
            Architecture::coreKnowsNoReactorThreadsOrInputOutput,
            "state.ReturnsMono",
            "state.StartsThreads",
            "state.TouchesTheOutside"),
        rule(
            "core is repeatable",
            Architecture::coreIsRepeatable,
            "state.AsksTheMachine",
            "state.RacesItself",
            "state.ReadsClocks",
            "state.RollsDice"),
        rule(
            "the engine never blocks, nor does a store",
            Architecture::theEngineNeverBlocks,
            "reactor.Blocks",
            "reactor.HoldsThread",
            "reactor.WaitsForOthers",
            "reactor.micrometer.Sleeps",
            "checkpoint.redis.Sleeps",
            "checkpoint.sqlite.Sleeps"),
        rule(
            "the engine subscribes only with a subscriber of its own",
            Architecture::theEngineSubscribesOnlyWithASubscriberOfItsOwn,
            "reactor.Subscribes"),
        rule("the engine never pushes", Architecture::theEngineNeverPushes, "reactor.Pushes"),
        rule(
            "the engine picks no scheduler",
            Architecture::theEnginePicksNoScheduler,
            "reactor.PicksSchedulers"),
        rule(
            "Micrometer stays in its room",
            Architecture::micrometerStaysInItsRoom,
            "reactor.KnowsMicrometer"),
        rule("nobody prints", Architecture::nobodyPrints, "state.Prints"),
        rule(
            "names say what a type is",
            Architecture::namesSayWhatATypeIs,
            "graph.AbstractGraph",
            "graph.GraphHelper",
            "graph.GraphImpl",
            "graph.GraphManager",
            "graph.GraphUtil",
            "graph.NodeUtils",
            "graph.common.Graph",
            "graph.impl.Graph",
            "graph.util.Graph"),
        rule(
            "every package is null-marked",
            Architecture::everyPackageIsNullMarked,
            "attic.HasNoPlace"));
  }

  private static Arguments rule(
      String name, Function<Architecture, ArchRule> rule, String... breakers) {
    return Arguments.of(Named.of(name, rule), List.of(breakers));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void theLibraryKeepsTheRule(Function<Architecture, ArchRule> rule) {
    rule.apply(new Architecture(ROOT)).check(PRODUCTION);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("rules")
  void theRuleBites(Function<Architecture, ArchRule> rule, List<String> breakers) {
    List<String> violations = rule.apply(new Architecture(BROKEN))
        .evaluate(BROKEN_TREE)
        .getFailureReport()
        .getDetails();

    assertThat(breakers.stream().flatMap(ArchitectureTests::breaches))
        .allSatisfy(
            breach -> assertThat(violations).anyMatch(violation -> violation.contains(breach)));
  }

  /** Each method of a breaker breaks the rule in its own way; without methods, the class does. */
  private static Stream<String> breaches(String breaker) {
    JavaClass type = BROKEN_TREE.get(BROKEN + "." + breaker);
    return type.getMethods().isEmpty()
        ? Stream.of(type.getName())
        : type.getMethods().stream().map(JavaMethod::getFullName);
  }

  @Test
  void everyRuleHasItsBreaker() {
    assertThat(Architecture.class.getDeclaredMethods())
        .filteredOn(method -> method.getReturnType() == ArchRule.class)
        .hasSize((int) rules().count());
  }

  @Test
  void thereIsAnArchitectureToCheck() {
    assertThat(PRODUCTION).isNotEmpty();
    assertThat(PRODUCTION).noneMatch(type -> type.getName().startsWith(BROKEN));
  }

  @Test
  void noModuleEscapesTheRules() {
    assertThat(MODULES.escaping(PRODUCTION.stream().map(Origin::moduleOf).collect(toSet())))
        .as("modules without a class on this test's class path: add them to build-check/pom.xml")
        .isEmpty();
  }

  @Test
  void noSourceEscapesTheRules() {
    assertThat(MODULES.strayingFrom("io/superstep"))
        .as("sources outside of the package that the rules look at")
        .isEmpty();
  }
}
