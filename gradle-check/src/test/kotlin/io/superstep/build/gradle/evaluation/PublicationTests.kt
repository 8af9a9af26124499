package io.superstep.build.gradle.evaluation

import io.superstep.build.gradle.Bucket
import io.superstep.build.gradle.MavenBuild
import java.util.concurrent.TimeUnit
import org.assertj.core.api.Assertions.assertThat
import org.gradle.api.Project
import org.gradle.api.publish.PublishingExtension
import org.gradle.api.publish.maven.internal.dependencies.MavenDependency
import org.gradle.api.publish.maven.internal.publication.MavenPomInternal
import org.gradle.api.publish.maven.internal.publication.MavenPublicationInternal
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/** The pom that Gradle would publish for a module, beside the one that Maven publishes. */
@Timeout(5, unit = TimeUnit.MINUTES)
class PublicationTests {

    private val maven = MavenBuild.read(OurBuild.root)

    @ParameterizedTest
    @MethodSource("published")
    fun saysWhatTheModuleIs(module: Project) {
        val pom = MavenBuild.pom(module.projectDir.toPath())

        assertThat(module.pom.name.get()).isEqualTo(pom.name)
        assertThat(module.pom.description.get()).isEqualTo(pom.description)
    }

    @ParameterizedTest
    @MethodSource("published")
    fun saysUnderWhichLicenceItComes(module: Project) {
        assertThat(module.pom.licenses.map { it.name.get() to it.url.get() })
            .isEqualTo(MavenBuild.pom(OurBuild.root).licenses.map { it.name to it.url })
    }

    @ParameterizedTest
    @MethodSource("published")
    fun bringsWhatTheModuleNeedsInTheSameScopeAndVersion(module: Project) {
        val dependencies = maven.modules.getValue(module.projectDir.name).dependencies

        assertThat(module.pom.dependencies.get().dependencies.map { "${it.scope} ${it.coordinates}" })
            .containsExactlyInAnyOrderElementsOf(
                dependencies.getValue(Bucket.COMPILE).map { "compile ${versioned(it)}" } +
                    dependencies.getValue(Bucket.RUNTIME).map { "runtime ${versioned(it)}" },
            )
        assertThat(module.pom.dependencies.get().dependencyManagement.map { it.coordinates })
            .containsExactlyInAnyOrderElementsOf(dependencies.getValue(Bucket.CONSTRAINT).map(::versioned))
    }

    private fun versioned(module: String) = "$module:${maven.libraries[module] ?: maven.version}"

    private val MavenDependency.coordinates: String
        get() = "$groupId:$artifactId:$version"

    private val Project.pom: MavenPomInternal
        get() = extensions.getByType(PublishingExtension::class.java)
            .publications.withType(MavenPublicationInternal::class.java).single().pom

    private companion object {

        @JvmStatic
        fun published(): List<Project> =
            OurBuild.evaluated.modules.values.filter { it.pluginManager.hasPlugin("maven-publish") }
    }
}
