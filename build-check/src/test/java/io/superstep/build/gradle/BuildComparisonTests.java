package io.superstep.build.gradle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BuildComparisonTests {

  private DriftedCopy builds;

  @BeforeEach
  void copyBothBuilds(@TempDir Path folder) throws IOException {
    builds = DriftedCopy.in(folder);
  }

  @Test
  void findsNothingInAFaithfulCopy() {
    assertThat(builds.drifts()).isEmpty();
  }

  @Test
  void namesADependencyTheScriptLacks() throws IOException {
    builds.replacing("core/build.gradle.kts", "api(libs.jspecify)", "");

    assertThat(builds.drifts())
        .containsExactly(new Drift(
            "core/build.gradle.kts",
            "core/pom.xml",
            "scope compile: lacks [org.jspecify:jspecify], adds []",
            "Declare in api exactly what the pom declares in scope compile, or change the pom."));
  }

  @Test
  void namesADependencyInTheWrongBucketOnBothSides() throws IOException {
    builds.replacing(
        "testkit/build.gradle.kts", "api(libs.reactor.core)", "runtimeOnly(libs.reactor.core)");

    assertThat(differences())
        .containsExactly(
            "scope compile: lacks [io.projectreactor:reactor-core], adds []",
            "scope runtime: lacks [], adds [io.projectreactor:reactor-core]");
  }

  @Test
  void takesAnImplementationForWhatItWouldBePublishedAs() throws IOException {
    builds.replacing(
        "testkit/build.gradle.kts", "api(libs.reactor.core)", "implementation(libs.reactor.core)");

    assertThat(differences())
        .containsExactly(
            "scope compile: lacks [io.projectreactor:reactor-core], adds []",
            "scope runtime: lacks [], adds [io.projectreactor:reactor-core]");
  }

  @Test
  void takesAnImplementationForCompileWhereNothingIsPublished() throws IOException {
    builds
        .replacing("testkit/build.gradle.kts", "`java-library`", "application")
        .replacing("testkit/build.gradle.kts", "api(libs", "implementation(libs")
        .replacing(
            "testkit/pom.xml",
            "<properties>",
            "<properties><maven.deploy.skip>true</maven.deploy.skip>");

    assertThat(differences()).noneMatch(difference -> difference.startsWith("scope"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"// %s", "/* %s */", "/*\n%s\n*/"})
  void ignoresADependencyThatIsCommentedOut(String comment) throws IOException {
    String declaration = "api(libs.jspecify)";
    builds.replacing("core/build.gradle.kts", declaration, comment.formatted(declaration));

    assertThat(differences())
        .containsExactly("scope compile: lacks [org.jspecify:jspecify], adds []");
  }

  @Test
  void takesAnOptionalDependencyForCompileOnly() throws IOException {
    builds.replacing(
        "core/pom.xml",
        "<artifactId>jspecify</artifactId>",
        "<artifactId>jspecify</artifactId><optional>true</optional>");

    assertThat(differences())
        .containsExactly(
            "scope compile: lacks [], adds [org.jspecify:jspecify]",
            "scope provided, or optional: lacks [org.jspecify:jspecify], adds []");
  }

  @Test
  void namesAModuleOnlyMavenKnows() throws IOException {
    builds.replacing("settings.gradle.kts", ", \"testkit\"", "");

    assertThat(builds.drifts()).first().hasToString("""

            settings.gradle.kts has drifted from pom.xml: modules: lacks [testkit], adds []
                fix include(...) the folders that <modules> names, and no others.""");
  }

  @Test
  void namesAVersionThatWasRaisedInOnePlaceOnly() throws IOException {
    builds.replacing("gradle/libs.versions.toml", "junit = \"", "junit = \"1");

    assertThat(builds.drifts()).extracting(Drift::file).containsOnly("gradle/libs.versions.toml");
    assertThat(differences()).hasSize(2).allMatch(difference -> difference.contains("junit"));
  }

  @Test
  void namesAVersionOnlyGradleKnows() throws IOException {
    builds.replacing("gradle/libs.versions.toml", "[versions]", "[versions]\nguava = \"1\"");

    assertThat(differences()).containsExactly("[versions]: lacks [], adds [guava = 1]");
  }

  @Test
  void namesAnotherJavaRelease() throws IOException {
    builds.replacing("build.gradle.kts", "options.release = 17", "options.release = 21");

    assertThat(differences()).containsExactly("Java release: lacks [17], adds [21]");
  }

  @Test
  void namesAModuleWhosePomLeavesTheCommonJavaRelease() throws IOException {
    builds.replacing(
        "core/pom.xml",
        "<properties>",
        "<properties><maven.compiler.release>21</maven.compiler.release>");

    assertThat(differences()).containsExactly("Java release: lacks [17, 21], adds [17]");
  }

  @Test
  void namesAnotherVersionOfTheProject() throws IOException {
    builds.replacing("build.gradle.kts", "version = \"", "version = \"9.");

    assertThat(differences()).first().asString().startsWith("group and version: ");
  }

  @Test
  void namesAModuleWithAVersionOfItsOwn() throws IOException {
    builds.replacing(
        "core/pom.xml",
        "<artifactId>superstep-core</artifactId>",
        "<artifactId>superstep-core</artifactId><version>9.9</version>");

    assertThat(differences())
        .containsExactly(
            "group and version: lacks [io.superstep:9.9], adds [io.superstep:0.1.0-SNAPSHOT]");
  }

  @Test
  void namesAVersionThatTheBomPromisesAndNobodyBuilds() throws IOException {
    builds.replacing("bom/pom.xml", "${project.version}", "9.9");

    assertThat(differences())
        .anySatisfy(difference -> assertThat(difference)
            .startsWith("constraints: lacks [")
            .contains(
                "io.superstep:superstep-core, ", "io.superstep:superstep-core with version 9.9, "));
  }

  @Test
  void namesADependencyThatTheParentGivesToEveryModule() throws IOException {
    builds.replacing("pom.xml", "<dependencyManagement>", """
        <dependencies>
          <dependency>
            <groupId>org.example</groupId>
            <artifactId>extra</artifactId>
          </dependency>
        </dependencies>
        <dependencyManagement>""");

    assertThat(differences()).contains("scope compile: lacks [org.example:extra], adds []");
  }

  @Test
  void namesAnotherArtifact() throws IOException {
    builds.replacing("settings.gradle.kts", "\"superstep-$", "\"step-$");

    assertThat(differences()).contains("artifact: lacks [superstep-core], adds [step-core]");
  }

  @Test
  void namesAModuleThatTheBomOfBothBuildsForgot() throws IOException {
    builds
        .replacing("bom/build.gradle.kts", "api(project(\":superstep-core\"))", "")
        .replacing("bom/pom.xml", "superstep-core", "superstep-cor");

    assertThat(builds.drifts())
        .extracting(Drift::file)
        .containsExactly("bom/build.gradle.kts", "bom/pom.xml", "bom/build.gradle.kts");
  }

  @Test
  void namesALibraryThatGradleDoesNotPublish() throws IOException {
    builds.replacing("testkit/build.gradle.kts", "`java-library`", "application");

    assertThat(differences()).contains("published: lacks [true], adds [false]");
  }

  @Test
  void refusesALibraryTheCatalogDoesNotHave() throws IOException {
    builds.replacing("core/build.gradle.kts", "libs.jspecify", "libs.jspecfy");

    assertThatThrownBy(builds::drifts)
        .hasMessageContaining("core/build.gradle.kts")
        .hasMessageContaining("'libs.jspecfy' is neither a project nor one of");
  }

  @Test
  void refusesALineItCannotRead() throws IOException {
    builds.replacing("core/build.gradle.kts", "api(libs.jspecify)", "libs.all.forEach { api(it) }");

    assertThatThrownBy(builds::drifts)
        .hasMessageContaining("core/build.gradle.kts")
        .hasMessageContaining("'libs.all.forEach { api(it) }'");
  }

  @Test
  void refusesAConfigurationWithoutACounterpart() throws IOException {
    builds.replacing(
        "core/build.gradle.kts", "api(libs.jspecify)", "compileOnlyApi(libs.jspecify)");

    assertThatThrownBy(builds::drifts)
        .hasMessageContaining("core/build.gradle.kts")
        .hasMessageContaining("'compileOnlyApi' has no counterpart in Maven");
  }

  @Test
  void refusesAScopeWithoutACounterpart() throws IOException {
    builds.replacing("core/pom.xml", "<scope>test</scope>", "<scope>system</scope>");

    assertThatThrownBy(builds::drifts)
        .hasMessageContaining("superstep-core")
        .hasMessageContaining("scope system of org.assertj:assertj-core:jar has no counterpart");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<version>1</version>",
        "<type>test-jar</type>",
        "<classifier>tests</classifier>",
        "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"
      })
  void refusesADependencyThatIsMoreThanItsName(String more) throws IOException {
    builds.replacing(
        "core/pom.xml",
        "<artifactId>jspecify</artifactId>",
        "<artifactId>jspecify</artifactId>" + more);

    assertThatThrownBy(builds::drifts)
        .hasMessageContaining("superstep-core")
        .hasMessageContaining("has a version, type, classifier or exclusion of its own");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<scope>test</scope>",
        "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"
      })
  void refusesAManagedLibraryThatIsMoreThanItsVersion(String more) throws IOException {
    builds.replacing(
        "pom.xml", "<artifactId>jspecify</artifactId>", "<artifactId>jspecify</artifactId>" + more);

    assertThatThrownBy(builds::drifts)
        .hasMessageContaining("superstep-parent")
        .hasMessageContaining("is managed with more than a version");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "version = \"9.9\"",
        "configurations.all { }",
        "tasks { dependencies { } }",
        "project.dependencies.add(\"api\", \"org.example:extra:1\")"
      })
  void refusesAllButTheTwoBlocksOfAModule(String more) throws IOException {
    builds.replacing("core/build.gradle.kts", "dependencies {", more + "\n\ndependencies {");

    assertThatThrownBy(builds::drifts)
        .hasMessageContaining("core/build.gradle.kts cannot be compared with the Maven build");
  }

  @Test
  void refusesAPluginItCannotRead() throws IOException {
    builds.replacing("core/build.gradle.kts", "`java-library`", "`java-library` apply false");

    assertThatThrownBy(builds::drifts).hasMessageContaining("'`java-library` apply false'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dependencies{", "dependencies  {", "dependencies\n{"})
  void seesABlockHoweverItIsSetOut(String opening) throws IOException {
    builds
        .replacing("core/build.gradle.kts", "dependencies {", opening)
        .replacing("core/build.gradle.kts", "api(libs.jspecify)", "");

    assertThat(differences())
        .containsExactly("scope compile: lacks [org.jspecify:jspecify], adds []");
  }

  @Test
  void refusesAVersionThatIsSetTwice() throws IOException {
    builds.replacing("build.gradle.kts", "subprojects {", "subprojects {\n    version = \"9.9\"");

    assertThatThrownBy(builds::drifts).hasMessageContaining("'version = ...' comes 2 times");
  }

  @Test
  void refusesASecondBlockOfDependencies() throws IOException {
    builds.replacing("core/build.gradle.kts", "plugins {", "dependencies { }\n\nplugins {");

    assertThatThrownBy(builds::drifts)
        .hasMessageContaining("core/build.gradle.kts")
        .hasMessageContaining("'dependencies {' comes twice");
  }

  @Test
  void refusesAModuleWithoutAScript() throws IOException {
    builds.replacing("settings.gradle.kts", "\"core\"", "\"core\", \"extra\"");

    assertThatThrownBy(builds::drifts)
        .hasMessageContaining("extra/build.gradle.kts does not exist");
  }

  private List<String> differences() {
    return builds.drifts().stream().map(Drift::difference).toList();
  }
}
