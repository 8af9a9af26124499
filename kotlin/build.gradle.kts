plugins {
    `java-library`
    alias(libs.plugins.kotlin.jvm)
}

dependencies {
    api(project(":superstep-reactor"))
    api(libs.jackson.module.kotlin)
    api(libs.jspecify)
    api(libs.kotlin.reflect)
    api(libs.kotlin.stdlib)
    api(libs.kotlinx.coroutines.reactor)

    testImplementation(project(":superstep-testkit"))
    testImplementation(libs.assertj.core)
    testImplementation(libs.blockhound.junit.platform)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.kotlin.abi.tools)
    testImplementation(libs.kotlinx.coroutines.test)
    testImplementation(libs.reactor.test)
    testRuntimeOnly(libs.junit.platform.launcher)
}
