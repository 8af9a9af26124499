package io.superstep.build.gradle.evaluation

import io.superstep.build.gradle.Build
import io.superstep.build.gradle.BuildModule
import java.io.File
import org.gradle.api.Project
import org.gradle.api.ProjectEvaluationListener
import org.gradle.api.initialization.ProjectDescriptor
import org.gradle.api.initialization.Settings
import org.gradle.api.internal.GradleInternal
import org.gradle.api.internal.project.ProjectInternal
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
            agreed(group.toString(), publication?.groupId),
            agreed(name, publication?.artifactId),
            agreed(version.toString(), publication?.version),
            publication != null,
            DeclaredDependencies(this, libraries.libraries()).byBucket(publication != null),
        )
    }

    private fun Project.publication(): MavenPublication? =
        extensions.findByType(PublishingExtension::class.java)
            ?.publications
            ?.withType(MavenPublication::class.java)
            ?.single()

    private fun agreed(project: String, publication: String?) =
        if (publication == null || publication == project) project else "$project, published as $publication"

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
                (project as ProjectInternal).evaluate {
                    scripts.run(project.buildFile, Project::class, project, libraries)
                }
            }
            (root.gradle as GradleInternal).buildListenerBroadcaster.projectsEvaluated(root.gradle)
            return EvaluatedBuild(evaluated.settings, root, modules, libraries)
        }

        private fun project(descriptor: ProjectDescriptor): ProjectBuilder =
            ProjectBuilder.builder().withName(descriptor.name).withProjectDir(descriptor.projectDir)

        /** Runs [script], then whatever waits for its end, and whatever then begins to wait. */
        private fun ProjectInternal.evaluate(script: () -> Unit) {
            state.toBeforeEvaluate()
            state.toEvaluate()
            script()
            state.toAfterEvaluate()
            var waiting: ProjectEvaluationListener? = projectEvaluationBroadcaster
            while (waiting != null) {
                waiting = stepEvaluationListener(waiting) { it.afterEvaluate(this, state) }
            }
            state.configured()
        }
    }
}
