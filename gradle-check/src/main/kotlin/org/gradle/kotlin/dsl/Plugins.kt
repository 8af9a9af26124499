package org.gradle.kotlin.dsl

import org.gradle.api.Project
import org.gradle.groovy.scripts.TextResourceScriptSource
import org.gradle.internal.resource.StringTextResource
import org.gradle.plugin.management.internal.PluginRequestInternal
import org.gradle.plugin.use.PluginDependenciesSpec
import org.gradle.plugin.use.PluginDependencySpec
import org.gradle.plugin.use.internal.PluginRequestCollector

/** Applies the requested plugins, in the version that is on the class path. */
fun Project.plugins(block: PluginDependenciesSpec.() -> Unit) {
    val requests = PluginRequestCollector(TextResourceScriptSource(StringTextResource("plugins", "")))
    requests.createSpec(1).block()
    requests.pluginRequests
        .filter(PluginRequestInternal::isApply)
        .forEach { pluginManager.apply(it.id.id) }
}

val PluginDependenciesSpec.java: PluginDependencySpec
    get() = id("java")

val PluginDependenciesSpec.`java-library`: PluginDependencySpec
    get() = id("java-library")

val PluginDependenciesSpec.`java-platform`: PluginDependencySpec
    get() = id("java-platform")

infix fun PluginDependencySpec.apply(apply: Boolean): PluginDependencySpec = apply(apply)
