package io.superstep.build.gradle.evaluation

import groovy.lang.Closure
import java.io.File
import kotlin.reflect.KClass
import kotlin.script.experimental.api.KotlinType
import kotlin.script.experimental.api.ResultValue
import kotlin.script.experimental.api.ResultWithDiagnostics
import kotlin.script.experimental.api.ScriptCompilationConfiguration
import kotlin.script.experimental.api.ScriptDiagnostic
import kotlin.script.experimental.api.ScriptEvaluationConfiguration
import kotlin.script.experimental.api.compilerOptions
import kotlin.script.experimental.api.defaultImports
import kotlin.script.experimental.api.dependencies
import kotlin.script.experimental.api.implicitReceivers
import kotlin.script.experimental.api.providedProperties
import kotlin.script.experimental.host.toScriptSource
import kotlin.script.experimental.jvm.JvmDependency
import kotlin.script.experimental.jvm.baseClassLoader
import kotlin.script.experimental.jvm.jvm
import kotlin.script.experimental.jvmhost.BasicJvmScriptingHost
import org.gradle.api.Project
import org.gradle.configuration.DefaultImportsReader
import org.gradle.kotlin.dsl.DependencyHandlerScope
import org.jetbrains.kotlin.assignment.plugin.AssignmentCommandLineProcessor
import org.jetbrains.kotlin.samWithReceiver.SamWithReceiverCommandLineProcessor

/** Compiles the Gradle scripts below [root] as Gradle does, and runs them. */
internal class ScriptRunner(private val root: File) {

    private val host = BasicJvmScriptingHost()

    /** What Gradle imports into every script. */
    private val imports =
        DefaultImportsReader().simpleNameToFullClassNamesMapping.values.map { it.first() } +
            listOf("org.gradle.kotlin.dsl.*", "java.io.File", "java.util.concurrent.TimeUnit")

    /** What Gradle asks of the compiler: lambdas with receivers, and `=` on its properties. */
    private val options = listOf(
        "-jvm-target", "17",
        "-Xplugin=${SamWithReceiverCommandLineProcessor::class.location}",
        "-P", "plugin:org.jetbrains.kotlin.samWithReceiver:annotation=org.gradle.api.HasImplicitReceiver",
        "-Xplugin=${AssignmentCommandLineProcessor::class.location}",
        "-P", "plugin:org.jetbrains.kotlin.assignment:annotation=org.gradle.api.SupportsKotlinAssignmentOverloading",
    )

    /** Gradle, Groovy, the Kotlin DSL and Kotlin: all that a script can see. */
    private val classPath =
        listOf(Project::class, Closure::class, DependencyHandlerScope::class, Unit::class).map { it.location }

    /** Runs [script] with [receiver] as its `this`, and [catalog] as its `libs` if it may have one. */
    fun <T : Any> run(script: File, type: KClass<T>, receiver: T, catalog: LibraryAccessors? = null) {
        val compilation = ScriptCompilationConfiguration {
            defaultImports(imports)
            compilerOptions(options)
            implicitReceivers(KotlinType(type))
            dependencies(JvmDependency(classPath + listOfNotNull(catalog?.classes)))
            catalog?.let { providedProperties("libs" to KotlinType(it.type.name)) }
        }
        val evaluation = ScriptEvaluationConfiguration {
            implicitReceivers(receiver)
            catalog?.let {
                providedProperties("libs" to it.on(receiver as Project))
                jvm { baseClassLoader(it.type.classLoader) }
            }
        }
        val result = host.eval(script.toScriptSource(), compilation, evaluation)
        val problems = result.reports.filter { it.severity >= ScriptDiagnostic.Severity.WARNING }
        if (problems.isNotEmpty()) {
            throw ScriptFailedException(script.relativeTo(root), problems)
        }
        val value = (result as ResultWithDiagnostics.Success).value.returnValue
        if (value is ResultValue.Error) {
            throw ScriptFailedException(script.relativeTo(root), value.error)
        }
    }

    private val KClass<*>.location: File
        get() = File(java.protectionDomain.codeSource.location.toURI())
}
