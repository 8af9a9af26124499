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
    fun showsWhatTheRootScriptAddsBehindTheBackOfAModule(@TempDir folder: Path) {
        val build = CopiedBuild(folder.toFile()).prepending(
            "build.gradle.kts",
            """
            project(":superstep-core") {
                pluginManager.withPlugin("java-library") {
                    dependencies.add("implementation", "org.example:extra:1")
                }
            }
            """,
        )

        val drifts = BuildComparison.compare(MavenBuild.read(OurBuild.root), build.evaluate().asBuild())

        assertThat(drifts).singleElement().satisfies({
            assertThat(it.file()).isEqualTo("core/build.gradle.kts")
            assertThat(it.difference()).isEqualTo("scope compile: lacks [], adds [org.example:extra]")
        })
    }
}
