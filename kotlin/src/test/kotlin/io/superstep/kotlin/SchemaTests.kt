package io.superstep.kotlin

import io.superstep.message.Message
import io.superstep.state.Channel
import io.superstep.state.InvalidSchemaException
import io.superstep.state.InvalidUpdateException
import io.superstep.state.ListChannel
import io.superstep.value.TypeRef
import java.time.Instant
import kotlinx.coroutines.test.runTest
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test

class SchemaTests {

    data class Price(val item: String, val at: Instant)

    object Everything : Schema() {
        val plain by value<String>()
        val started by value(1)
        val nested by value(listOf(mapOf("a" to 1L)))
        val fresh by startingWith { listOf("anew") }
        val items by list<Price>()
        val talk by messages()
        val newest by newestByKey(Price::item, Price::at)
        val tags by set<String>()
        val counts by map<String, Int>()
        val deep by deepMap()
        val total by sum<Long>()
        val story by text()
        val highest by reduced(0) { current, update -> maxOf(current, update) }
        val made by channel { Channel.value("made-elsewhere", Int::class.javaObjectType) }
    }

    object Options : Schema() {
        val last by value(0) { lastWins() }
        val once by value<String> { writeOnce(Channel.Rewrite.IGNORE) }
        val valid by value(1) { validated("must be positive") { it > 0 } }
        val refusing by value<String> { refusing { if (it.isBlank()) "must not be blank" else null } }
        val short by value<String> { ephemeral() }
        val never by list<String> { runtimeOnly() }
        val argument by value(0) { argument() }
        val small by text { upTo(8) }
        val begun by list<Int> { startingAt(listOf(1)).upTo(1_000) }
    }

    object Viewed : Schema() {
        val low by value(0)
        val high by value(10)
        val secret by value("s")

        init {
            input(low, high)
            output(high)
            check("low", "must not be above high") { state -> state[low] <= state[high] }
        }
    }

    @Test
    fun channelsAreCalledLikeTheirPropertiesAndComeInTheirOrder() {
        assertThat(Everything.stateSchema().channels().map { it.name() }).containsExactly(
            "plain", "started", "nested", "fresh", "items", "talk", "newest", "tags", "counts", "deep", "total",
            "story", "highest", "made-elsewhere",
        )
        assertThat(Everything.started.name()).isEqualTo("started")
        assertThat(Everything.made.name()).isEqualTo("made-elsewhere")
    }

    @Test
    fun everyKindIsTheOneThatJavaMakes() {
        assertThat(Everything.plain).isEqualTo(Channel.value("plain", String::class.java))
        assertThat(Everything.started).isEqualTo(Channel.value("started", Int::class.javaObjectType))
        assertThat(Everything.nested.type()).hasToString("List<Map<String, Long>>")
        assertThat(Everything.items).isEqualTo(Channel.list("items", Price::class.java))
        assertThat(Everything.talk).isEqualTo(Channel.messages("talk"))
        assertThat(Everything.tags).isEqualTo(Channel.set("tags", String::class.java))
        assertThat(Everything.counts).isEqualTo(Channel.map("counts", String::class.java, Int::class.javaObjectType))
        assertThat(Everything.deep).isEqualTo(Channel.deepMap("deep"))
        assertThat(Everything.total).isEqualTo(Channel.sum("total", Long::class.javaObjectType))
        assertThat(Everything.story).isEqualTo(Channel.text("story"))
        assertThat(Everything.stateSchema().channels().map { it.reducer().isPresent }).containsExactly(
            false, false, false, false, true, true, true, true, true, true, true, true, true, false,
        )
    }

    @Test
    fun nullnessIsThatOfTheChannel() {
        val state = Everything.stateSchema().start()

        // It compiles only if null can be where it can be, and nowhere else: warnings are errors.
        val plain: String? = state[Everything.plain]
        val length: Int = state[Everything.plain]?.length ?: -1
        val started: Int = state[Everything.started]
        val items: List<Price> = state[Everything.items]
        val deep: Map<String, Any?> = state[Everything.deep]

        assertThat(plain).isNull()
        assertThat(length).isEqualTo(-1)
        assertThat(started).isEqualTo(1)
        assertThat(items).isEmpty()
        assertThat(deep).isEmpty()
        assertThat(state[Everything.fresh]).containsExactly("anew")
    }

    @Test
    fun everyOptionIsThere() {
        fun channel(name: String): Channel<*> = Options.stateSchema().channel(name)

        assertThat(Options.last.takesSeveralWriters()).isTrue
        assertThat(channel("short").lifetime()).isEqualTo(Channel.Lifetime.NEXT_STEP)
        assertThat(channel("never").lifetime()).isEqualTo(Channel.Lifetime.RUNTIME)
        assertThat(channel("argument").lifetime()).isEqualTo(Channel.Lifetime.ARGUMENT)
        assertThat(Options.stateSchema().start()[Options.begun]).containsExactly(1)
        assertThat(Options.never).isInstanceOf(ListChannel::class.java)
        assertThatThrownBy { update { Options.small += "much too long" } }
            .isInstanceOf(InvalidUpdateException::class.java)
    }

    @Test
    fun valuesAreCheckedAsTheOptionsSay() = runTest {
        val runner = graph("options", Options) {
            node("a") { update { Options.once set "first" } }
            node("b") { update { Options.once set "second" } }
            START then "a" then "b" then END
        }.runner()

        assertThat(runner.await().state()[Options.once]).isEqualTo("first")
        assertThat(runCatching { runner.await(update { Options.valid set 0 }) }.exceptionOrNull())
            .isInstanceOf(InvalidUpdateException::class.java)
            .hasMessageContaining("must be positive")
        assertThat(runCatching { runner.await(update { Options.refusing set " " }) }.exceptionOrNull())
            .hasMessageContaining("must not be blank")
    }

    @Test
    fun viewsAndChecksArePartOfIt() = runTest {
        val runner = graph("viewed", Viewed) {
            node("a") { update {} }
            START then "a" then END
        }.runner()

        assertThat(runner.await(update { Viewed.low set 3 }).output()).isEqualTo(mapOf("high" to 10))
        assertThat(runCatching { runner.await(update { Viewed.low set 11 }) }.exceptionOrNull())
            .hasMessageContaining("must not be above high")
        assertThat(runCatching { runner.await(update { Viewed.secret set "x" }) }.exceptionOrNull())
            .isInstanceOf(InvalidUpdateException::class.java)
    }

    @Test
    fun twoPropertiesMustNotMakeOneChannel() {
        val twice = object : Schema() {
            val one by value(0)
            val other by channel { Channel.value("one", object : TypeRef<Int>() {}) }
        }

        assertThat(twice.one).isNotSameAs(twice.other)
        assertThatThrownBy { twice.stateSchema() }.isInstanceOf(InvalidSchemaException::class.java)
    }

    @Test
    fun aPropertyThatComesTooLateIsRefused() {
        assertThatThrownBy {
            object : Schema() {
                val early by value(0)
                val whole = stateSchema()
                val late by value(0)
            }
        }.isInstanceOf(IllegalStateException::class.java).hasMessageContaining("'late'")
    }

    @Test
    fun aMessageIsFoldedAsJavaFoldsIt() = runTest {
        val runner = graph("talk", Everything) {
            node("a") { update { Everything.talk += Message.ai("new").withId("1") } }
            START then "a" then END
        }.runner()

        val result = runner.await(update { Everything.talk += listOf(Message.ai("old").withId("1")) })

        assertThat(result.state()[Everything.talk].map(Message::content)).containsExactly("new")
    }
}
