package io.superstep.build.gradle.evaluation

import io.superstep.build.gradle.Bucket
import java.util.SortedSet
import org.gradle.api.Project
import org.gradle.api.artifacts.Configuration
import org.gradle.api.artifacts.Dependency
import org.gradle.api.artifacts.DependencyConstraint
import org.gradle.api.artifacts.ExternalDependency
import org.gradle.api.artifacts.ModuleDependency
import org.gradle.api.internal.artifacts.configurations.ConfigurationInternal
import org.gradle.api.internal.artifacts.configurations.ResolutionStrategyInternal

/** All that [project] declares in any of its configurations, told against the versions of [libraries]. */
internal class DeclaredDependencies(private val project: Project, private val libraries: Map<String, String>) {

    fun byBucket(published: Boolean): Map<Bucket, SortedSet<String>> =
        project.configurations
            .flatMap { it.dependencies(published) + it.constraints() + it.rules() }
            .groupBy({ it.first }, { it.second })
            .mapValues { it.value.toSortedSet() }

    private fun Configuration.dependencies(published: Boolean): List<Pair<Bucket, String>> {
        (this as ConfigurationInternal).runDependencyActions()
        val bucket = Bucket.of(name, published)
        return dependencies.map { dependency ->
            bucket.map { it to dependency.description() }
                .orElseGet { Bucket.ELSEWHERE to "$name ${dependency.description()}" }
        }
    }

    private fun Configuration.constraints(): List<Pair<Bucket, String>> =
        dependencyConstraints.map { Bucket.CONSTRAINT to it.description() }

    /** What changes the dependencies of a configuration from outside of their declarations. */
    private fun Configuration.rules(): List<Pair<Bucket, String>> {
        val substitution = (resolutionStrategy as ResolutionStrategyInternal).dependencySubstitutionRule
        return listOfNotNull(
            "resolves to something else".takeUnless { substitution.isEmpty },
            "excludes something".takeUnless { excludeRules.isEmpty() },
        ).map { Bucket.ELSEWHERE to "$name $it" }
    }

    private fun Dependency.description(): String {
        val more = listOfNotNull(
            unusual("$group:$name", if (this is ExternalDependency) versionConstraint.displayName else version),
            "exclusions".takeIf { this is ModuleDependency && excludeRules.isNotEmpty() },
            "no transitive ones".takeIf { this is ModuleDependency && !isTransitive },
            "artifacts".takeIf { this is ModuleDependency && artifacts.isNotEmpty() },
            "attributes".takeIf { this is ModuleDependency && !attributes.isEmpty },
        )
        return "$group:$name" + if (more.isEmpty()) "" else " with ${more.joinToString(", ")}"
    }

    private fun DependencyConstraint.description(): String =
        "$group:$name" + (unusual("$group:$name", version)?.let { " with $it" } ?: "")

    /** A version other than the one this build has for [module]: its own, or that of the catalog. */
    private fun unusual(module: String, version: String?): String? {
        val ours = "${project.rootProject.group}:"
        val usual = if (module.startsWith(ours)) project.rootProject.version.toString() else libraries[module]
        return "version $version".takeUnless { usual == null || version == usual }
    }
}
