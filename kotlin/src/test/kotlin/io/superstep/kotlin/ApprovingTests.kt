package io.superstep.kotlin

import io.superstep.question.AlreadyAnsweredException
import io.superstep.reactor.GraphThread
import io.superstep.reactor.InMemoryCheckpointStore
import io.superstep.reactor.Resume
import kotlinx.coroutines.test.runTest
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test

class ApprovingTests {

    private object Research : Schema() {
        val awaiting by value(false)
        val approved by value<Boolean>()
        val feedback by value<String>()
        val plan by value<String>()
        val log by list<String>()
    }

    private val approvals = approvals("act") {
        awaiting(Research.awaiting)
        approved(Research.approved)
        feedback(Research.feedback)
        plan(Research.plan)
        editable(Research.plan)
    }

    private fun thread(): GraphThread {
        val research = graph("research", Research) {
            node("plan") { update { Research.plan set "a plan" } }
            node("act") { state -> update { Research.log += "${state[Research.plan]} ${state[Research.feedback]}" } }
            node("done") { update { Research.log += "done" } }
            START then "plan" then "act"
            route("act", to("done", END), approvals.decision("done", END))
            "done" then END
            interruptBefore("act")
        }
        return research.runner { checkpoints(InMemoryCheckpointStore()) }.thread("t")
    }

    @Test
    fun somebodyAsksSomebodyEditsAndSomebodyApproves() = runTest {
        val thread = thread()
        assertThat(approvals.awaitView(thread)).isNull()
        thread.await()

        approvals.awaitRequest(thread)
        val mayGoOn = approvals.awaitVerdict(thread, maxRevisions = 3).canResume()
        approvals.awaitEdit(thread, "plan" to "a better plan", by = "ada")
        approvals.awaitApprove(thread, by = "ada")

        assertThat(mayGoOn).isFalse
        assertThat(approvals.awaitView(thread)!!.state()["plan"]).isEqualTo("a better plan")
        assertThat(thread.await(Resume.GO_ON).state()[Research.log])
            .containsExactly("a better plan Approved by user", "done")
    }

    @Test
    fun somebodyRejectsAndNobodyElseDecides() = runTest {
        val thread = thread()
        thread.await()
        approvals.awaitRequest(thread)

        approvals.awaitReject(thread, by = "ada", text = "too dear")
        val late = runCatching { approvals.awaitApprove(thread, by = "bob") }.exceptionOrNull()

        assertThat(late).isInstanceOf(AlreadyAnsweredException::class.java)
        assertThat(thread.await(Resume.GO_ON).state()[Research.log]).containsExactly("a plan too dear")
    }
}
