plugins {
    alias(libs.plugins.kotlin.jvm) apply false
}

allprojects {
    group = "io.superstep"
    version = "0.1.0-SNAPSHOT"
}

subprojects {
    tasks.withType<AbstractArchiveTask>().configureEach {
        isPreserveFileTimestamps = false
        isReproducibleFileOrder = true
    }

    pluginManager.withPlugin("java") {
        // As in Maven, tests see what is optional to users.
        configurations.named("testImplementation") {
            extendsFrom(configurations["compileOnly"])
        }

        tasks.withType<JavaCompile>().configureEach {
            options.release = 17
            options.encoding = "UTF-8"
            options.compilerArgs.add("-parameters")
        }

        tasks.withType<Javadoc>().configureEach {
            options.encoding = "UTF-8"
        }

        tasks.withType<Test>().configureEach {
            useJUnitPlatform()
            systemProperty("junit.jupiter.extensions.autodetection.enabled", "true")
            systemProperty("junit.jupiter.execution.timeout.default", "60 s")

            // As Maven does by default: the number of mutations and their seed.
            systemProperties(providers.systemPropertiesPrefixedBy("superstep.hostile.").get())

            // What BlockHound needs to instrument a running JVM.
            jvmArgs("-XX:+AllowRedefinitionToAddDeleteMethods")
            if (javaVersion.isCompatibleWith(JavaVersion.VERSION_24)) {
                jvmArgs(
                    "-XX:+EnableDynamicAgentLoading",
                    "--enable-native-access=ALL-UNNAMED",
                    "--sun-misc-unsafe-memory-access=allow",
                )
            }
        }
    }

    pluginManager.withPlugin("org.jetbrains.kotlin.jvm") {
        configure<org.jetbrains.kotlin.gradle.dsl.KotlinJvmProjectExtension> {
            explicitApi()
            compilerOptions {
                jvmTarget = org.jetbrains.kotlin.gradle.dsl.JvmTarget.JVM_17
                freeCompilerArgs.addAll("-Xjdk-release=17", "-Xjspecify-annotations=strict", "-Xjsr305=strict")
            }
        }
    }

    // A library is published, and so is the platform; applications apply neither plugin.
    pluginManager.withPlugin("java-library") {
        configure<JavaPluginExtension> {
            withSourcesJar()
            withJavadocJar()
        }

        tasks.named<Jar>("jar") {
            manifest.attributes["Automatic-Module-Name"] = "io.${project.name.replace('-', '.')}"
        }

        publish("java")
    }

    pluginManager.withPlugin("java-platform") {
        publish("javaPlatform")
    }
}

fun Project.publish(component: String) {
    pluginManager.apply("maven-publish")
    configure<PublishingExtension> {
        publications.create<MavenPublication>("maven") {
            from(components[component])
            pom {
                name = inMavenPom("name")
                description = inMavenPom("description")
                licenses {
                    license {
                        name = "Apache-2.0"
                        url = "https://www.apache.org/licenses/LICENSE-2.0.txt"
                    }
                }
            }
        }
    }
}

// What a module is called and what it is for stands in its pom.xml, for both builds.
fun Project.inMavenPom(element: String): String =
    Regex("<$element>(.*)</$element>").find(file("pom.xml").readText())!!.groupValues[1]
