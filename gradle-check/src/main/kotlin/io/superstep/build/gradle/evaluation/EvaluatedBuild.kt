package io.superstep.build.gradle.evaluation

import io.superstep.build.gradle.Bucket
import io.superstep.build.gradle.Build
import io.superstep.build.gradle.BuildModule
import java.io.File
import java.util.SortedSet
import org.gradle.api.Project
import org.gradle.api.initialization.ProjectDescriptor
import org.gradle.api.initialization.Settings
import org.gradle.api.publish.PublishingExtension
import org.gradle.api.publish.maven.MavenPublication
import org.gradle.api.tasks.compile.JavaCompile
import org.gradle.testfixtures.ProjectBuilder

/**
 * The Gradle build below one folder after all its scripts have run, as real projects of Gradle.
 *
 * @property modules a project by its folder
 */
class EvaluatedBuild private constructor(
    val settings: Settings,
    private val root: Project,
    val modules: Map<String, Project>,
    private val libraries: LibraryAccessors,
) {
    /** What this build says of all that Maven must say too. */
    fun asBuild() = Build(
        root.group.toString(),
        root.version.toString(),
        releases().joinToString(", "),
        libraries.versions().toSortedMap(),
        libraries.libraries().toSortedMap(),
        modules.mapValues { (_, project) -> project.asModule() }.toSortedMap(),
    )

    private fun releases() =
        modules.values
            .flatMap { it.tasks.withType(JavaCompile::class.java) }
            .map { it.options.release.get() }
            .distinct()

    private fun Project.asModule(): BuildModule {
        val publication = publication()
        return BuildModule(
            publication?.artifactId ?: name,
            publication != null,
            Bucket.entries.associateWith { dependenciesIn(it) },
        )
    }

    private fun Project.publication(): MavenPublication? =
        extensions.findByType(PublishingExtension::class.java)
            ?.publications
            ?.withType(MavenPublication::class.java)
            ?.single()

    private fun Project.dependenciesIn(bucket: Bucket): SortedSet<String> =
        if (bucket == Bucket.CONSTRAINT) {
            configurations.flatMap { it.dependencyConstraints }.map { "${it.group}:${it.name}" }
        } else {
            bucket.configurations()
                .mapNotNull(configurations::findByName)
                .flatMap { it.dependencies }
                .map { "${it.group}:${it.name}" }
        }.toSortedSet()

    companion object {

        /** Evaluates the build below [folder]; what is generated on the way goes below [work]. */
        fun of(folder: File, work: File): EvaluatedBuild {
            val scripts = ScriptRunner(folder)
            val evaluated = EvaluatedSettings(folder, work, scripts)
            val libraries = LibraryAccessors.read(
                folder.resolve("gradle/libs.versions.toml"),
                evaluated.settings.dependencyResolutionManagement.versionCatalogs.maybeCreate("libs"),
                evaluated.problems,
                work.resolve("accessors").apply { mkdirs() },
            )
            val rootProject = evaluated.settings.rootProject
            val root = project(rootProject).withGradleUserHomeDir(work.resolve("home")).build()
            val modules = rootProject.children.associate { module ->
                module.projectDir.name to project(module).withParent(root).build()
            }
            (listOf(root) + modules.values).forEach { project ->
                scripts.run(project.buildFile, Project::class, project, libraries)
            }
            return EvaluatedBuild(evaluated.settings, root, modules, libraries)
        }

        private fun project(descriptor: ProjectDescriptor): ProjectBuilder =
            ProjectBuilder.builder().withName(descriptor.name).withProjectDir(descriptor.projectDir)
    }
}
