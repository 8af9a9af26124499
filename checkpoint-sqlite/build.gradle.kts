plugins {
    `java-library`
}

dependencies {
    api(project(":superstep-core"))
    api(libs.jspecify)
    api(libs.reactor.core)
    api(libs.sqlite.jdbc)

    compileOnly(libs.blockhound)

    testImplementation(project(":superstep-reactor"))
    testImplementation(project(":superstep-testkit"))
    testImplementation(libs.assertj.core)
    testImplementation(libs.blockhound.junit.platform)
    testImplementation(libs.junit.jupiter)
    testImplementation(libs.reactor.test)
    testRuntimeOnly(libs.junit.platform.launcher)
}
