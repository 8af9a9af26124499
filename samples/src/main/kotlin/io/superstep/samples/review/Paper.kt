package io.superstep.samples.review

import io.superstep.graph.Graph
import io.superstep.kotlin.END
import io.superstep.kotlin.START
import io.superstep.kotlin.Schema
import io.superstep.kotlin.graph
import io.superstep.kotlin.question
import io.superstep.kotlin.showing
import io.superstep.kotlin.update
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.delay
import kotlinx.coroutines.flow.Flow
import kotlinx.coroutines.flow.flow

/** What an editor has to say. */
internal data class Review(val publish: Boolean, val remark: String = "")

/** What the graph remembers. */
internal object Paper : Schema() {
    val drafts by list<String>()
    val review by value<Review>()
}

/** Writes, asks its editor, and writes again until that is content. */
internal fun paper(): Graph = graph("paper", Paper) {
    flow("writer") { state ->
        words(state[Paper.review]?.remark).into(Paper.drafts) { it }
    }
    node("editor") { state ->
        val question = question<Review>("Publish?").showing("draft" to state[Paper.drafts].last())
        update { Paper.review set ask("review", question) }
    }
    START then "writer" then "editor"
    route("editor", to("writer", END)) { state -> if (state[Paper.review]!!.publish) END else "writer" }
}

/** What stands in for a model: one word at a time. */
private fun words(remark: String?): Flow<String> = flow {
    val draft = if (remark == null) "Graphs are trees that have given up." else "Graphs are trees with a way back."
    draft.split(" ").forEach { word ->
        delay(120.milliseconds)
        emit("$word ")
    }
}
