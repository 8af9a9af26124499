package io.superstep.build.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
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

  private static final JavaClasses PRODUCTION = new ClassFileImporter()
      .withImportOption(new ImportOption.DoNotIncludeTests())
      .importPackages(ROOT);

  /** Each rule beside the class of the broken tree that breaks it. */
  static Stream<Arguments> rules() {
    return Stream.of(
        rule("arrows point one way", Architecture::arrowsPointOneWay, "state.LooksUpAtTheGraph"),
        rule("every package has a place", Architecture::arrowsPointOneWay, "attic.HasNoPlace"),
        rule(
            "packages are free of cycles",
            Architecture::packagesAreFreeOfCycles,
            "state.LooksUpAtTheGraph"),
        rule(
            "core knows no Reactor",
            Architecture::coreKnowsNoReactorThreadsOrInputOutput,
            "state.ReturnsMono"),
        rule(
            "core knows no threads",
            Architecture::coreKnowsNoReactorThreadsOrInputOutput,
            "state.StartsThread"),
        rule(
            "core knows no files",
            Architecture::coreKnowsNoReactorThreadsOrInputOutput,
            "state.ReadsFile"),
        rule(
            "core reads no clock",
            Architecture::coreReadsNoClockAndRollsNoDice,
            "state.ReadsClock"),
        rule("core rolls no dice", Architecture::coreReadsNoClockAndRollsNoDice, "state.RollsDice"),
        rule("the engine never blocks", Architecture::theEngineNeverBlocks, "reactor.Blocks"),
        rule("the engine never sleeps", Architecture::theEngineNeverBlocks, "reactor.Sleeps"),
        rule(
            "no bare subscribe()",
            Architecture::theEngineSubscribesOnlyWithASubscriberOfItsOwn,
            "reactor.Subscribes"),
        rule("the engine has no sinks", Architecture::theEngineHasNoSinks, "reactor.HoldsSink"),
        rule(
            "the engine picks no scheduler",
            Architecture::theEnginePicksNoScheduler,
            "reactor.PicksScheduler"),
        rule("nobody prints", Architecture::nobodyPrints, "state.Prints"),
        rule("names say what a type is", Architecture::namesSayWhatATypeIs, "graph.GraphManager"),
        rule(
            "every package is null-marked",
            Architecture::everyPackageIsNullMarked,
            "attic.HasNoPlace"));
  }

  private static Arguments rule(
      String name, Function<Architecture, ArchRule> rule, String breaker) {
    return Arguments.of(Named.of(name, rule), breaker);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rules")
  void theLibraryKeepsTheRule(Function<Architecture, ArchRule> rule, String breaker) {
    rule.apply(new Architecture(ROOT)).check(PRODUCTION);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("rules")
  void theRuleBites(Function<Architecture, ArchRule> rule, String breaker) {
    JavaClasses broken = new ClassFileImporter().importPackages(BROKEN);

    EvaluationResult result = rule.apply(new Architecture(BROKEN)).evaluate(broken);

    assertThat(result.getFailureReport().getDetails())
        .anyMatch(detail -> detail.contains(BROKEN + "." + breaker));
  }

  @Test
  void thereIsAnArchitectureToCheck() {
    assertThat(PRODUCTION).isNotEmpty();
    assertThat(PRODUCTION).noneMatch(type -> type.getName().startsWith(BROKEN));
  }
}
