rootProject.name = "superstep"

dependencyResolutionManagement {
    repositoriesMode = RepositoriesMode.FAIL_ON_PROJECT_REPOS
    repositories {
        mavenCentral()
    }
}

include("bom", "core", "testkit", "reactor", "checkpoint-redis", "checkpoint-sqlite", "kotlin", "samples")

// The folder is core, the project and its artifact are superstep-core.
rootProject.children.forEach { module -> module.name = "superstep-${module.name}" }
