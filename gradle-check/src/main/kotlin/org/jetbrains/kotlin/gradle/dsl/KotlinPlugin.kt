/*
 * The part of Kotlin's Gradle plugin that our scripts use. The plugin itself needs a Gradle that runs: it
 * looks for compilers and registers services. What a script says to it is kept here, and nothing is done.
 */
package org.jetbrains.kotlin.gradle.dsl

import javax.inject.Inject
import org.gradle.api.Plugin
import org.gradle.api.Project
import org.gradle.api.model.ObjectFactory
import org.gradle.api.provider.ListProperty
import org.gradle.api.provider.Property

class KotlinJvmPlugin : Plugin<Project> {

    override fun apply(project: Project) {
        project.pluginManager.apply("java")
        project.extensions.create("kotlin", KotlinJvmProjectExtension::class.java)
    }
}

abstract class KotlinJvmProjectExtension @Inject constructor(objects: ObjectFactory) {

    val compilerOptions: KotlinJvmCompilerOptions = objects.newInstance(KotlinJvmCompilerOptions::class.java)

    var isApiExplicit: Boolean = false
        private set

    fun explicitApi() {
        isApiExplicit = true
    }

    fun compilerOptions(configure: KotlinJvmCompilerOptions.() -> Unit) = compilerOptions.configure()
}

interface KotlinJvmCompilerOptions {

    val jvmTarget: Property<JvmTarget>

    val freeCompilerArgs: ListProperty<String>
}

enum class JvmTarget(val target: String) {
    JVM_17("17"),
}
