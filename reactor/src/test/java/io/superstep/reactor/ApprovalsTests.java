package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.checkpoint.UnknownThreadException;
import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.question.AlreadyAnsweredException;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.State;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** People who approve what a graph is about to do, or do not. */
class ApprovalsTests extends OnAThread {

  private static final Channel<Boolean> AWAITING =
      Channel.value("awaiting_approval", Boolean.class).startingAt(false);
  private static final Channel<@Nullable Boolean> APPROVED =
      Channel.value("approved", Boolean.class);
  private static final Channel<@Nullable String> FEEDBACK =
      Channel.value("user_feedback", String.class);
  private static final Channel<Integer> REVISIONS =
      Channel.value("revision_count", Integer.class).startingAt(0);
  private static final Channel<@Nullable String> ERROR = Channel.value("error", String.class);
  private static final Channel<@Nullable String> PLAN = Channel.value("plan", String.class);
  private static final ListChannel<String> PERSPECTIVES =
      Channel.list("perspectives", String.class);
  private static final ListChannel<String> STEPS = Channel.list("steps", String.class);
  private static final Channel<@Nullable String> REPORT =
      Channel.value("final_report", String.class);
  private static final Channel<String> SECRET =
      Channel.value("secret", String.class).startingAt("hidden");

  private static final String GATE = "planner_approval";

  private final Approvals approvals = Approvals.before(GATE)
      .awaiting(AWAITING)
      .approved(APPROVED)
      .feedback(FEEDBACK)
      .revisions(REVISIONS)
      .error(ERROR)
      .plan(PLAN)
      .report(REPORT)
      .editable(PERSPECTIVES, STEPS, PLAN)
      .build();

  private GraphBuilder channels() {
    return Graph.builder("research")
        .channels(AWAITING, APPROVED, FEEDBACK, REVISIONS, ERROR)
        .channels(PLAN, PERSPECTIVES, STEPS, REPORT, SECRET, LOG)
        .output(AWAITING, APPROVED, FEEDBACK, PLAN, PERSPECTIVES, LOG);
  }

  private Update planned(State state) {
    return called("planner")
        .and(PLAN, "plan " + state.get(REVISIONS))
        .and(Update.append(PERSPECTIVES, "General"))
        .and(REVISIONS, state.get(REVISIONS) + 1);
  }

  /** Plans, waits before its approval, and does research or plans again. */
  private Graph research() {
    return channels()
        .compute("planner", this::planned)
        .compute(GATE, state -> called(GATE).and(Update.append(LOG, "told " + state.get(FEEDBACK))))
        .compute("researcher", state -> called("researcher").and(REPORT, "all is well"))
        .sequence(START, "planner", GATE)
        .route(GATE, to("researcher", "planner"), approvals.decision("researcher", "planner"))
        .edge("researcher", END)
        .interruptBefore(GATE)
        .build();
  }

  private GraphThread paused() {
    GraphThread thread = thread(research());
    thread.run(Update.NOTHING).block(PATIENCE);
    return thread;
  }

  @Test
  @DisplayName("Promise 11: a fatal error of an operator behind an approval reaches its caller")
  void operatorThrows() {
    GraphThread thread = paused();
    Error error = new LinkageError("broken");

    for (Mono<?> call : List.of(
        approvals.request(thread),
        approvals.approve(thread, "ada", null),
        approvals.view(thread),
        approvals.canResume(
            GraphRunner.builder(research()).checkpoints(store).build().thread("unknown"), 3))) {
      assertThatThrownBy(() -> call.map(any -> {
                throw error;
              })
              .block(PATIENCE))
          .isSameAs(error);
    }
  }

  private GraphThread requested() {
    GraphThread thread = paused();
    approvals.request(thread).block(PATIENCE);
    return thread;
  }

  private static SavedThread saved(GraphThread thread) {
    return thread.state().block(PATIENCE);
  }

  private static State state(GraphThread thread) {
    return saved(thread).position().state();
  }

  private static RunResult resume(GraphThread thread) {
    return RunResult.of(thread.resume()).block(PATIENCE);
  }

  private static long count(GraphThread thread) {
    return thread.history().count().block(PATIENCE);
  }

  @Nested
  class Requests {

    @Test
    @DisplayName("S2.21 asking for approval marks the state, and the checkpoint says what it is")
    void marks() {
      GraphThread thread = paused();

      Checkpoint asked = approvals.request(thread).block(PATIENCE);

      assertThat(state(thread).get(AWAITING)).isTrue();
      assertThat(state(thread).get(APPROVED)).isNull();
      assertThat(asked).isEqualTo(saved(thread).checkpoint());
      assertThat(asked.cause())
          .isEqualTo(Cause.update("approvals", "awaiting approval before 'planner_approval'"));
      assertThat(asked.due()).containsExactly(Due.by(GATE));
    }

    @Test
    @DisplayName("S2.21 asking again while a decision is awaited writes nothing")
    void once() {
      GraphThread thread = requested();
      Checkpoint before = saved(thread).checkpoint();

      Checkpoint again = approvals.request(thread).block(PATIENCE);

      assertThat(again).isEqualTo(before).isEqualTo(saved(thread).checkpoint());
    }

    @Test
    @DisplayName("S2.21 asking again does not undo what was decided, until something has changed")
    void keepsTheDecision() {
      GraphThread thread = requested();
      approvals.approve(thread, "ada", null).block(PATIENCE);

      assertThatExceptionOfType(AlreadyAnsweredException.class)
          .isThrownBy(() -> approvals.request(thread).block(PATIENCE))
          .withMessageContaining("'ada'");
      assertThat(state(thread).get(APPROVED)).isTrue();

      thread.update(Update.of(PLAN, "another"), "bob", null).block(PATIENCE);
      approvals.request(thread).block(PATIENCE);
      assertThat(state(thread).get(APPROVED)).isNull();
      assertThat(state(thread).get(AWAITING)).isTrue();
    }

    @Test
    @DisplayName("S2.21 a node that plans can say itself that approval is awaited")
    void byTheNode() {
      GraphThread thread = thread(channels()
          .compute("planner", state -> planned(state).and(approvals.awaited()))
          .compute(GATE, state -> called(GATE))
          .compute("researcher", state -> called("researcher"))
          .sequence(START, "planner", GATE)
          .route(GATE, to("researcher", "planner"), approvals.decision("researcher", "planner"))
          .edge("researcher", END)
          .interruptBefore(GATE)
          .build());
      thread.run(Update.NOTHING).block(PATIENCE);
      approvals.approve(thread, "ada", null).block(PATIENCE);
      resume(thread);

      thread.run(Update.NOTHING).block(PATIENCE); // the next turn plans anew

      assertThat(state(thread).get(APPROVED)).isNull();
      assertThat(approvals.canResume(thread, 9).block(PATIENCE))
          .isEqualTo(Verdict.no("Awaiting approval"));
      resume(thread);
      assertThat(calls()).containsEntry("researcher", 1);
    }

    @Test
    @DisplayName("S2.21 there is nothing to approve anywhere else, and the error says where it is")
    void elsewhere() {
      GraphThread thread = requested();
      approvals.approve(thread, "ada", null).block(PATIENCE);
      resume(thread);

      assertThatExceptionOfType(NothingToApproveException.class)
          .isThrownBy(() -> approvals.request(thread).block(PATIENCE))
          .withMessageContaining(
              "is not interrupted before node 'planner_approval'; no tasks are pending.")
          .satisfies(refused -> assertThat(refused.code()).isEqualTo("SG-445"));
    }

    @Test
    @DisplayName("S2.22 a thread that is new is empty, and no exception")
    void unknownThread() {
      GraphThread thread = thread(research());

      assertThat(thread.state().blockOptional(PATIENCE)).isEmpty();
      assertThat(approvals.view(thread).blockOptional(PATIENCE)).isEmpty();
      assertThat(approvals.canResume(thread, 3).block(PATIENCE))
          .isEqualTo(Verdict.no("No checkpoint found"));
      assertThatExceptionOfType(UnknownThreadException.class)
          .isThrownBy(() -> approvals.approve(thread, "ada", null).block(PATIENCE));
      assertThat(thread.run(Update.NOTHING).block(PATIENCE).state().get(PLAN)).isEqualTo("plan 0");
      assertThat(saved(thread).position().nodes()).containsExactly(GATE);
    }
  }

  @Nested
  class Decisions {

    @Test
    @DisplayName("S2.23 an approval clears the flag and keeps what was said, in a child checkpoint")
    void approval() {
      GraphThread thread = paused();
      Checkpoint asked = approvals.request(thread).block(PATIENCE);

      Checkpoint decided = approvals.approve(thread, "ada", "Looks good!").block(PATIENCE);

      assertThat(decided.parent()).isEqualTo(asked.id());
      assertThat(decided.cause()).isEqualTo(Cause.update("ada", "Looks good!"));
      assertThat(decided.due()).containsExactly(Due.by(GATE));
      assertThat(state(thread).get(AWAITING)).isFalse();
      assertThat(state(thread).get(APPROVED)).isTrue();
      assertThat(state(thread).get(FEEDBACK)).isEqualTo("Looks good!");
    }

    @Test
    @DisplayName("S2.24 a rejection is kept, and says that it is one even without words")
    void rejection() {
      GraphThread thread = requested();

      approvals.reject(thread, "ada", null).block(PATIENCE);

      assertThat(state(thread).get(AWAITING)).isFalse();
      assertThat(state(thread).get(APPROVED)).isFalse();
      assertThat(state(thread).get(FEEDBACK)).isEqualTo("Rejected by user");
      assertThat(approvals.canResume(thread, 3).block(PATIENCE))
          .isEqualTo(Verdict.no("Rejected by user"));
    }

    @Test
    @DisplayName("S2.24 a rejection never takes the approved path, until there is another plan")
    void rejectionBlocks() {
      GraphThread thread = requested();
      approvals.reject(thread, "ada", "Too long").block(PATIENCE);

      resume(thread); // although nobody should

      assertThat(calls()).isEqualTo(Map.of("planner", 2, GATE, 1));
      assertThat(saved(thread).position().nodes()).containsExactly(GATE);
      approvals.request(thread).block(PATIENCE);
      approvals.approve(thread, "ada", null).block(PATIENCE);
      assertThat(approvals.canResume(thread, 3).block(PATIENCE)).isEqualTo(Verdict.YES);
      assertThat(resume(thread).state().get(REPORT)).isEqualTo("all is well");
      assertThat(calls()).isEqualTo(Map.of("planner", 2, GATE, 2, "researcher", 1));
    }

    @Test
    @DisplayName("S2.24 what nobody has decided does not take the approved path either")
    void undecided() {
      GraphThread thread = paused();
      assertThat(approvals.canResume(thread, 3).block(PATIENCE))
          .isEqualTo(Verdict.no("Awaiting approval"));

      resume(thread);

      assertThat(calls()).isEqualTo(Map.of("planner", 2, GATE, 1));
    }

    @Test
    @DisplayName("S2.23 approving what nobody has asked for is refused, and says how things stand")
    void notRequested() {
      GraphThread thread = paused();

      assertThatExceptionOfType(NothingToApproveException.class)
          .isThrownBy(() -> approvals.approve(thread, "ada", null).block(PATIENCE))
          .withMessageContaining("but no approval was requested.")
          .satisfies(refused -> assertThat(refused.code()).isEqualTo("SG-445"));
      assertThatExceptionOfType(NothingToApproveException.class)
          .isThrownBy(() -> Approvals.before("researcher")
              .awaiting(AWAITING)
              .approved(APPROVED)
              .feedback(FEEDBACK)
              .build()
              .reject(thread, "ada", null)
              .block(PATIENCE))
          .withMessageContaining("pending tasks: [planner_approval].");
      assertThat(count(thread)).isEqualTo(2);
    }

    @Test
    @DisplayName("S2.23 nothing is left to approve when the thread went on without a decision")
    void wentOn() {
      GraphThread thread = thread(channels()
          .compute("planner", ApprovalsTests.this::planned)
          .compute(GATE, state -> called(GATE))
          .sequence(START, "planner", GATE, END)
          .interruptBefore(GATE)
          .build());
      thread.run(Update.NOTHING).block(PATIENCE);
      approvals.request(thread).block(PATIENCE);
      resume(thread);

      assertThatExceptionOfType(NothingToApproveException.class)
          .isThrownBy(() -> approvals.approve(thread, "ada", null).block(PATIENCE))
          .withMessageContaining("no tasks are pending.");
      assertThat(state(thread).get(APPROVED)).isNull();
    }

    @Test
    @DisplayName("S4.17 approval is a flag and an answer that is open, yes or no")
    void triState() {
      GraphThread thread = requested();
      assertThat(state(thread).get(AWAITING)).isTrue();
      assertThat(state(thread).get(APPROVED)).isNull();

      approvals.reject(thread, "ada", null).block(PATIENCE);
      assertThat(state(thread).get(AWAITING)).isFalse();
      assertThat(state(thread).get(APPROVED)).isFalse();

      resume(thread);
      approvals.request(thread).block(PATIENCE);
      assertThat(state(thread).get(AWAITING)).isTrue();
      assertThat(state(thread).get(APPROVED)).isNull();

      approvals.approve(thread, "ada", null).block(PATIENCE);
      assertThat(state(thread).get(AWAITING)).isFalse();
      assertThat(state(thread).get(APPROVED)).isTrue();
    }
  }

  @Nested
  class SeveralReviewers {

    @Test
    @DisplayName("S2.25 fifty reviewers decide at once: one child checkpoint, the others are told")
    void fifty() {
      GraphThread thread = requested();
      long before = count(thread);

      List<Object> results = Flux.range(0, 50)
          .flatMap(
              number -> (number % 2 == 0
                      ? approvals.approve(thread(research()), "reviewer " + number, null)
                      : approvals.reject(thread(research()), "reviewer " + number, null))
                  .cast(Object.class)
                  .onErrorResume(Mono::just)
                  .subscribeOn(Schedulers.boundedElastic()),
              50)
          .collectList()
          .block(PATIENCE);

      Checkpoint child = saved(thread).checkpoint();
      assertThat(results)
          .hasSize(50)
          .filteredOn(Checkpoint.class::isInstance)
          .containsExactly(child);
      assertThat(results)
          .filteredOn(result -> result != child && !(result instanceof Checkpoint))
          .hasSize(49)
          .allSatisfy(
              result -> assertThat(((AlreadyAnsweredException) result).answer().by())
                  .isEqualTo(child.cause().author()));
      assertThat(count(thread)).isEqualTo(before + 1);
    }

    @Test
    @DisplayName("S2.25 who finds the thread busy for a moment waits, and decides then")
    void waits() {
      VirtualTimeScheduler timer = VirtualTimeScheduler.create();
      GraphThread thread = requested();
      GraphThread timed = GraphRunner.builder(research())
          .checkpoints(store)
          .timer(timer)
          .build()
          .thread("t");
      Lease held =
          Mono.from(store.acquire("t", "somebody", Duration.ofMinutes(1))).block(PATIENCE);

      StepVerifier.create(approvals.approve(timed, "ada", null))
          .expectSubscription()
          .then(() -> timer.advanceTimeBy(Duration.ofSeconds(1)))
          .then(() -> assertThat(state(thread).get(APPROVED)).isNull())
          .then(() -> Mono.from(store.release(held, Release.SETTLED)).block(PATIENCE))
          .then(() -> timer.advanceTimeBy(Duration.ofSeconds(1)))
          .assertNext(decided -> assertThat(decided.cause().author()).isEqualTo("ada"))
          .expectComplete()
          .verify(PATIENCE);
    }

    @Test
    @DisplayName("S2.25 who finds the thread busy for long is told so in the end")
    void givesUp() {
      VirtualTimeScheduler timer = VirtualTimeScheduler.create();
      requested();
      GraphThread timed = GraphRunner.builder(research())
          .checkpoints(store)
          .timer(timer)
          .build()
          .thread("t");
      Mono.from(store.acquire("t", "somebody", Duration.ofMinutes(1))).block(PATIENCE);

      StepVerifier.create(approvals.approve(timed, "ada", null))
          .expectSubscription()
          .then(() -> timer.advanceTimeBy(Duration.ofSeconds(10)))
          .expectError(ThreadBusyException.class)
          .verify(PATIENCE);
    }

    @Test
    @DisplayName(
        "S2.25 who comes too late is told at once, while the thread goes on or has gone on")
    void late() {
      Sinks.Empty<Void> gate = Sinks.empty();
      GraphThread thread = thread(channels()
          .compute("planner", ApprovalsTests.this::planned)
          .node(GATE, state -> gate.asMono().then(Mono.just(called(GATE))))
          .sequence(START, "planner", GATE, END)
          .interruptBefore(GATE)
          .build());
      thread.run(Update.NOTHING).block(PATIENCE);
      approvals.request(thread).block(PATIENCE);
      approvals.approve(thread, "ada", null).block(PATIENCE);
      Mono<RunResult> running = RunResult.of(thread.resume()).cache();
      running.subscribe();

      StepVerifier.create(approvals.reject(thread, "bob", null))
          .expectErrorSatisfies(this::byAda)
          .verify(PATIENCE);
      gate.tryEmitEmpty();
      assertThat(running.block(PATIENCE).isCompleted()).isTrue();
      StepVerifier.create(approvals.reject(thread, "bob", null))
          .expectErrorSatisfies(this::byAda)
          .verify(PATIENCE);
    }

    private void byAda(Throwable refused) {
      assertThat(refused)
          .isInstanceOf(AlreadyAnsweredException.class)
          .hasMessageContaining("already answered by 'ada'");
    }

    @Test
    @DisplayName("S2.25 who has seen another plan than the one that stands decides nothing")
    void seenAnotherPlan() {
      GraphThread thread = requested();
      CheckpointId seen = approvals.view(thread).block(PATIENCE).checkpoint();
      approvals.edit(thread, Map.of("plan", "all of it"), "bob").block(PATIENCE);

      assertThatExceptionOfType(CheckpointConflictException.class)
          .isThrownBy(() -> approvals.seenAt(seen).approve(thread, "ada", null).block(PATIENCE))
          .satisfies(refused -> assertThat(refused.code()).isEqualTo("SG-402"));

      CheckpointId now = approvals.view(thread).block(PATIENCE).checkpoint();
      approvals.seenAt(now).approve(thread, "ada", null).block(PATIENCE);
      assertThat(state(thread).get(APPROVED)).isTrue();
    }
  }

  @Nested
  class Edits {

    @Test
    @DisplayName("S2.26 an edit sets fields of the plan, and says so")
    void edits() {
      GraphThread thread = requested();

      Checkpoint edited = approvals
          .edit(thread, Map.of("perspectives", List.of("Technical", "Business")), "ada")
          .block(PATIENCE);

      assertThat(state(thread).get(PERSPECTIVES)).containsExactly("Technical", "Business");
      assertThat(state(thread).get(FEEDBACK)).isEqualTo("Plan updated by user");
      assertThat(state(thread).get(AWAITING)).isTrue();
      assertThat(edited.cause()).isEqualTo(Cause.update("ada", "Plan updated by user"));
      approvals.approve(thread, "ada", null).block(PATIENCE);
      assertThat(resume(thread).state().get(PERSPECTIVES)).containsExactly("Technical", "Business");
    }

    record Bad(Map<String, ?> fields, String code, String because) {}

    static List<Bad> bad() {
      return List.of(
          new Bad(
              Map.of("prespectives", List.of("Technical")),
              "SG-446",
              "Channel 'prespectives' is not editable."),
          new Bad(
              Map.of("prespectives", List.of("Technical")),
              "SG-446",
              "Did you mean 'perspectives'?"),
          new Bad(Map.of("secret", "mine"), "SG-446", "Channel 'secret' is not editable."),
          new Bad(Map.of("approved", true), "SG-446", "Channel 'approved' is not editable."),
          new Bad(Map.of("steps", "x"), "SG-201", "channel 'steps'"),
          new Bad(Map.of("plan", "fine", "steps", List.of(1)), "SG-201", "channel 'steps'"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    @DisplayName("S2.27 an edit that does not fit is refused by the name of its field")
    void refused(Bad bad) {
      GraphThread thread = requested();
      SavedThread before = saved(thread);

      assertThatExceptionOfType(SuperstepException.class)
          .isThrownBy(() -> approvals.edit(thread, bad.fields(), "ada").block(PATIENCE))
          .withMessageContaining(bad.because())
          .satisfies(refused -> assertThat(refused.code()).isEqualTo(bad.code()));
      assertThat(saved(thread)).isEqualTo(before);
    }

    @Test
    @DisplayName("S2.27 all fields that may not be edited are named at once")
    void allAtOnce() {
      assertThatExceptionOfType(InvalidEditException.class)
          .isThrownBy(() -> approvals
              .edit(requested(), Map.of("secret", "mine", "prespectives", List.of()), "ada")
              .block(PATIENCE))
          .satisfies(refused -> {
            assertThat(refused.fields()).containsExactlyInAnyOrder("secret", "prespectives");
            assertThat(refused.problems()).extracting(Problem::code).containsOnly("SG-446");
          });
    }

    @Test
    @DisplayName("S2.27 what was decided cannot be edited any more")
    void tooLate() {
      GraphThread thread = requested();
      approvals.approve(thread, "ada", null).block(PATIENCE);

      assertThatExceptionOfType(AlreadyAnsweredException.class)
          .isThrownBy(
              () -> approvals.edit(thread, Map.of("plan", "more"), "bob").block(PATIENCE));
      assertThat(state(thread).get(PLAN)).isEqualTo("plan 0");
    }
  }

  record Case(Update state, Verdict verdict) {}

  static List<Case> cases() {
    Update fine = Update.of(AWAITING, false).and(APPROVED, true);
    Update two = fine.and(REVISIONS, 2);
    Update three = fine.and(REVISIONS, 3);
    Update failed = Update.of(ERROR, "e");
    Update rejected = Update.of(APPROVED, false).and(FEEDBACK, "Too long");
    return List.of(
        new Case(two, Verdict.YES),
        new Case(three, Verdict.no("Maximum revisions (3) reached")),
        new Case(two.and(failed), Verdict.no("Error in state: e")),
        new Case(three.and(failed), Verdict.no("Maximum revisions (3) reached")),
        new Case(three.and(rejected).and(failed), Verdict.no("Too long")),
        new Case(two.and(AWAITING, true).and(failed), Verdict.no("Awaiting approval")),
        new Case(three.and(rejected).and(AWAITING, true), Verdict.no("Awaiting approval")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  @DisplayName("S2.28 whether it can be resumed, and the first reason why not")
  void canResume(Case each) {
    GraphThread thread = paused();
    thread.update(each.state(), "test", null).block(PATIENCE);

    assertThat(approvals.canResume(thread, 3).block(PATIENCE)).isEqualTo(each.verdict());
  }

  @Test
  @DisplayName("S2.29 the engine makes no fourth revision, whether or not anybody asks")
  void revisionLimit() {
    GraphThread thread = thread(channels()
        .compute("planner", state -> called("planner"))
        .compute("revise", state -> called("revise").and(REVISIONS, state.get(REVISIONS) + 1))
        .compute(GATE, state -> called(GATE))
        .compute("researcher", state -> called("researcher"))
        .compute("give_up", state -> called("give_up"))
        .sequence(START, "planner", GATE)
        .route(GATE, to("researcher", "revise"), approvals.decision("researcher", "revise"))
        .edge("revise", GATE)
        .edge("researcher", END)
        .edge("give_up", END)
        .maxVisits("revise", 3, "give_up")
        .interruptBefore(GATE)
        .build());
    thread.run(Update.NOTHING).block(PATIENCE);

    for (int review = 0; review < 4; review++) {
      approvals.request(thread).block(PATIENCE);
      approvals.reject(thread, "ada", null).block(PATIENCE);
      resume(thread);
    }

    assertThat(calls()).isEqualTo(Map.of("planner", 1, GATE, 4, "revise", 3, "give_up", 1));
    assertThat(saved(thread).position().isFinished()).isTrue();
  }

  @Test
  @DisplayName("S2.30 a view for people: where it stands, and what the output view shows")
  void view() {
    GraphThread thread = requested();
    Checkpoint at = saved(thread).checkpoint();

    ApprovalView open = approvals.view(thread).block(PATIENCE);

    assertThat(open.thread()).isEqualTo("t");
    assertThat(open.checkpoint()).isEqualTo(at.id());
    assertThat(open.node()).isEqualTo(GATE);
    assertThat(open.createdAt()).isEqualTo(at.time());
    assertThat(open.awaiting()).isTrue();
    assertThat(open.revisionCount()).isEqualTo(1);
    assertThat(open.hasPlan()).isTrue();
    assertThat(open.hasFinalReport()).isFalse();
    assertThat(open.error()).isNull();
    assertThat(open.state())
        .containsEntry("plan", "plan 0")
        .containsEntry("perspectives", List.of("General"))
        .doesNotContainKeys("secret", "error", "revision_count");

    approvals.approve(thread, "ada", null).block(PATIENCE);
    resume(thread);
    thread.update(Update.of(ERROR, "late"), "test", null).block(PATIENCE);
    ApprovalView done = approvals.view(thread).block(PATIENCE);
    assertThat(done.node()).isNull();
    assertThat(done.awaiting()).isFalse();
    assertThat(done.hasFinalReport()).isTrue();
    assertThat(done.error()).isEqualTo("late");
  }

  @Test
  @DisplayName("S2.30 an empty list is no plan, and what nobody has named is not there")
  void emptyView() {
    ApprovalView view = Approvals.before(GATE)
        .awaiting(AWAITING)
        .approved(APPROVED)
        .feedback(FEEDBACK)
        .plan(STEPS)
        .build()
        .view(paused())
        .block(PATIENCE);

    assertThat(view.hasPlan()).isFalse();
    assertThat(view.hasFinalReport()).isFalse();
    assertThat(view.revisionCount()).isZero();
    assertThat(view.error()).isNull();
  }

  @Test
  @DisplayName(
      "S2.31 the whole loop: planned once, paused, approved, and on from the approval node")
  void wholeLoop() {
    GraphThread thread = thread(research());
    RunResult first = thread.run(Update.NOTHING).block(PATIENCE);
    assertThat(first.status()).isEqualTo(RunResult.Status.INTERRUPTED);
    assertThat(calls()).isEqualTo(Map.of("planner", 1));

    approvals.request(thread).block(PATIENCE);
    approvals.approve(thread, "ada", "Add a business perspective").block(PATIENCE);
    assertThat(approvals.canResume(thread, 3).block(PATIENCE)).isEqualTo(Verdict.YES);
    assertThat(saved(thread).position().nodes()).containsExactly(GATE);

    assertThat(resume(thread).isCompleted()).isTrue();
    assertThat(log(saved(thread)))
        .containsExactly("planner", GATE, "told Add a business perspective", "researcher");
  }

  @Nested
  class Building {

    @Test
    void eachOptionIsSetOnce() {
      Approvals.Builder builder = Approvals.before(GATE).awaiting(AWAITING);

      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> builder.awaiting(AWAITING))
          .withMessageContaining("awaiting was already set");
    }

    @Test
    void whatIsNeededIsNamed() {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> Approvals.before(GATE).awaiting(AWAITING).build())
          .withMessageContaining("approved(...)");
    }

    @Test
    void noEditCanDecide() {
      assertThatExceptionOfType(IllegalStateException.class)
          .isThrownBy(() -> Approvals.before(GATE)
              .awaiting(AWAITING)
              .approved(APPROVED)
              .feedback(FEEDBACK)
              .editable(PLAN, APPROVED)
              .build())
          .withMessageContaining("'approved'");
    }

    @Test
    @DisplayName("S4.17 a channel that is never null cannot say that nothing was decided")
    void approvedMayBeNull() {
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> Approvals.before(GATE).approved(neverNull()))
          .withMessageContaining("remove its start value");
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // what somebody does who does not check for null
    private Channel<@Nullable Boolean> neverNull() {
      return (Channel<@Nullable Boolean>) (Channel<?>) AWAITING;
    }
  }
}
