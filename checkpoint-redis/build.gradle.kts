plugins {
    `java-library`
}

dependencies {
    api(project(":superstep-core"))
    api(libs.jspecify)
    api(libs.lettuce.core)
    api(libs.reactor.core)
    compileOnly(libs.micrometer.core)

    testImplementation(project(":superstep-reactor"))
    testImplementation(project(":superstep-testkit"))
    testImplementation(libs.assertj.core)
    testImplementation(libs.blockhound.junit.platform)
    testImplementation(libs.embedded.redis)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.reactor.test)
    testRuntimeOnly(libs.junit.platform.launcher)
}
