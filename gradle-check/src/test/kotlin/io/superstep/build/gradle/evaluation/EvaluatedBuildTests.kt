package io.superstep.build.gradle.evaluation

import io.superstep.build.gradle.BuildComparison
import io.superstep.build.gradle.GradleBuild
import io.superstep.build.gradle.MavenBuild
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir

@Timeout(5, unit = TimeUnit.MINUTES)
class EvaluatedBuildTests {

    private val evaluated = OurBuild.evaluated.asBuild()

    @Test
    fun saysWhatTheMavenBuildSays() {
        assertThat(BuildComparison.compare(MavenBuild.read(OurBuild.root), evaluated)).isEmpty()
    }

    @Test
    fun saysWhatTheTextOfTheScriptsSeemsToSay() {
        assertThat(evaluated).isEqualTo(GradleBuild.read(OurBuild.root))
    }

    @Test
    fun showsWhatTheRootScriptDoesBehindTheBackOfAModule(@TempDir folder: Path) {
        val build = CopiedBuild(folder.toFile()).prepending("build.gradle.kts", SNEAKY)

        val drifts = BuildComparison.compare(MavenBuild.read(OurBuild.root), build.evaluate().asBuild())

        assertThat(drifts.filter { it.file() == "core/build.gradle.kts" }.map { it.difference() })
            .containsExactlyInAnyOrder(
                "group and version: lacks [io.superstep:0.1.0-SNAPSHOT], adds [io.superstep:9.9, published as 8.8]",
                "scope compile: lacks [], adds [org.jspecify:jspecify with version 0.1]",
                "scope runtime: lacks [], adds [org.example:extra, org.example:late, org.example:latest]",
                "scope provided, or optional: lacks [], adds [org.example:platform with attributes]",
                "scope test: lacks [org.assertj:assertj-core, org.junit.jupiter:junit-jupiter," +
                    " org.junit.platform:junit-platform-launcher], adds [org.assertj:assertj-core with exclusions," +
                    " org.junit.jupiter:junit-jupiter with no transitive ones," +
                    " org.junit.platform:junit-platform-launcher with artifacts]",
                "dependencyManagement: lacks [], adds [org.example:constraint]",
                "no scope of Maven: lacks [], adds [annotationProcessor org.example:processor," +
                    " compileOnlyApi org.example:extra, runtimeClasspath excludes something," +
                    " runtimeClasspath resolves to something else, testRuntimeClasspath resolves to something else]",
            )
        assertThat(drifts.filter { it.file() == "bom/build.gradle.kts" })
            .allMatch { it.difference().contains("adds [io.superstep:superstep-core with version 9.9]") }
    }

    private companion object {

        const val SNEAKY = """
            project(":superstep-core") {
                pluginManager.withPlugin("java-library") {
                    dependencies.add("api", "org.jspecify:jspecify:0.1")
                    dependencies.add("implementation", "org.example:extra:1")
                    dependencies.add("annotationProcessor", "org.example:processor:1")
                    dependencies.add("compileOnlyApi", "org.example:extra:1")
                    dependencies.constraints.add("api", "org.example:constraint:1")
                    configurations.getByName("runtimeOnly").withDependencies {
                        add(dependencies.create("org.example:late:1"))
                    }
                    configurations.getByName("runtimeClasspath").exclude(mapOf("group" to "org.example"))
                    configurations.getByName("runtimeClasspath").resolutionStrategy.force("org.jspecify:jspecify:0.1")
                    configurations.getByName("testRuntimeClasspath").resolutionStrategy.eachDependency { useVersion("1") }
                }
                afterEvaluate {
                    version = "9.9"
                    fun declared(configuration: String, library: String) =
                        configurations.getByName(configuration).dependencies.single { it.name == library } as ModuleDependency
                    declared("testImplementation", "assertj-core").exclude(mapOf("group" to "org.example"))
                    declared("testImplementation", "junit-jupiter").isTransitive = false
                    declared("testRuntimeOnly", "junit-platform-launcher").artifact { type = "zip" }
                    dependencies.add("compileOnly", dependencies.platform("org.example:platform:1"))
                    configure<PublishingExtension> {
                        publications.withType(MavenPublication::class.java).all { version = "8.8" }
                    }
                }
            }
            gradle.projectsEvaluated {
                project(":superstep-core").dependencies.add("runtimeOnly", "org.example:latest:1")
            }
        """
    }
}
