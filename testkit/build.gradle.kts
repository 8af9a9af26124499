plugins {
    `java-library`
}

dependencies {
    api(project(":superstep-core"))
    api(libs.jspecify)
    api(libs.junit.jupiter.api)
    api(libs.reactor.core)

    testImplementation(libs.assertj.core)
    testImplementation(libs.blockhound.junit.platform)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.junit.platform.testkit)
    testRuntimeOnly(libs.junit.platform.launcher)
}
