plugins {
    java
}

dependencies {
    implementation(project(":superstep-checkpoint-sqlite"))
    implementation(project(":superstep-core"))
    implementation(project(":superstep-reactor"))
    implementation(libs.jspecify)
    implementation(libs.reactor.core)

    testImplementation(project(":superstep-testkit"))
    testImplementation(libs.assertj.core)
    testImplementation(libs.blockhound.junit.platform)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.reactor.test)
    testRuntimeOnly(libs.junit.platform.launcher)
}
