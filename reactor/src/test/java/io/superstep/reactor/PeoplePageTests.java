package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.TaskNote.Asked;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.graph.Graph;
import io.superstep.graph.NodeContext;
import io.superstep.question.AlreadyAnsweredException;
import io.superstep.question.Answer;
import io.superstep.question.Answers;
import io.superstep.question.Question;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.State;
import io.superstep.state.Update;
import io.superstep.testkit.MovingClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The code of docs/people.md, as it stands there. */
class PeoplePageTests {

  private static final Path PAGE = Path.of("../docs/people.md");
  private static final Path THIS =
      Path.of("src/test/java/io/superstep/reactor/PeoplePageTests.java");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final ListChannel<String> LOG = Channel.list("log", String.class);
  private static final Channel<String> TEXT =
      Channel.value("text", String.class).startingAt("");

  private final MovingClock clock = new MovingClock(Instant.EPOCH);
  private final InMemoryCheckpointStore store =
      InMemoryCheckpointStore.builder().clock(clock).build();

  // spotless:off
  record Review(Tone tone, int grade, @Nullable String remark) {}
  enum Tone { CALM, SHARP }
  // spotless:on

  private GraphRunner runner(Graph graph) {
    return GraphRunner.builder(graph).checkpoints(store).clock(clock).build();
  }

  private static Graph newspaper() {
    // spotless:off
    Graph newspaper = Graph.builder("newspaper")
        .channels(TEXT, LOG)
        .node("editor", (state, context) -> Mono.from(context.ask("publish", Question.yesNo("Publish?")))
            .map(yes -> Update.append(LOG, yes ? "published" : "kept")))
        .sequence(START, "editor", END)
        .build();
    // spotless:on
    return newspaper;
  }

  /** A graph that asks one thing, and says what it was told. */
  private static Graph asking(Asking asking) {
    return Graph.builder("asking")
        .channels(TEXT, LOG)
        .node(
            "asker",
            (state, context) -> Flux.<Object>from(asking.ask(state, context))
                .map(answer -> Update.append(LOG, String.valueOf(answer))))
        .sequence(START, "asker", END)
        .build();
  }

  private interface Asking {
    Publisher<?> ask(State state, NodeContext context);
  }

  private List<String> told(Graph graph, Map<String, ?> answers) {
    GraphThread thread = runner(graph).thread("t");
    thread.run(Update.of(TEXT, "Once")).block(PATIENCE);
    return RunResult.of(thread.resume(Resume.answers(answers)))
        .block(PATIENCE)
        .state()
        .get(LOG);
  }

  @Test
  void formsAreAskedForAsWritten() {
    assertThat(told(
            asking((state, context) -> {
              // spotless:off
              Publisher<Review> review = context.ask("review", Question.of("How is it?", Review.class)
                  .showing(Map.of("text", state.get(TEXT))));
              // spotless:on
              return review;
            }),
            Map.of("review", Map.of("tone", "CALM", "grade", 2))))
        .containsExactly("Review[tone=CALM, grade=2, remark=null]");
  }

  @Test
  void severalAreAskedAtOnceAsWritten() {
    assertThat(told(
            asking((state, context) -> {
              // spotless:off
              Publisher<Answers> answers = context.askAll(Map.of(
                  "title", Question.text("Which title?"),
                  "copies", Question.wholeNumber("How many?")));
              // spotless:on
              return Mono.from(answers)
                  .map(all -> all.get("title", String.class) + all.get("copies", Long.class));
            }),
            Map.of("title", "News", "copies", 7)))
        .containsExactly("News7");
  }

  @Test
  void deadlinesPassAsWritten() {
    GraphRunner runner = runner(asking((state, context) -> {
      // spotless:off
      Publisher<Boolean> inTime = context.ask("publish",
          Question.yesNo("Publish?").within(Duration.ofDays(3), false));
      // spotless:on
      return inTime;
    }));
    runner.thread("t").run(Update.NOTHING).block(PATIENCE);
    clock.pass(Duration.ofDays(3));

    // spotless:off
    Flux<Settlement> settled = runner.settleDue();
    // spotless:on

    assertThat(settled.collectList().block(PATIENCE))
        .singleElement()
        .satisfies(each -> assertThat(each.answer().isByDeadline()).isTrue());
  }

  @Test
  void answersAreGivenAsWritten() {
    GraphThread thread = runner(newspaper()).thread("monday");

    // spotless:off
    Mono<RunResult> waiting = thread.run(Update.of(TEXT, "Once upon a time"));
    Flux<Asked> open = thread.questions();
    Flux<GraphEvent> more = thread.resume(Resume.answer("publish", true).by("ada"));
    // spotless:on

    assertThat(waiting.block(PATIENCE).status()).isEqualTo(RunResult.Status.INTERRUPTED);
    assertThat(open.map(Asked::key).collectList().block(PATIENCE)).containsExactly("publish");
    assertThat(more.blockLast(PATIENCE)).isInstanceOf(RunCompleted.class);

    // spotless:off
    Flux<Answer> given = thread.history()
        .flatMapIterable(Checkpoint::credits)
        .flatMapIterable(Checkpoint.Credit::answers);
    // spotless:on

    assertThat(given.map(Answer::by).collectList().block(PATIENCE)).containsExactly("ada");
  }

  @Test
  void answersAreGivenWithoutARunAsWritten() {
    GraphThread thread = runner(newspaper()).thread("tuesday");
    thread.run(Update.NOTHING).block(PATIENCE);

    // spotless:off
    Mono<Answer> answer = thread.answer("publish", true, "ada");
    Flux<GraphEvent> rest = thread.resume();
    // spotless:on

    assertThat(answer.block(PATIENCE).by()).isEqualTo("ada");
    assertThat(rest.blockLast(PATIENCE)).isInstanceOf(RunCompleted.class);
  }

  // spotless:off
  static final Channel<Boolean> AWAITING = Channel.value("awaiting", Boolean.class).startingAt(false);
  static final Channel<@Nullable Boolean> APPROVED = Channel.value("approved", Boolean.class);
  static final Channel<@Nullable String> FEEDBACK = Channel.value("feedback", String.class);
  static final Channel<@Nullable String> PLAN = Channel.value("plan", String.class);
  // spotless:on

  @Test
  void approvalsRunAsWritten() {
    // spotless:off
    Approvals approvals = Approvals.before("approval")
        .awaiting(AWAITING).approved(APPROVED).feedback(FEEDBACK)
        .plan(PLAN).editable(PLAN)
        .build();

    Graph research = Graph.builder("research")
        .channels(AWAITING, APPROVED, FEEDBACK, PLAN, LOG)
        .compute("planner", state -> Update.of(PLAN, "Ask around").and(approvals.awaited()))
        .compute("approval", state -> Update.append(LOG, "told: " + state.get(FEEDBACK)))
        .compute("researcher", state -> Update.append(LOG, "did: " + state.get(PLAN)))
        .sequence(START, "planner", "approval")
        .route("approval", to("researcher", "planner"), approvals.decision("researcher", "planner"))
        .edge("researcher", END)
        .maxVisits("planner", 4, END)
        .interruptBefore("approval")
        .build();
    // spotless:on
    GraphThread thread = runner(research).thread("t");
    thread.run(Update.NOTHING).block(PATIENCE);

    // spotless:off
    Mono<ApprovalView> view = approvals.view(thread);
    Mono<Checkpoint> edited = approvals.edit(thread, Map.of("plan", "Read first"), "ada");
    Mono<Checkpoint> approved = approvals.approve(thread, "ada", "Looks good!");
    Mono<Checkpoint> rejected = approvals.reject(thread, "bob", null);
    Mono<Verdict> verdict = approvals.canResume(thread, 3);
    // spotless:on

    assertThat(view.block(PATIENCE).hasPlan()).isTrue();
    assertThat(edited.block(PATIENCE).cause().author()).isEqualTo("ada");
    approved.block(PATIENCE);
    assertThatExceptionOfType(AlreadyAnsweredException.class)
        .isThrownBy(() -> rejected.block(PATIENCE));
    assertThat(verdict.block(PATIENCE)).isEqualTo(Verdict.YES);
    assertThat(RunResult.of(thread.resume()).block(PATIENCE).state().get(LOG))
        .containsExactly("told: Looks good!", "did: Read first");
  }

  @Test
  void everyLineOfThePagesCodeStandsInThisTest() throws IOException {
    String test = Files.readString(THIS);

    assertThat(blocks().stream().flatMap(String::lines).map(PeoplePageTests::statement))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(test).contains(line));
  }

  private static String statement(String line) {
    return line.replaceFirst(";?\\s*(//.*)?$", "").strip();
  }

  private static List<String> blocks() throws IOException {
    return Pattern.compile("```java\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(PAGE))
        .results()
        .map(block -> block.group(1))
        .toList();
  }
}
