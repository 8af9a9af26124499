package io.superstep.build.gradle.evaluation

import java.io.File
import org.assertj.core.api.Assertions.assertThat

/** A copy of our Gradle scripts, and of the poms they read, below [folder], to be changed and evaluated there. */
internal class CopiedBuild(folder: File) {

    private val copy = folder.resolve("copy")
    private val work = folder.resolve("work")

    init {
        (scripts() + poms() + "gradle/libs.versions.toml").forEach { ROOT.resolve(it).copyTo(copy.resolve(it)) }
    }

    fun replacing(script: String, text: String, replacement: String): CopiedBuild {
        val original = copy.resolve(script).readText()
        assertThat(original).contains(text)
        copy.resolve(script).writeText(original.replace(text, replacement))
        return this
    }

    fun prepending(script: String, text: String): CopiedBuild {
        val original = copy.resolve(script).readText()
        copy.resolve(script).writeText(text + original)
        return this
    }

    fun evaluate(): EvaluatedBuild = EvaluatedBuild.of(copy, work)

    companion object {

        private val ROOT = OurBuild.root.toFile()

        /** Every script of the build, relative to its root. */
        @JvmStatic
        fun scripts(): List<String> = files { it.name.endsWith(".gradle.kts") }

        private fun poms(): List<String> = files { it.name == "pom.xml" }

        private fun files(wanted: (File) -> Boolean): List<String> =
            ROOT.walk().maxDepth(2).filter(wanted).map { it.relativeTo(ROOT).path }.sorted().toList()
    }
}
