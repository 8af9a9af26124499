package io.superstep.kotlin

import com.fasterxml.jackson.annotation.JsonFormat
import java.lang.reflect.Modifier
import tools.jackson.core.JsonGenerator
import tools.jackson.core.JsonParser
import tools.jackson.core.JsonToken
import tools.jackson.core.Version
import tools.jackson.databind.BeanDescription
import tools.jackson.databind.DeserializationConfig
import tools.jackson.databind.DeserializationContext
import tools.jackson.databind.JacksonModule
import tools.jackson.databind.JavaType
import tools.jackson.databind.SerializationConfig
import tools.jackson.databind.SerializationContext
import tools.jackson.databind.ValueDeserializer
import tools.jackson.databind.ValueSerializer
import tools.jackson.databind.deser.Deserializers
import tools.jackson.databind.ser.Serializers
import tools.jackson.databind.util.NameTransformer
import tools.jackson.module.kotlin.KotlinFeature
import tools.jackson.module.kotlin.kotlinModule

/** Jackson's own module for Kotlin, strict about null; properties that are not public; objects, which have none that count. */
internal class KotlinValues : JacksonModule() {

    private val classes = kotlinModule {
        disable(KotlinFeature.SingletonSupport) // it would hide from a sealed type that objects have no properties
        enable(KotlinFeature.StrictNullChecks)
        enable(KotlinFeature.UseJavaDurationConversion)
        enable(KotlinFeature.UseJavaInstantConversion)
    }

    override fun getModuleName(): String = "superstep-kotlin"

    override fun version(): Version = Version.unknownVersion()

    override fun setupModule(context: SetupContext) {
        classes.setupModule(context)
        context.insertAnnotationIntrospector(HiddenProperties)
        context.addSerializers(ObjectSerializers)
        context.addDeserializers(ObjectDeserializers)
    }
}

/** The one instance of this class, if it was declared as an object. */
private fun Class<*>.theObject(): Any? {
    if (!isAnnotationPresent(Metadata::class.java)) {
        return null
    }
    return declaredFields
        .firstOrNull { it.name == "INSTANCE" && Modifier.isStatic(it.modifiers) && it.type == this }
        ?.apply { isAccessible = true }
        ?.get(null)
}

private object ObjectSerializers : Serializers {

    override fun findSerializer(
        config: SerializationConfig,
        type: JavaType,
        description: BeanDescription.Supplier,
        format: JsonFormat.Value?,
    ): ValueSerializer<*>? = type.rawClass.theObject()?.let { ObjectSerializer(isUnwrapping = false) }
}

/** Writes no properties; as one of a sealed family, an object is its name. */
private class ObjectSerializer(private val isUnwrapping: Boolean) : ValueSerializer<Any>() {

    override fun serialize(value: Any, out: JsonGenerator, context: SerializationContext) {
        if (!isUnwrapping) {
            out.writeStartObject()
            out.writeEndObject()
        }
    }

    override fun unwrappingSerializer(unwrapper: NameTransformer): ValueSerializer<Any> = ObjectSerializer(true)

    override fun isUnwrappingSerializer(): Boolean = isUnwrapping
}

private object ObjectDeserializers : Deserializers {

    override fun findBeanDeserializer(
        type: JavaType,
        config: DeserializationConfig,
        description: BeanDescription.Supplier,
    ): ValueDeserializer<*>? = type.rawClass.theObject()?.let(::ObjectDeserializer)

    override fun hasDeserializerFor(config: DeserializationConfig, valueType: Class<*>): Boolean = false
}

/** Reads the end of an object in JSON, whatever it may hold, as [instance]. */
private class ObjectDeserializer(private val instance: Any) : ValueDeserializer<Any>() {

    override fun deserialize(input: JsonParser, context: DeserializationContext): Any {
        if (input.currentToken() == JsonToken.START_OBJECT) {
            input.nextToken()
        }
        while (input.currentToken() == JsonToken.PROPERTY_NAME) {
            input.nextToken()
            input.skipChildren()
            input.nextToken()
        }
        return if (input.currentToken() == JsonToken.END_OBJECT) {
            instance
        } else {
            context.handleUnexpectedToken(instance.javaClass, input)
        }
    }

    override fun getKnownPropertyNames(): Collection<Any> = emptyList()
}
