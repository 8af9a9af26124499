plugins {
    `java-platform`
}

dependencies {
    constraints {
        api(project(":superstep-checkpoint-redis"))
        api(project(":superstep-checkpoint-sqlite"))
        api(project(":superstep-core"))
        api(project(":superstep-kotlin"))
        api(project(":superstep-reactor"))
        api(project(":superstep-testkit"))
    }
}
