package io.superstep.kotlin

import io.superstep.question.AnswerForm
import io.superstep.question.Question
import java.lang.reflect.InvocationTargetException
import kotlin.reflect.KClass
import kotlin.reflect.KParameter
import kotlin.reflect.KType
import kotlin.reflect.full.declaredMemberProperties
import kotlin.reflect.full.primaryConstructor
import kotlin.reflect.jvm.isAccessible

/** Reads answers, which are plain data, as values of one type of Kotlin. */
internal sealed interface AnswerReader {

    /** What an answer looks like that can be read. */
    val form: AnswerForm

    fun read(answer: Any): Any

    companion object {

        fun of(type: KType): AnswerReader {
            val known = type.classifier as? KClass<*>
            return when {
                known == null -> throw IllegalArgumentException("Type $type cannot be the type of an answer: it has an open type parameter.")
                known == List::class -> Several(Part.of(type.arguments.single().type ?: throw anything(type)))
                known.isValue -> Wrapped(known)
                known.isData -> Fields(known)
                else -> Plain(Question.of("", known.javaObjectType))
            }
        }

        private fun anything(type: KType) = IllegalArgumentException("Type $type cannot be the type of an answer: its element type is missing.")
    }

    /** What Java reads. */
    private class Plain(private val question: Question<out Any>) : AnswerReader {

        override val form: AnswerForm get() = question.prompt().form()

        override fun read(answer: Any): Any = question.read("", answer)!!
    }

    private class Several(private val each: Part) : AnswerReader {

        override val form = AnswerForm.ListOf(each.form)

        override fun read(answer: Any): Any = (answer as List<*>).map(each::read)
    }

    /** A value class, which is answered as what it holds. */
    private class Wrapped(private val type: KClass<*>) : AnswerReader {

        private val held = Part.of(type.primaryConstructor!!.parameters.single().type)

        override val form = held.form

        override fun read(answer: Any): Any = type.made(mapOf(type.primaryConstructor!!.parameters.single() to held.read(answer)))
    }

    /** A data class; a property that is left out has its default. */
    private class Fields(private val type: KClass<*>) : AnswerReader {

        private val parts = type.primaryConstructor!!.parameters.associateWith { Part.of(it.type, it.isOptional) }

        override val form = AnswerForm.Fields(parts.entries.associate { (parameter, part) -> parameter.name!! to part.form })

        override fun read(answer: Any): Any {
            val fields = answer as Map<*, *>
            val given = parts.filterKeys { fields[it.name] != null || !it.isOptional }
            return type.made(given.mapValues { (parameter, part) -> part.read(fields[parameter.name]) })
        }
    }

    /** What stands in a place that may be empty. */
    private class Part private constructor(private val reader: AnswerReader, mayBeLeftOut: Boolean) {

        val form: AnswerForm = if (mayBeLeftOut) AnswerForm.OrNothing(reader.form) else reader.form

        fun read(answer: Any?): Any? = answer?.let(reader::read)

        companion object {

            fun of(type: KType, isOptional: Boolean = false) = Part(AnswerReader.of(type), type.isMarkedNullable || isOptional)
        }
    }
}

/** An instance that is made of [arguments]; what its constructor refuses is no answer. */
private fun KClass<*>.made(arguments: Map<KParameter, Any?>): Any {
    val constructor = primaryConstructor!!
    constructor.isAccessible = true
    return try {
        constructor.callBy(arguments)
    } catch (refused: InvocationTargetException) {
        throw IllegalArgumentException("The constructor of $simpleName refused the answer.", refused.cause ?: refused)
    }
}

/** [value] with data classes, wherever they stand in it, as maps of their properties, and value classes as what they hold. */
internal fun plain(value: Any?): Any? = when {
    value is Map<*, *> -> value.mapValues { (_, each) -> plain(each) }
    value is Collection<*> -> value.map(::plain)
    value == null || !value.javaClass.isAnnotationPresent(Metadata::class.java) -> value
    value::class.isData -> value.properties()
    value::class.isValue -> value.properties().values.single()
    else -> value
}

private fun Any.properties(): Map<String, Any?> {
    val properties = this::class.declaredMemberProperties.associateBy { it.name }
    return this::class.primaryConstructor!!.parameters.associate { parameter ->
        val getter = properties.getValue(parameter.name!!).getter
        getter.isAccessible = true
        parameter.name!! to plain(getter.call(this))
    }
}
