package io.superstep.kotlin

import io.superstep.graph.Graph
import io.superstep.message.Message
import kotlin.time.Duration.Companion.seconds

/** The channels of [JavaDebate], as Kotlin says them. */
internal object Debate : Schema() {
    val messages by messages()
    val round by value(0)
    val topic by value<String> { writeOnce() }
    val votes by sum<Int>()
    val voter by value(0) { argument() }
}

/** The graph of [JavaDebate], as Kotlin says it. */
internal fun kotlinDebate(): Graph {
    val epilogue = graph("epilogue") {
        channels(Debate.messages)
        compute("moderator") { update { Debate.messages += Message.ai("It depends.") } }
        START then "moderator" then END
    }
    return graph("debate", Debate) {
        node("optimist") { update { Debate.messages += Message.ai("Yes.") } }
        flow("skeptic") { state ->
            chunk("N")
            chunk("o.")
            emit(update { Debate.messages += Message.ai("No.") })
            emit(update { Debate.round set state[Debate.round] + 1 })
        }
        node("audience") { update { Debate.messages += Message.ai("Hm.") } }
        node("press") { update {} }
        compute("vote") { state -> update { Debate.votes += state[Debate.voter] } }
        subgraph("epilogue", epilogue)

        START then "optimist" then "skeptic"
        route("skeptic", to("optimist", "audience")) { state ->
            if (state[Debate.round] < 2) "optimist" else "audience"
        }
        "audience" then "press"
        fanOut("press", to("vote")) { (1..2).map { number -> send("vote") { Debate.voter set number } } }
        all("press", "vote") then "epilogue" then END
        defer("epilogue")
        policy("optimist") {
            attempts = 2
            timeout = 5.seconds
        }
    }
}
