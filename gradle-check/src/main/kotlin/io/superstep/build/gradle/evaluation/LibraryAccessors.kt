package io.superstep.build.gradle.evaluation

import java.io.File
import java.io.StringWriter
import java.net.URLClassLoader
import javax.tools.ToolProvider
import org.gradle.api.Project
import org.gradle.api.initialization.dsl.VersionCatalogBuilder
import org.gradle.api.internal.catalog.DefaultVersionCatalog
import org.gradle.api.internal.catalog.LibrariesSourceGenerator
import org.gradle.api.internal.catalog.parser.TomlCatalogFileParser
import org.gradle.api.problems.Problems
import org.gradle.internal.management.VersionCatalogBuilderInternal

/**
 * The `libs` of a build script, as Gradle's own parser and source generator make them from the
 * version catalog.
 */
internal class LibraryAccessors private constructor(
    private val catalog: DefaultVersionCatalog,
    val type: Class<*>,
    val classes: File,
) {
    /** The `libs` of [project]. */
    fun on(project: Project): Any =
        project.extensions.findByName(NAME) ?: project.extensions.create(NAME, type, catalog)

    /** A version by its key. */
    fun versions(): Map<String, String> =
        catalog.versionAliases.associate { it.replace('.', '-') to catalog.getVersion(it).version.requiredVersion }

    /** A version by the `group:artifact` it is meant for. */
    fun libraries(): Map<String, String> =
        catalog.libraryAliases
            .map(catalog::getDependencyData)
            .associate { "${it.group}:${it.name}" to it.version.requiredVersion }

    companion object {

        private const val NAME = "libs"
        private const val PACKAGE = "org.gradle.accessors.dm"
        private const val CLASS = "LibrariesForLibs"

        /** Reads [toml] into [builder] and leaves the compiled accessors below [folder]. */
        fun read(toml: File, builder: VersionCatalogBuilder, problems: Problems, folder: File): LibraryAccessors {
            TomlCatalogFileParser.parse(toml.toPath(), builder) { problems }
            val catalog = (builder as VersionCatalogBuilderInternal).build()
            compile(source(catalog, problems, folder), folder)
            val loader = URLClassLoader(arrayOf(folder.toURI().toURL()), javaClass.classLoader)
            return LibraryAccessors(catalog, loader.loadClass("$PACKAGE.$CLASS"), folder)
        }

        private fun source(catalog: DefaultVersionCatalog, problems: Problems, folder: File): File {
            val source = StringWriter()
            LibrariesSourceGenerator.generateSource(source, catalog, PACKAGE, CLASS, problems)
            return folder.resolve("$CLASS.java").apply { writeText(source.toString()) }
        }

        private fun compile(source: File, folder: File) {
            val gradle = File(Project::class.java.protectionDomain.codeSource.location.toURI())
            val status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-nowarn", "-cp", "$gradle", "-d", "$folder", "$source")
            check(status == 0) { "The accessors of the version catalog do not compile." }
        }
    }
}
