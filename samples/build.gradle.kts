plugins {
    java
    alias(libs.plugins.kotlin.jvm)
}

dependencies {
    implementation(project(":superstep-checkpoint-sqlite"))
    implementation(project(":superstep-core"))
    implementation(project(":superstep-kotlin"))
    implementation(project(":superstep-reactor"))
    implementation(libs.jspecify)
    implementation(libs.kotlin.stdlib)
    implementation(libs.kotlinx.coroutines.reactor)
    implementation(libs.reactor.core)

    testImplementation(project(":superstep-testkit"))
    testImplementation(libs.assertj.core)
    testImplementation(libs.blockhound.junit.platform)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.kotlinx.coroutines.test)
    testImplementation(libs.reactor.test)
    testRuntimeOnly(libs.junit.platform.launcher)
}
