package io.superstep.build.gradle.evaluation

import java.io.File
import java.nio.file.Path

/** The Gradle build of this project, evaluated once for all tests. */
internal object OurBuild {

    val root: Path = Path.of("..").toRealPath()

    val evaluated: EvaluatedBuild by lazy { EvaluatedBuild.of(root.toFile(), File("target/gradle").absoluteFile) }
}
