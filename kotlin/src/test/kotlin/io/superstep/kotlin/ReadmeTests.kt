package io.superstep.kotlin

import io.superstep.event.GraphEvent
import io.superstep.event.GraphEvent.RunCompleted
import io.superstep.message.Message
import io.superstep.reactor.RunResult
import java.nio.file.Path
import kotlin.io.path.readText
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flowOf
import kotlinx.coroutines.flow.last
import kotlinx.coroutines.test.runTest
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

/** The Kotlin of the README, as it stands there. */
class ReadmeTests {

    object Debate : Schema() {
        val messages by messages()
        val round by value(0)
    }

    val debate = graph("debate", Debate) {
        node("optimist") { update { Debate.messages += Message.ai("Yes.") } }
        flow("skeptic") { state ->
            flowOf("N", "o.").into(Debate.messages) { Message.ai(it) }
            emit(update { Debate.round set state[Debate.round] + 1 })
        }
        compute("moderator") { update { Debate.messages += Message.ai("It depends.") } }
        START then "optimist" then "skeptic"
        "moderator" then END
        route("skeptic", to("optimist", "moderator")) { state -> if (state[Debate.round] < 3) "optimist" else "moderator" }
    }

    @Test
    fun theGraphRunsAsWritten() = runTest {
        val runner = debate.runner()
        val events: Flow<GraphEvent> = runner.events(update { Debate.messages += Message.human("Should AI be regulated?") })
        val result: RunResult = runner.await(update { Debate.messages += Message.human("Should AI be regulated?") })

        assertThat(events.last()).isInstanceOf(RunCompleted::class.java)
        assertThat(result.state()[Debate.messages].map(Message::content)).containsExactly(
            "Should AI be regulated?", "Yes.", "No.", "Yes.", "No.", "Yes.", "No.", "It depends.",
        )
    }

    @Test
    fun thePictureIsTheOneTheGraphDraws() {
        assertThat(Path.of("../README.md").readText()).contains(debate.mermaid())
    }
}
