package io.superstep.build.gradle.evaluation

import java.io.File
import kotlin.script.experimental.api.ScriptDiagnostic

/** A Gradle script that does not compile, warns, or fails when it runs. */
class ScriptFailedException private constructor(message: String, cause: Throwable?) :
    RuntimeException(message, cause) {

    internal constructor(script: File, problems: List<ScriptDiagnostic>) : this(
        "$script was refused by the compiler:" +
            problems.joinToString("") { problem ->
                val start = problem.location?.start
                "\n    ${start?.line ?: "?"}:${start?.col ?: "?"} ${problem.message}"
            },
        problems.firstNotNullOfOrNull { it.exception },
    )

    internal constructor(script: File, failure: Throwable) : this("$script failed: $failure", failure)
}
