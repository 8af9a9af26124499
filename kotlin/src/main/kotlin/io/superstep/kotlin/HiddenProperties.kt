package io.superstep.kotlin

import kotlin.reflect.KProperty1
import kotlin.reflect.KVisibility
import kotlin.reflect.full.declaredMemberProperties
import kotlin.reflect.full.primaryConstructor
import kotlin.reflect.jvm.javaField
import kotlin.reflect.jvm.javaGetter
import tools.jackson.databind.PropertyName
import tools.jackson.databind.cfg.MapperConfig
import tools.jackson.databind.introspect.Annotated
import tools.jackson.databind.introspect.AnnotatedField
import tools.jackson.databind.introspect.AnnotatedMember
import tools.jackson.databind.introspect.AnnotatedMethod
import tools.jackson.databind.introspect.NopAnnotationIntrospector

/**
 * Lets Jackson see the properties of a constructor that are not public. Without it they would not be written,
 * or under another name, and what is read back would lack them, or have their defaults.
 */
internal object HiddenProperties : NopAnnotationIntrospector() {

    private fun readResolve(): Any = HiddenProperties

    /** One that is private or protected has no getter that Jackson looks at, but a field. */
    override fun findNameForSerialization(config: MapperConfig<*>, annotated: Annotated): PropertyName? {
        val field = (annotated as? AnnotatedField)?.annotated ?: return null
        val isHidden = ofConstructor(field.declaringClass).any { property ->
            property.javaField == field &&
                (property.visibility == KVisibility.PRIVATE || property.visibility == KVisibility.PROTECTED)
        }
        return if (isHidden) PropertyName.USE_DEFAULT else null
    }

    /** One that is internal has a getter whose name ends with that of the module. */
    override fun findImplicitPropertyName(config: MapperConfig<*>, member: AnnotatedMember): String? {
        val getter = (member as? AnnotatedMethod)?.annotated
        if (getter == null || '$' !in getter.name) {
            return null
        }
        return ofConstructor(getter.declaringClass).firstOrNull { it.javaGetter == getter }?.name
    }

    private fun ofConstructor(type: Class<*>): List<KProperty1<out Any, *>> {
        if (type.getAnnotation(Metadata::class.java)?.kind != CLASS) {
            return emptyList()
        }
        val names = type.kotlin.primaryConstructor?.parameters.orEmpty().map { it.name }
        return type.kotlin.declaredMemberProperties.filter { it.name in names }
    }

    /** Of a file with this [Metadata.kind] Kotlin can tell the properties. */
    private const val CLASS = 1
}
