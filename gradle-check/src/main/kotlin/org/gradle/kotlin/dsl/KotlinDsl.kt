/*
 * The part of Gradle's Kotlin DSL that our scripts use. Gradle publishes its project model but not
 * its DSL, so the names and signatures stand here once more; what they do, the project model does.
 * A script that needs more of the DSL does not compile until it is added here.
 */
package org.gradle.kotlin.dsl

import org.gradle.api.NamedDomainObjectCollection
import org.gradle.api.NamedDomainObjectProvider
import org.gradle.api.PolymorphicDomainObjectContainer
import org.gradle.api.Project
import org.gradle.api.provider.Property
import org.gradle.api.tasks.TaskCollection

inline fun <reified T : Any> Project.configure(noinline configuration: T.() -> Unit) =
    extensions.configure(T::class.java) { it.configuration() }

inline fun <reified S : org.gradle.api.Task> TaskCollection<in S>.withType(): TaskCollection<S> =
    withType(S::class.java)

inline fun <reified T : Any> NamedDomainObjectCollection<in T>.named(
    name: String,
    noinline configuration: T.() -> Unit,
): NamedDomainObjectProvider<T> {
    @Suppress("UNCHECKED_CAST")
    return (this as NamedDomainObjectCollection<T>).named(name, T::class.java) { it.configuration() }
}

inline fun <reified U : Any> PolymorphicDomainObjectContainer<in U>.create(
    name: String,
    noinline configuration: U.() -> Unit,
): U = create(name, U::class.java) { it.configuration() }

operator fun <T : Any> NamedDomainObjectCollection<T>.get(name: String): T = getByName(name)

/** What the assignment plugin of the compiler makes of `property = value`. */
fun <T : Any> Property<T>.assign(value: T?) = set(value)
