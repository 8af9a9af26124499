plugins {
    `java-library`
}

dependencies {
    api(libs.jackson.databind)
    api(libs.jspecify)

    testImplementation(libs.assertj.core)
    testImplementation(libs.junit.jupiter)
    testRuntimeOnly(libs.junit.platform.launcher)
}
