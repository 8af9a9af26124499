package io.superstep.build.gradle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
            "Declare in api or implementation exactly what the pom declares in scope compile,"
                + " or change the pom."));
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
  void ignoresADependencyThatIsCommentedOut() throws IOException {
    builds.replacing("core/build.gradle.kts", "api(libs.jspecify)", "// api(libs.jspecify)");

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
