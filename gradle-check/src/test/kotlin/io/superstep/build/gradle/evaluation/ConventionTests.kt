package io.superstep.build.gradle.evaluation

import io.superstep.build.gradle.MavenBuild
import java.util.Properties
import java.util.concurrent.TimeUnit
import org.assertj.core.api.Assertions.assertThat
import org.codehaus.plexus.util.xml.Xpp3Dom
import org.gradle.api.Project
import org.gradle.api.plugins.JavaLibraryPlugin
import org.gradle.api.tasks.bundling.AbstractArchiveTask
import org.gradle.api.tasks.bundling.Jar
import org.gradle.api.tasks.compile.JavaCompile
import org.gradle.api.tasks.testing.Test as TestTask
import org.jetbrains.kotlin.gradle.dsl.KotlinJvmProjectExtension
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.condition.EnabledForJreRange
import org.junit.jupiter.api.condition.JRE
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

/** What the root script makes of every library, and where the parent pom says the same. */
@Timeout(5, unit = TimeUnit.MINUTES)
class ConventionTests {

    @Test
    fun librariesComeFromMavenCentralOnly() {
        val repositories = OurBuild.evaluated.settings.dependencyResolutionManagement.repositories

        assertThat(repositories.names).containsExactly("MavenRepo")
    }

    @ParameterizedTest
    @MethodSource("libraries")
    fun sourcesAreUtf8AndKeepTheirParameterNames(library: Project) {
        assertThat(library.tasks.withType(JavaCompile::class.java)).isNotEmpty.allSatisfy {
            assertThat(it.options.encoding).isEqualTo("UTF-8")
            assertThat(it.options.compilerArgs).contains("-parameters")
        }
    }

    @ParameterizedTest
    @MethodSource("libraries")
    @EnabledForJreRange(max = JRE.JAVA_23, disabledReason = "Gradle 8.11 cannot create a test task on a later JDK.")
    fun testsRunOnTheJUnitPlatformWithTheSettingsOfSurefire(library: Project) {
        val test = library.tasks.getByName("test") as TestTask

        assertThat(test.testFramework.javaClass.simpleName).startsWith("JUnitPlatform")
        assertThat(test.systemProperties).containsAllEntriesOf(junitSettingsOfSurefire())
    }

    @ParameterizedTest
    @MethodSource("libraries")
    @EnabledForJreRange(max = JRE.JAVA_23, disabledReason = "Gradle 8.11 cannot create a test task on a later JDK.")
    fun testsReceiveThePropertiesOfTheHostileSuites(library: Project) {
        val test = library.tasks.getByName("test") as TestTask
        val seed = "superstep.hostile.seed"

        assertThat(test.systemProperties).containsEntry(seed, System.getProperty(seed))
    }

    @ParameterizedTest
    @MethodSource("libraries")
    @EnabledForJreRange(max = JRE.JAVA_23, disabledReason = "Gradle 8.11 cannot create a test task on a later JDK.")
    fun testsRunWithTheFlagsBlockHoundNeedsOnThisJdk(library: Project) {
        val test = library.tasks.getByName("test") as TestTask

        assertThat(test.jvmArgs).isEqualTo(System.getProperty("blockhound.argLine").split(" "))
    }

    @Test
    fun theScriptKnowsTheFlagsBlockHoundNeedsOnAnyJdk() {
        val flags = MavenBuild.pom(OurBuild.root).profiles
            .mapNotNull { it.properties.getProperty("blockhound.argLine") }
            .flatMap { it.split(" ") }
            .map { "\"$it\"" }

        assertThat(OurBuild.root.resolve("build.gradle.kts")).content().contains(flags)
    }

    @ParameterizedTest
    @MethodSource("libraries")
    fun testsSeeWhatIsOptionalToUsers(library: Project) {
        val configurations = library.configurations

        assertThat(configurations.getByName("testImplementation").extendsFrom)
            .contains(configurations.getByName("compileOnly"))
    }

    @ParameterizedTest
    @MethodSource("libraries")
    fun theJarNamesTheModuleThePomNames(library: Project) {
        val jar = library.tasks.getByName("jar") as Jar
        val pom = MavenBuild.pom(library.projectDir.toPath())

        assertThat(jar.manifest.attributes)
            .containsEntry("Automatic-Module-Name", pom.properties.getProperty("automatic.module.name"))
    }

    @ParameterizedTest
    @MethodSource("libraries")
    fun sourcesAndJavadocArePublishedToo(library: Project) {
        assertThat(library.tasks.names).contains("sourcesJar", "javadocJar")
    }

    @ParameterizedTest
    @MethodSource("libraries")
    fun twoBuildsOfOneCommitGiveTheSameBytes(library: Project) {
        assertThat(library.tasks.withType(AbstractArchiveTask::class.java)).isNotEmpty.allSatisfy {
            assertThat(it.isPreserveFileTimestamps).isFalse
            assertThat(it.isReproducibleFileOrder).isTrue
        }
    }

    @Test
    fun kotlinIsCompiledWithTheFlagsOfMaven() {
        val kotlin = OurBuild.evaluated.modules.getValue("kotlin")
            .extensions.getByType(KotlinJvmProjectExtension::class.java)
        val release = MavenBuild.pom(OurBuild.root).properties.getProperty("maven.compiler.release")
        val flags = listOf(
            MavenBuild.pom(OurBuild.root).build.pluginManagement.pluginsAsMap,
            MavenBuild.pom(OurBuild.root.resolve("kotlin")).build.pluginsAsMap,
        ).flatMap { plugins ->
            val compiler = plugins.getValue("org.jetbrains.kotlin:kotlin-maven-plugin")
            (compiler.configuration as Xpp3Dom).getChild("args").children.map { it.value }
        }

        assertThat(kotlin.isApiExplicit).isTrue
        assertThat(kotlin.compilerOptions.jvmTarget.get().target).isEqualTo(release)
        assertThat(kotlin.compilerOptions.freeCompilerArgs.get())
            .containsExactlyInAnyOrderElementsOf(
                flags.filter { it != "-Werror" }.map { it.replace("\${maven.compiler.release}", release) },
            )
    }

    private fun junitSettingsOfSurefire(): Map<String, Any> {
        val surefire = MavenBuild.pom(OurBuild.root).build.pluginManagement.pluginsAsMap
            .getValue("org.apache.maven.plugins:maven-surefire-plugin")
        val settings = (surefire.configuration as Xpp3Dom).getChild("properties").getChild("configurationParameters")
        return Properties().apply { load(settings.value.reader()) }.mapKeys { it.key.toString() }
    }

    private companion object {

        @JvmStatic
        fun libraries(): List<Project> =
            OurBuild.evaluated.modules.values.filter { it.plugins.hasPlugin(JavaLibraryPlugin::class.java) }
    }
}
