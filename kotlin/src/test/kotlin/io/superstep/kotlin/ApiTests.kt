package io.superstep.kotlin

import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.readText
import kotlin.io.path.writeText
import org.assertj.core.api.Assertions.assertThat
import org.jetbrains.kotlin.abi.tools.AbiFilters
import org.jetbrains.kotlin.abi.tools.AbiTools
import org.junit.jupiter.api.Test

/**
 * What users of this module are compiled against, as Kotlin's own tool prints it, is what was written down.
 *
 * A change that is meant is taken over from the file in `target` that a failure names.
 */
class ApiTests {

    @Test
    fun theApiIsTheOneThatWasWrittenDown() {
        val classes = Path.of("target/classes").toFile().walk().filter { it.extension == "class" }.toList()
        val dump = StringBuilder()
        AbiTools.getInstance().printJvmDump(dump, classes, AbiFilters(emptySet(), emptySet(), emptySet(), emptySet()))
        Path.of("target/superstep-kotlin.api").writeText(dump)

        assertThat(WRITTEN).matches { it.exists() }
        assertThat(dump.toString())
            .`as`("if it is meant, copy kotlin/target/superstep-kotlin.api to kotlin/api")
            .isEqualTo(WRITTEN.readText())
    }

    private companion object {
        val WRITTEN: Path = Path.of("api/superstep-kotlin.api")
    }
}
