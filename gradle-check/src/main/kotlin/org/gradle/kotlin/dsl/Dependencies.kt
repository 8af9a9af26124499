package org.gradle.kotlin.dsl

import org.gradle.api.Project
import org.gradle.api.artifacts.Dependency
import org.gradle.api.artifacts.DependencyConstraint
import org.gradle.api.artifacts.dsl.DependencyConstraintHandler
import org.gradle.api.artifacts.dsl.DependencyHandler

class DependencyHandlerScope(val dependencies: DependencyHandler) : DependencyHandler by dependencies {

    fun constraints(configuration: DependencyConstraintHandler.() -> Unit) = constraints.configuration()
}

fun Project.dependencies(configuration: DependencyHandlerScope.() -> Unit) =
    DependencyHandlerScope(dependencies).configuration()

fun DependencyHandler.project(path: String): Dependency = project(mapOf("path" to path))

fun DependencyHandler.api(notation: Any): Dependency? = add("api", notation)

fun DependencyHandler.implementation(notation: Any): Dependency? = add("implementation", notation)

fun DependencyHandler.compileOnly(notation: Any): Dependency? = add("compileOnly", notation)

fun DependencyHandler.runtimeOnly(notation: Any): Dependency? = add("runtimeOnly", notation)

fun DependencyHandler.testImplementation(notation: Any): Dependency? = add("testImplementation", notation)

fun DependencyHandler.testRuntimeOnly(notation: Any): Dependency? = add("testRuntimeOnly", notation)

fun DependencyConstraintHandler.api(notation: Any): DependencyConstraint = add("api", notation)
