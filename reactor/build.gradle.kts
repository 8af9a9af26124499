plugins {
    `java-library`
}

dependencies {
    api(project(":superstep-core"))
    api(libs.caffeine)
    api(libs.jspecify)
    api(libs.reactor.core)
    compileOnly(libs.micrometer.observation)

    testImplementation(project(":superstep-testkit"))
    testImplementation(libs.assertj.core)
    testImplementation(libs.blockhound.junit.platform)
    testImplementation(libs.context.propagation)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.reactive.streams.tck)
    testImplementation(libs.reactor.test)
    testImplementation(libs.testng)
    testRuntimeOnly(libs.junit.platform.launcher)
    testRuntimeOnly(libs.testng.engine)
}
