plugins {
    `java-library`
}

dependencies {
    api(libs.jackson.databind)
    api(libs.jspecify)
    api(libs.reactive.streams)

    testImplementation(libs.assertj.core)
    testImplementation(libs.junit.jupiter)
    testRuntimeOnly(libs.junit.platform.launcher)
}
