package io.superstep.kotlin

import io.superstep.checkpoint.Checkpoint
import io.superstep.reactor.ApprovalView
import io.superstep.reactor.Approvals
import io.superstep.reactor.GraphThread
import io.superstep.reactor.Verdict
import kotlinx.coroutines.reactor.awaitSingle
import kotlinx.coroutines.reactor.awaitSingleOrNull

/** Approvals of what the node called [before] is about to do, with the channels that [configure] names. */
public fun approvals(before: String, configure: Approvals.Builder.() -> Unit): Approvals =
    Approvals.before(before).apply(configure).build()

/** Asks for a decision: see [Approvals.request]. */
public suspend fun Approvals.awaitRequest(thread: GraphThread): Checkpoint = request(thread).awaitSingle()

/** Says yes: see [Approvals.approve]. */
public suspend fun Approvals.awaitApprove(thread: GraphThread, by: String, text: String? = null): Checkpoint =
    approve(thread, by, text).awaitSingle()

/** Says no: see [Approvals.reject]. */
public suspend fun Approvals.awaitReject(thread: GraphThread, by: String, text: String? = null): Checkpoint =
    reject(thread, by, text).awaitSingle()

/** Sets channels that may be edited, by name: see [Approvals.edit]. */
public suspend fun Approvals.awaitEdit(thread: GraphThread, vararg fields: Pair<String, Any?>, by: String): Checkpoint =
    edit(thread, mapOf(*fields), by).awaitSingle()

/** Whether the thread may be resumed: see [Approvals.canResume]. */
public suspend fun Approvals.awaitVerdict(thread: GraphThread, maxRevisions: Int): Verdict =
    canResume(thread, maxRevisions).awaitSingle()

/** The thread as somebody sees it who has to decide; null if there is no such thread. */
public suspend fun Approvals.awaitView(thread: GraphThread): ApprovalView? = view(thread).awaitSingleOrNull()
