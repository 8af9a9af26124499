package io.superstep.kotlin

import io.superstep.json.JsonCodec
import io.superstep.state.StateSchema
import tools.jackson.databind.JacksonModule

/** The codec for states of this schema that hold values of Kotlin, with the options that [configure] sets. */
public fun StateSchema.jsonCodec(configure: JsonCodec.Builder.() -> Unit = {}): JsonCodec =
    JsonCodec.builder(this).module(kotlinValues()).apply(configure).build()

/** As [jsonCodec]. */
public fun Schema.jsonCodec(configure: JsonCodec.Builder.() -> Unit = {}): JsonCodec =
    stateSchema().jsonCodec(configure)

/** What Jackson has to know about Kotlin so that data classes, sealed types and objects come back as they were. */
public fun kotlinValues(): JacksonModule = KotlinValues()
