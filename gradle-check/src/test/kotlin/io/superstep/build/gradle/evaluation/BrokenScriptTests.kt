package io.superstep.build.gradle.evaluation

import java.nio.file.Path
import java.util.concurrent.TimeUnit
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout
import org.junit.jupiter.api.io.TempDir
import org.junit.jupiter.params.ParameterizedTest
import org.junit.jupiter.params.provider.MethodSource

@Timeout(5, unit = TimeUnit.MINUTES)
class BrokenScriptTests {

    @TempDir
    lateinit var folder: Path

    private val build by lazy { CopiedBuild(folder.toFile()) }

    @ParameterizedTest
    @MethodSource("io.superstep.build.gradle.evaluation.CopiedBuild#scripts")
    fun theCompilerTellsATypoInAnyScript(script: String) {
        build.prepending(script, "tset()\n")

        assertThatThrownBy { build.evaluate() }
            .isInstanceOf(ScriptFailedException::class.java)
            .hasMessageStartingWith("$script was refused by the compiler:")
            .hasMessageContaining("1:1 Unresolved reference 'tset'")
    }

    @Test
    fun theCompilerDoesNotKnowALibraryTheCatalogLacks() {
        build.replacing("core/build.gradle.kts", "libs.jspecify", "libs.jspecfy")

        assertThatThrownBy { build.evaluate() }
            .hasMessageStartingWith("core/build.gradle.kts was refused by the compiler:")
            .hasMessageContaining("Unresolved reference 'jspecfy'")
    }

    @Test
    fun gradleDoesNotKnowAPluginThatNobodyMade() {
        build.replacing("core/build.gradle.kts", "`java-library`", "id(\"java-libary\")")

        assertThatThrownBy { build.evaluate() }
            .hasMessageStartingWith("core/build.gradle.kts failed:")
            .hasMessageContaining("Plugin with id 'java-libary' not found")
    }

    @Test
    fun gradleDoesNotKnowAProjectTheSettingsDoNotInclude() {
        build.replacing("bom/build.gradle.kts", ":superstep-core", ":superstep-cor")

        assertThatThrownBy { build.evaluate() }
            .hasMessageStartingWith("bom/build.gradle.kts failed:")
            .hasMessageContaining("':superstep-cor' could not be found")
    }
}
