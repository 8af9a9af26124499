package io.superstep.kotlin

import io.superstep.graph.Command
import io.superstep.graph.Send
import io.superstep.memory.MemoryWrite
import io.superstep.memory.Namespace
import io.superstep.state.Update
import kotlinx.coroutines.delay
import kotlinx.coroutines.test.runTest
import org.assertj.core.api.Assertions.assertThat
import org.assertj.core.api.Assertions.assertThatThrownBy
import org.junit.jupiter.api.Test

class UpdatesTests {

    private object Things : Schema() {
        val round by value(0)
        val note by value<String>()
        val log by list<String>()
        val count by sum<Int>()
        val tags by set<String>()
        val scores by map<String, Int>()
        val story by text()
    }

    @Test
    fun setPutsAValueInThePlaceOfAnother() {
        assertThat(update { Things.round set 1 }).isEqualTo(Update.of(Things.round, 1))
        assertThat(update { Things.note set null }).isEqualTo(Update.of(Things.note, null))
    }

    @Test
    fun setReplacesWhatAReducerHasGathered() {
        assertThat(update { Things.log set listOf("a") }).isEqualTo(Update.overwrite(Things.log, listOf("a")))
        assertThat(update { Things.count set 0 }).isEqualTo(Update.overwrite(Things.count, 0))
    }

    @Test
    fun plusAssignFoldsIn() {
        val folded = update {
            Things.log += "a"
            Things.log += listOf("b", "c")
            Things.count += 2
            Things.tags += setOf("x")
            Things.scores += mapOf("x" to 1)
            Things.story += "Once"
        }

        assertThat(folded).isEqualTo(
            Update.append(Things.log, "a")
                .and(Things.log, listOf("b", "c"))
                .and(Things.count, 2)
                .and(Things.tags, setOf("x"))
                .and(Things.scores, mapOf("x" to 1))
                .and(Things.story, "Once"),
        )
    }

    @Test
    fun nothingCanBeAddedToWhatHasNoReducer() {
        assertThatThrownBy { update { Things.round += 1 } }
            .isInstanceOf(IllegalArgumentException::class.java)
            .hasMessageContaining("Use: round set ...")
    }

    @Test
    fun writesCanBeNamedAndTakenFromElsewhere() {
        val written = update {
            write("log", listOf("a"))
            overwrite("count", 7)
            write(Things.count, 1)
            overwrite(Things.tags, emptySet())
            add(Update.of(Things.round, 3))
        }

        assertThat(written).isEqualTo(
            Update.of("log", listOf("a"))
                .and(Update.overwrite("count", 7))
                .and(Things.count, 1)
                .and(Update.overwrite(Things.tags, emptySet<String>()))
                .and(Things.round, 3),
        )
        assertThat(update {}).isSameAs(Update.NOTHING)
    }

    @Test
    fun whatIsWrittenMayBeWaitedFor() = runTest {
        suspend fun reply(): String {
            delay(1_000)
            return "late"
        }

        assertThat(update { Things.log += reply() }).isEqualTo(Update.append(Things.log, "late"))
    }

    @Test
    fun aCommandGoesSendsAndRemembers() {
        val memory = MemoryWrite.put(Namespace.of("users"), "ada", mapOf("likes" to "tea"))

        val said = command {
            Things.log += "a"
            goTo("b", END)
            send("work") { Things.round set 1 }
            send(Send.to("rest"))
            remember(memory)
            inParent()
        }

        assertThat(said).isEqualTo(
            Command.goTo("b", END)
                .and(Command.send(Send.to("work", Things.round, 1), Send.to("rest")))
                .and(Command.remember(memory))
                .with(Update.append(Things.log, "a"))
                .inParent(),
        )
    }

    @Test
    fun goToIsACommandOfOneWord() {
        assertThat(goTo("b")).isEqualTo(Command.goTo("b"))
        assertThat(goTo("b", "c") { Things.round set 1 })
            .isEqualTo(Command.goTo("b", "c").with(Update.of(Things.round, 1)))
    }
}
