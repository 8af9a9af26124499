package io.superstep.kotlin

import io.superstep.json.InvalidJsonException
import io.superstep.reactor.InMemoryCheckpointStore
import io.superstep.reactor.Resume
import io.superstep.state.Channel
import io.superstep.state.State
import io.superstep.state.Update
import io.superstep.json.ThreadCodec
import io.superstep.testkit.EncodingStore
import java.math.BigDecimal
import kotlin.time.Duration
import kotlin.time.Duration.Companion.milliseconds
import kotlin.time.Instant
import kotlinx.coroutines.test.runTest
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test

class KotlinJsonTests {

    enum class Mood { FINE, GRIM }

    @JvmInline
    value class UserId(val text: String)

    data class Address(val street: String, val number: Int = 1, val remark: String? = null)

    data class Person(
        val id: UserId,
        val name: String,
        val mood: Mood,
        val addresses: List<Address>,
        val scores: Map<String, Long>,
        val friend: Person? = null,
        val isActive: Boolean = true,
        val balance: BigDecimal = BigDecimal("1.50"),
    )

    sealed interface Step {
        data class Ask(val question: String) : Step
        data class All(val steps: List<Step>, val named: Map<String, Step>) : Step
        data object Done : Step
        object Idle : Step
    }

    sealed class Shape(val sides: Int) {
        data class Square(val length: Double) : Shape(4)
        data class Named<T>(val name: T) : Shape(0)
    }

    data class Page<T>(val items: List<T>, val next: Int?)

    data class Timed(val took: Duration, val at: Instant, val size: UInt, val pair: Pair<Int, String>)

    data class Hidden(private val secret: Int = 0, internal val shared: String = "", private val isKept: Boolean = false)

    open class Inherited(protected val code: Int) {
        override fun equals(other: Any?) = other is Inherited && other.code == code

        override fun hashCode() = code
    }

    class Heir(code: Int, private val id: UserId?) : Inherited(code) {
        override fun equals(other: Any?) = super.equals(other) && other is Heir && other.id == id

        override fun hashCode() = super.hashCode()
    }

    private object Kept : Schema() {
        val person by value<Person>()
        val people by list<Person>()
        val step by value<Step>()
        val steps by list<Step>()
        val shape by value<Shape>()
        val page by value<Page<Person>>()
        val pages by value<Map<String, List<Page<Step>>>>()
        val timed by value<Timed>()
        val id by value<UserId>()
        val mood by value(Mood.FINE)
        val hidden by value<Hidden>()
        val heir by value<Heir>()
    }

    private val ada = Person(
        UserId("7"),
        "Ada",
        Mood.GRIM,
        listOf(Address("Main Street"), Address("Side Street", 2, "rear")),
        mapOf("chess" to Long.MAX_VALUE),
        friend = Person(UserId(""), "", Mood.FINE, emptyList(), emptyMap(), isActive = false),
    )

    private val codec = Kept.jsonCodec()

    private fun <T> stored(channel: Channel<T>, value: T): String {
        val state = state(Update.of(channel, value))

        val bytes = codec.encode(state)
        val read = codec.decode(bytes)

        assertThat(read).isEqualTo(state)
        assertThat(read[channel]).isEqualTo(state[channel])
        return bytes.decodeToString()
    }

    private fun state(update: Update): State =
        Kept.stateSchema().start().fold(listOf(io.superstep.state.Contribution("test", update))).state()

    @Test
    fun dataClassesComeBackAsTheyWere() {
        assertThat(stored(Kept.person, ada)).contains("\"isActive\":true", "\"remark\":null", "\"id\":\"7\"")
        stored(Kept.people, listOf(ada, ada.friend!!))
    }

    @Test
    fun propertiesThatAreNotPublicComeBackToo() {
        assertThat(stored(Kept.hidden, Hidden(7, "x", true)))
            .contains("""{"secret":7,"shared":"x","isKept":true}""")
        stored(Kept.heir, Heir(3, UserId("a")))
        stored(Kept.heir, Heir(3, null))
    }

    @Test
    fun sealedTypesAreToldApartByTheirNames() {
        assertThat(stored(Kept.step, Step.Ask("why?"))).contains("""{"type":"ask","question":"why?"}""")
        assertThat(stored(Kept.step, Step.Done)).contains("""{"type":"done"}""")
        stored(Kept.shape, Shape.Square(0.1))
    }

    @Test
    fun sealedTypesStandInsideOthers() {
        val all = Step.All(listOf(Step.Done, Step.Ask("")), mapOf("last" to Step.Idle))

        stored(Kept.step, all)
        stored(Kept.steps, listOf(all, Step.Idle))
        stored(Kept.pages, mapOf("a" to listOf(Page(listOf(Step.Done, all), null))))
    }

    @Test
    fun anObjectComesBackAsTheOneThereIs() {
        val read = codec.decode(codec.encode(state(update { Kept.steps += listOf(Step.Done, Step.Idle) })))

        assertThat(read[Kept.steps][0]).isSameAs(Step.Done)
        assertThat(read[Kept.steps][1]).isSameAs(Step.Idle)
    }

    @Test
    fun genericTypesKeepTheirArguments() {
        stored(Kept.page, Page(listOf(ada), 2))
    }

    @Test
    fun typesOfKotlinsLibraryAreExact() {
        stored(
            Kept.timed,
            Timed(1_500.milliseconds, Instant.parse("2026-01-02T03:04:05.006007008Z"), UInt.MAX_VALUE, 1 to "one"),
        )
    }

    @Test
    fun aValueClassCanBeAChannelOfItsOwn() {
        stored(Kept.id, UserId("7"))
    }

    @Test
    fun anEnumIsItsName() {
        assertThat(stored(Kept.mood, Mood.GRIM)).contains("\"mood\":\"GRIM\"")
    }

    @Test
    fun nullWhereThereIsNoneIsRefused() {
        val text = stored(Kept.person, ada)

        assertThatThrownBy { codec.decode(text.replace("\"name\":\"Ada\"", "\"name\":null").encodeToByteArray()) }
            .isInstanceOf(InvalidJsonException::class.java)
        assertThatThrownBy {
            codec.decode(text.replace("\"addresses\":[{", "\"addresses\":[null,{").encodeToByteArray())
        }.isInstanceOf(InvalidJsonException::class.java)
    }

    @Test
    fun whatIsLeftOutIsTheDefault() {
        val text = stored(Kept.person, Person(UserId("1"), "Bob", Mood.FINE, emptyList(), emptyMap()))

        val read = codec.decode(text.replace(",\"isActive\":true", "").encodeToByteArray())

        assertThat(read[Kept.person]!!.isActive).isTrue
    }

    @Test
    fun aThreadThatIsStoredGoesOnWithEqualValues() = runTest {
        val graph = graph("kept", Kept) {
            node("a") { update { Kept.person set ada; Kept.steps += Step.Ask("?") } }
            node("b") { state -> update { Kept.people += state[Kept.person]!!; Kept.steps += Step.Done } }
            START then "a" then "b" then END
            interruptAfter("a")
        }
        val store = EncodingStore(InMemoryCheckpointStore(), ThreadCodec.builder().module(kotlinValues()).build())
        graph.runner { checkpoints(store) }.thread("t").await()

        val result = graph.runner { checkpoints(store) }.thread("t").await(Resume.GO_ON)

        assertThat(result.state()[Kept.people]).containsExactly(ada)
        assertThat(result.state()[Kept.steps]).containsExactly(Step.Ask("?"), Step.Done)
    }
}
