package io.superstep.kotlin

/** Marks what describes a graph: inside a node, the words of the graph around it are not heard. */
@DslMarker
@Target(AnnotationTarget.CLASS)
public annotation class SuperstepDsl

/**
 * Marks what collects writes. It is a marker of its own, so that a node may ask while it writes:
 * `update { approved set ask("publish", question) }`.
 */
@DslMarker
@Target(AnnotationTarget.CLASS)
public annotation class UpdateDsl
