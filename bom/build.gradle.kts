plugins {
    `java-platform`
}

dependencies {
    constraints {
        api(project(":superstep-core"))
        api(project(":superstep-testkit"))
    }
}
