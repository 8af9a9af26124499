package io.superstep.build.gradle.evaluation

import java.io.File
import org.gradle.api.initialization.Settings
import org.gradle.api.internal.CollectionCallbackActionDecorator
import org.gradle.api.internal.artifacts.DependencyManagementServices
import org.gradle.api.internal.initialization.ScriptHandlerFactory
import org.gradle.api.internal.project.ProjectInternal
import org.gradle.api.internal.properties.GradleProperties
import org.gradle.api.model.ObjectFactory
import org.gradle.api.problems.Problems
import org.gradle.groovy.scripts.TextResourceScriptSource
import org.gradle.initialization.SettingsFactory
import org.gradle.internal.code.UserCodeApplicationContext
import org.gradle.internal.management.DefaultDependencyResolutionManagement
import org.gradle.internal.management.DependencyResolutionManagementInternal
import org.gradle.internal.reflect.Instantiator
import org.gradle.internal.resource.StringTextResource
import org.gradle.internal.service.DefaultServiceRegistry
import org.gradle.internal.service.ServiceRegistry
import org.gradle.testfixtures.ProjectBuilder

/**
 * Gradle's own settings of the build below [folder], after their script has run.
 *
 * Settings belong to a build, and Gradle lends its model one only together with a project: hence
 * the host, an empty project below [work].
 */
internal class EvaluatedSettings(private val folder: File, work: File, scripts: ScriptRunner) {

    private val host = ProjectBuilder.builder()
        .withProjectDir(work.resolve("host").apply { mkdirs() })
        .withGradleUserHomeDir(work.resolve("home"))
        .build() as ProjectInternal

    val settings: Settings = bareSettings().also { settings ->
        scripts.run(folder.resolve("settings.gradle.kts"), Settings::class, settings)
    }

    val problems: Problems
        get() = host.services.get(Problems::class.java)

    private fun bareSettings(): Settings {
        val services = settingsServices(host.gradle.services)
        val factory = SettingsFactory(
            services.get(Instantiator::class.java),
            services,
            services.get(ScriptHandlerFactory::class.java),
        )
        return factory.createSettings(
            host.gradle,
            folder,
            TextResourceScriptSource(StringTextResource("settings.gradle.kts", "")),
            services.get(GradleProperties::class.java),
            host.gradle.startParameter,
            host.gradle.classLoaderScope,
        ).settings
    }

    /** The host's services, but for its dependency resolution: its project has made that final. */
    private fun settingsServices(services: ServiceRegistry): ServiceRegistry =
        DefaultServiceRegistry(services).add(
            DependencyResolutionManagementInternal::class.java,
            DefaultDependencyResolutionManagement(
                services.get(UserCodeApplicationContext::class.java),
                services.get(DependencyManagementServices::class.java),
                services.get(ObjectFactory::class.java),
                services.get(CollectionCallbackActionDecorator::class.java),
            ),
        )
}
