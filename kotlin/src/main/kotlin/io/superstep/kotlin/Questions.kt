package io.superstep.kotlin

import io.superstep.question.Question
import io.superstep.reactor.Resume
import kotlin.reflect.KType
import kotlin.reflect.typeOf
import kotlin.time.Duration
import kotlin.time.toJavaDuration

/**
 * A question that is answered with a `T`: a data class, whose properties that may be null or have a default may
 * be left out, a value class, an enum, a text, a number, a truth value, a record of Java, or a `List` of such.
 *
 * @throws IllegalArgumentException if no answer can be read as that
 */
public inline fun <reified T : Any> question(text: String): Question<T> = question(text, typeOf<T>())

@PublishedApi
@Suppress("UNCHECKED_CAST") // the type is that of T
internal fun <T : Any> question(text: String, type: KType): Question<T> {
    val reader = AnswerReader.of(type)
    return Question.of(text, reader.form) { answer -> reader.read(answer) as T }
}

/** The same question, to which [otherwise] is the answer once [time] has passed: see [Question.within]. */
@Suppress("UNCHECKED_CAST") // an answer is plain data until it is read
public fun <T : Any> Question<T>.within(time: Duration, otherwise: T?): Question<T> =
    (this as Question<Any>).within(time.toJavaDuration(), plain(otherwise)) as Question<T>

/** The same question with something to look at: plain data, enums, and data classes as their properties. */
public fun <T : Any> Question<T>.showing(vararg data: Pair<String, Any?>): Question<T> =
    showing(data.associate { (name, shown) -> name to plain(shown) })

/** Goes on with these answers, by key or id: `thread.await(answers("publish" to true, by = "ada"))`. */
public fun answers(vararg answers: Pair<String, Any?>, by: String? = null): Resume {
    val resume = Resume.answers(answers.associate { (question, answer) -> question to plain(answer) })
    return if (by == null) resume else resume.by(by)
}
