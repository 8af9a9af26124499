package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.TASK;
import static io.superstep.reactor.Graphs.graph;
import static io.superstep.reactor.Graphs.kinds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.checkpoint.UnfinishedThreadException;
import io.superstep.checkpoint.UnknownThreadException;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.QuestionAnswered;
import io.superstep.event.GraphEvent.QuestionAsked;
import io.superstep.event.GraphEvent.Warning;
import io.superstep.graph.CachePolicy;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.NodeContext;
import io.superstep.graph.NodePolicy;
import io.superstep.graph.Send;
import io.superstep.question.AlreadyAnsweredException;
import io.superstep.question.Answer;
import io.superstep.question.InvalidAnswerException;
import io.superstep.question.InvalidQuestionException;
import io.superstep.question.Question;
import io.superstep.question.UnknownQuestionException;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import io.superstep.testkit.StoreAround;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Nodes that ask somebody, and go on when they are answered. */
class QuestionTests extends OnAThread {

  private static Mono<Boolean> publish(NodeContext context) {
    return Mono.from(context.ask("publish", Question.yesNo("Publish?")));
  }

  /** Asks, says what it was told, and comes to an end. */
  private Graph asking() {
    return graph()
        .node("editor", (state, context) -> {
          called("editor");
          return publish(context).map(yes -> Update.append(LOG, yes ? "published" : "kept"));
        })
        .compute("after", state -> called("after"))
        .sequence(START, "editor", "after", END)
        .build();
  }

  private static RunResult end(Flux<GraphEvent> events) {
    return RunResult.of(events).block(PATIENCE);
  }

  private static List<String> keys(RunResult result) {
    return result.questions().stream().map(TaskNote.Asked::key).toList();
  }

  private List<ThreadStatus> statuses() {
    return Flux.from(store.threads(Set.of(ThreadStatus.values())))
        .map(ThreadSummary::status)
        .collectList()
        .block(PATIENCE);
  }

  private SavedThread saved(Graph graph) {
    return thread(graph).state().block(PATIENCE);
  }

  private GraphThread timed(Graph graph) {
    return GraphRunner.builder(graph).checkpoints(store).clock(clock).build().thread("t");
  }

  @Test
  @DisplayName("E9 a question ends the run, and the answer lets the node run again from its start")
  void asksAndGoesOn() {
    Graph graph = asking();

    List<GraphEvent> first = events(thread(graph).stream(Update.NOTHING));

    assertThat(kinds(first))
        .containsExactly(
            "RunStarted",
            "CheckpointSaved",
            "StepStarted",
            "TaskStarted",
            "QuestionAsked",
            "RunInterrupted");
    assertThat(statuses()).containsExactly(ThreadStatus.WAITING);
    TaskNote.Asked asked = thread(graph).questions().blockLast(PATIENCE);
    assertThat(asked.prompt().text()).isEqualTo("Publish?");
    assertThat(((QuestionAsked) first.get(4)).question()).isEqualTo(asked);

    List<GraphEvent> second =
        events(thread(graph).resume(Resume.answer("publish", true).by("ada")));

    assertThat(kinds(second)).containsSubsequence("TaskStarted", "QuestionAnswered");
    assertThat(second)
        .filteredOn(event -> event instanceof QuestionAnswered)
        .singleElement()
        .satisfies(event -> assertThat(((QuestionAnswered) event).answer().by()).isEqualTo("ada"));
    assertThat(log(saved(graph))).containsExactly("published", "after");
    assertThat(calls()).isEqualTo(Map.of("editor", 2, "after", 1));
    assertThat(thread(graph).questions().collectList().block(PATIENCE)).isEmpty();
    assertThat(statuses()).containsExactly(ThreadStatus.DONE);
  }

  @Test
  @DisplayName("E9 who answered what stays in the history of the thread")
  void answersAreInTheHistory() {
    Graph graph = asking();
    end(thread(graph).stream(Update.NOTHING));

    end(thread(graph).resume(Resume.answer("publish", false).by("ada")));

    List<Answer> answers = thread(graph)
        .history()
        .flatMapIterable(checkpoint -> checkpoint.credits())
        .flatMapIterable(credit -> credit.answers())
        .collectList()
        .block(PATIENCE);
    assertThat(answers).singleElement().satisfies(answer -> {
      assertThat(answer.by()).isEqualTo("ada");
      assertThat(answer.value()).isEqualTo(false);
      assertThat(answer.key()).isEqualTo("publish");
    });
  }

  @Test
  @DisplayName("E9 resumed without an answer, a thread waits on, and its node does not run")
  void resumedWithoutAnswer() {
    Graph graph = asking();
    RunResult first = end(thread(graph).stream(Update.NOTHING));

    RunResult second = end(thread(graph).resume());

    assertThat(second.status()).isEqualTo(RunResult.Status.INTERRUPTED);
    assertThat(second.questions()).isEqualTo(first.questions()).hasSize(1);
    assertThat(calls()).isEqualTo(Map.of("editor", 1));
  }

  /** Asks for whatever {@code question} takes, and says what it got. */
  private Graph asking(Question<?> question) {
    return graph()
        .node(
            "asker",
            (state, context) -> Flux.<Object>from(context.ask("key", question))
                .map(answer -> answer + " " + answer.getClass().getSimpleName())
                .defaultIfEmpty("nothing")
                .map(text -> Update.append(LOG, text)))
        .sequence(START, "asker", END)
        .build();
  }

  record Legal(Question<?> question, @Nullable Object answer, String told) {}

  record Plan(Tone tone, List<Integer> rounds, @Nullable String title) {}

  enum Tone {
    CALM,
    SHARP
  }

  static List<Legal> legal() {
    return List.of(
        new Legal(Question.yesNo("?"), false, "false Boolean"),
        new Legal(Question.wholeNumber("?"), 0, "0 Long"),
        new Legal(Question.text("?"), "", " String"),
        new Legal(Question.someOf("?", "a", "b"), List.of(), "[] "),
        new Legal(Question.someOf("?", "a", "b"), List.of("b", "a"), "[a, b] "),
        new Legal(Question.open("?"), null, "nothing"),
        new Legal(Question.open("?"), Map.of(), "{} "),
        new Legal(Question.yesNo("?").orNothing(), null, "nothing"),
        new Legal(Question.decimal("?"), 2.5, "2.5 BigDecimal"),
        new Legal(Question.of("?", Tone.class), "SHARP", "SHARP Tone"),
        new Legal(
            Question.of("?", Plan.class),
            new Plan(Tone.CALM, List.of(1, 2), null),
            "Plan[tone=CALM, rounds=[1, 2], title=null] Plan"),
        new Legal(
            Question.of("?", Plan.class),
            Map.of("tone", "SHARP", "rounds", List.of(3L), "title", "x"),
            "Plan[tone=SHARP, rounds=[3], title=x] Plan"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("legal")
  @DisplayName("E9 null, false, zero, nothing and plain data are answers, and come typed")
  void legalAnswers(Legal legal) {
    Graph graph = asking(legal.question());
    end(thread(graph).stream(Update.NOTHING));

    end(thread(graph).resume(Resume.answer("key", legal.answer())));

    assertThat(log(saved(graph)))
        .singleElement()
        .satisfies(text -> assertThat(text).startsWith(legal.told()));
  }

  record Illegal(Question<?> question, @Nullable Object answer, String because) {}

  static List<Illegal> illegal() {
    return List.of(
        new Illegal(
            Question.yesNo("?"),
            "maybe",
            "The answer is a text; a boolean (true or false) is required."),
        new Illegal(Question.yesNo("?"), null, "The answer is missing;"),
        new Illegal(Question.wholeNumber("?"), 1.5, "whole number"),
        new Illegal(Question.decimal("?"), Double.NaN, "a number"),
        new Illegal(Question.oneOf("?", "a", "b"), "c", "one of [a, b]"),
        new Illegal(Question.someOf("?", "a", "b"), List.of("a", "c"), "some of [a, b]"),
        new Illegal(Question.text("?"), new Object(), "A value of type Object is not plain data."),
        new Illegal(
            Question.of("?", Plan.class),
            Map.of("tone", "CALM"),
            "Field 'rounds' of the answer is missing;"),
        new Illegal(
            Question.of("?", Plan.class),
            Map.of("tone", "CALM", "rounds", List.of(1, "x")),
            "Field 'rounds[1]' of the answer is a text; a whole number"),
        new Illegal(
            Question.of("?", Plan.class),
            Map.of("tune", "CALM", "rounds", List.of(1)),
            "did you mean 'tone'"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("illegal")
  @DisplayName("X.11 an answer that was not asked for is refused, and the question stays open")
  void illegalAnswers(Illegal illegal) {
    Graph graph = asking(illegal.question());
    end(thread(graph).stream(Update.NOTHING));
    SavedThread before = saved(graph);

    assertThatExceptionOfType(InvalidAnswerException.class)
        .isThrownBy(() -> end(thread(graph).resume(Resume.answer("key", illegal.answer()))))
        .withMessageContaining(illegal.because())
        .satisfies(refused -> assertThat(refused.code()).isEqualTo("SG-441"));
    assertThatExceptionOfType(InvalidAnswerException.class)
        .isThrownBy(() -> thread(graph).answer("key", illegal.answer(), "ada").block(PATIENCE));

    assertThat(saved(graph)).isEqualTo(before);
    assertThat(thread(graph).questions().collectList().block(PATIENCE)).hasSize(1);
  }

  @Test
  @DisplayName("X.11 the nodes that a question offers are checked before anybody is asked")
  void optionsAreCheckedAgainstRoutes() {
    Graph graph = graph()
        .node(
            "editor",
            (state, context) -> Mono.from(
                    context.ask("next", Question.nextNode("Where to?", "publish", "burn")))
                .map(Command::goTo))
        .compute("publish", state -> called("publish"))
        .mayGoTo("editor", "publish")
        .edge(START, "editor")
        .edge("publish", END)
        .build();

    assertThatExceptionOfType(NodeFailedException.class)
        .isThrownBy(() -> end(thread(graph).stream(Update.NOTHING)))
        .withCauseInstanceOf(InvalidQuestionException.class)
        .satisfies(failed -> assertThat(failed.getCause()).hasMessageContaining("[burn]"));
    assertThat(thread(graph).questions().collectList().block(PATIENCE)).isEmpty();
  }

  @Test
  @DisplayName("X.11 a person chooses where to go among the routes of the node")
  void aPersonChoosesTheWay() {
    Graph graph = graph()
        .node(
            "editor",
            (state, context) -> Mono.from(
                    context.ask("next", Question.nextNode("Where to?", "publish", "revise")))
                .map(Command::goTo))
        .compute("publish", state -> called("publish"))
        .compute("revise", state -> called("revise"))
        .mayGoTo("editor", "publish", "revise")
        .edge(START, "editor")
        .edge("publish", END)
        .edge("revise", END)
        .build();
    end(thread(graph).stream(Update.NOTHING));

    end(thread(graph).resume(Resume.answer("next", "revise")));

    assertThat(log(saved(graph))).containsExactly("revise");
  }

  /** Two that ask, and one that does not. */
  private Graph siblings() {
    return graph()
        .node("left", (state, context) -> {
          called("left");
          return Mono.from(context.ask("a", Question.yesNo("A?")))
              .map(yes -> Update.append(LOG, "left " + yes));
        })
        .node("right", (state, context) -> {
          called("right");
          return Mono.from(context.ask("b", Question.wholeNumber("B?")))
              .map(number -> Update.append(LOG, "right " + number));
        })
        .blocking("beside", state -> called("beside"))
        .compute("after", state -> called("after"))
        .edge(START, "left")
        .edge(START, "right")
        .edge(START, "beside")
        .join(Graph.all("left", "right", "beside"), "after")
        .edge("after", END)
        .build();
  }

  @Test
  @DisplayName("E9 siblings finish, and several questions are answered one by one, by id")
  void severalOneByOne() {
    Graph graph = siblings();

    RunResult first = end(thread(graph).stream(Update.NOTHING));

    assertThat(keys(first)).containsExactlyInAnyOrder("a", "b");
    assertThat(calls()).isEqualTo(Map.of("left", 1, "right", 1, "beside", 1));
    TaskNote.Asked b = first.questions().stream()
        .filter(asked -> asked.key().equals("b"))
        .findFirst()
        .orElseThrow();

    RunResult second = end(thread(graph).resume(Resume.answer("a", true)));

    assertThat(second.status()).isEqualTo(RunResult.Status.INTERRUPTED);
    assertThat(second.questions()).containsExactly(b);
    assertThat(calls()).isEqualTo(Map.of("left", 2, "right", 1, "beside", 1));

    RunResult third = end(thread(graph).resume(Resume.answer(b.id(), 7)));

    assertThat(third.isCompleted()).isTrue();
    assertThat(third.state().get(LOG)).containsExactly("left true", "right 7", "beside", "after");
    assertThat(calls()).isEqualTo(Map.of("left", 2, "right", 2, "beside", 1, "after", 1));
  }

  @Test
  @DisplayName("E9 several questions are answered together")
  void severalTogether() {
    Graph graph = siblings();
    end(thread(graph).stream(Update.NOTHING));

    RunResult result = end(thread(graph).resume(Resume.answers(Map.of("a", false, "b", 0))));

    assertThat(result.state().get(LOG)).containsExactly("left false", "right 0", "beside", "after");
  }

  @Test
  @DisplayName("X.26 of two answers one is refused, and the other task goes on")
  void oneBadAnswer() {
    Graph graph = siblings();
    end(thread(graph).stream(Update.NOTHING));

    List<GraphEvent> events =
        events(thread(graph).resume(Resume.answers(Map.of("a", true, "b", "many"))));

    assertThat(events)
        .filteredOn(event -> event instanceof Warning)
        .singleElement()
        .satisfies(event -> assertThat(((Warning) event).problem().code()).isEqualTo("SG-441"));
    assertThat(calls()).isEqualTo(Map.of("left", 2, "right", 1, "beside", 1));
    assertThat(thread(graph).questions().map(TaskNote.Asked::key).collectList().block(PATIENCE))
        .containsExactly("b");
    assertThat(end(thread(graph).resume(Resume.answer("b", 1))).isCompleted()).isTrue();
    assertThat(calls()).containsEntry("left", 2);
  }

  @Test
  @DisplayName("E9 a node asks several questions at once, and runs when all are answered")
  void asksAllAtOnce() {
    Graph graph = graph()
        .node("asker", (state, context) -> {
          called("asker");
          return Mono.from(context.askAll(
                  Map.of("who", Question.text("Who?"), "many", Question.wholeNumber("How many?"))))
              .map(answers -> Update.append(
                  LOG, answers.get("who", String.class) + answers.get("many", Long.class)));
        })
        .sequence(START, "asker", END)
        .build();
    assertThat(keys(end(thread(graph).stream(Update.NOTHING))))
        .containsExactlyInAnyOrder("who", "many");

    assertThat(keys(end(thread(graph).resume(Resume.answer("who", "ada")))))
        .containsExactly("many");
    assertThat(calls()).isEqualTo(Map.of("asker", 1));
    end(thread(graph).resume(Resume.answer("many", 3)));

    assertThat(log(saved(graph))).containsExactly("ada3");
    assertThat(calls()).isEqualTo(Map.of("asker", 2));
  }

  @Test
  @DisplayName("E9 a node asks three times in a row, and gets what it was told before by key")
  void asksThreeInARow() {
    Graph graph = graph()
        .node(
            "asker",
            (state, context) -> Mono.from(context.ask("1", Question.text("1?")))
                .flatMap(one -> Mono.from(context.ask("2", Question.text("2?")))
                    .flatMap(two -> Mono.from(context.ask("3", Question.text("3?")))
                        .map(three -> Update.append(LOG, one + two + three)))))
        .sequence(START, "asker", END)
        .build();
    assertThat(keys(end(thread(graph).stream(Update.NOTHING)))).containsExactly("1");
    assertThat(keys(end(thread(graph).resume(Resume.answer("1", "a"))))).containsExactly("2");
    assertThat(keys(end(thread(graph).resume(Resume.answer("2", "b"))))).containsExactly("3");
    end(thread(graph).resume(Resume.answer("3", "c")));

    assertThat(log(saved(graph))).containsExactly("abc");
  }

  @Nested
  class WhereItIsAsked {

    private void assertAsksAndGoesOn(Graph graph) {
      assertThat(keys(end(thread(graph).stream(Update.NOTHING)))).containsExactly("publish");
      RunResult result = end(thread(graph).resume(Resume.answer("publish", true)));
      assertThat(result.isCompleted()).isTrue();
      assertThat(result.state().get(LOG)).containsExactly("told true");
    }

    private static Update told(boolean answer) {
      return Update.append(LOG, "told " + answer);
    }

    @Test
    @DisplayName("E9 on another JVM thread, inside flatMap")
    void onAnotherThread() {
      assertAsksAndGoesOn(graph()
          .node(
              "asker",
              (state, context) -> Flux.just(1)
                  .publishOn(Schedulers.boundedElastic())
                  .flatMap(any -> publish(context).map(WhereItIsAsked::told)))
          .sequence(START, "asker", END)
          .build());
    }

    @Test
    @DisplayName("E9 in a function that blocks")
    void inAFunctionThatBlocks() {
      assertAsksAndGoesOn(graph()
          .blocking("asker", (state, context) -> told(publish(context).block()))
          .sequence(START, "asker", END)
          .build());
    }

    @Test
    @DisplayName("E9 in a plain function, which is not left hanging")
    void inAPlainFunction() {
      assertAsksAndGoesOn(graph()
          .compute("asker", (state, context) -> told(publish(context).block()))
          .sequence(START, "asker", END)
          .build());
    }

    @Test
    @DisplayName("E9 in a plain function with a policy")
    void inAPlainFunctionWithAPolicy() {
      assertAsksAndGoesOn(graph()
          .compute("asker", (state, context) -> told(publish(context).block()))
          .policy("asker", NodePolicy.retry(3))
          .sequence(START, "asker", END)
          .build());
    }

    @Test
    @DisplayName("E9 what a node said before its question is void")
    void whatWasSaidBeforeIsVoid() {
      Graph graph = graph()
          .node(
              "asker",
              (state, context) -> Flux.concat(
                  Flux.just(Update.append(LOG, "before")),
                  publish(context).map(WhereItIsAsked::told)))
          .sequence(START, "asker", END)
          .build();
      end(thread(graph).stream(Update.NOTHING));

      end(thread(graph).resume(Resume.answer("publish", true)));

      assertThat(log(saved(graph))).containsExactly("before", "told true");
    }

    @Test
    @DisplayName("E9 a node that goes on after its question is not heard")
    void whatComesAfterIsNotHeard() {
      AtomicBoolean answered = new AtomicBoolean();
      Graph graph = graph()
          .node("asker", (state, context) -> {
            if (answered.get()) {
              return publish(context).map(WhereItIsAsked::told);
            }
            return Mono.firstWithSignal(
                publish(context).map(WhereItIsAsked::told),
                Mono.just(Update.append(LOG, "went on")));
          })
          .sequence(START, "asker", END)
          .build();
      assertThat(end(thread(graph).stream(Update.NOTHING)).status())
          .isEqualTo(RunResult.Status.INTERRUPTED);
      answered.set(true);

      end(thread(graph).resume(Resume.answer("publish", false)));

      assertThat(log(saved(graph))).containsExactly("told false");
    }

    @Test
    @DisplayName("E9 a function that catches what gets it out of the way has ended all the same")
    void catchingDoesNotHelp() {
      Graph graph = graph()
          .compute("asker", (state, context) -> {
            try {
              return told(publish(context).block());
            } catch (RuntimeException swallowed) {
              return Update.append(LOG, "swallowed");
            }
          })
          .sequence(START, "asker", END)
          .build();
      assertAsksAndGoesOn(graph);
    }

    @Test
    @DisplayName("E9 in a node that is retried, it uses up no attempt, and the answer stays")
    void inARetriedNode() {
      Graph graph = graph()
          .node("asker", (state, context) -> {
            called("attempt " + context.attempt());
            if (context.attempt() == 1) {
              return Mono.error(new IllegalStateException("first"));
            }
            return publish(context)
                .flatMap(yes -> context.attempt() == 2
                    ? Mono.error(new IllegalStateException("second"))
                    : Mono.just(told(yes)));
          })
          .policy("asker", NodePolicy.retry(3))
          .sequence(START, "asker", END)
          .build();

      assertAsksAndGoesOn(graph);

      assertThat(calls()).isEqualTo(Map.of("attempt 1", 1, "attempt 2", 2, "attempt 3", 1));
    }

    @Test
    @DisplayName("E9 in sends, each with a question of its own")
    void inSends() {
      Graph graph = graph()
          .compute("plan", state -> Update.NOTHING)
          .node(
              "work",
              (state, context) -> Mono.from(
                      context.ask("ok", Question.yesNo("Is " + state.get(TASK) + " ok?")))
                  .map(yes -> Update.append(LOG, state.get(TASK) + " " + yes)))
          .edge(START, "plan")
          .fanOut(
              "plan",
              to("work"),
              state -> IntStream.range(0, 3)
                  .mapToObj(task -> Send.to("work", Update.of(TASK, task)))
                  .toList())
          .edge("work", END)
          .build();
      List<TaskNote.Asked> questions = end(thread(graph).stream(Update.NOTHING)).questions();
      assertThat(questions).extracting(asked -> asked.prompt().text()).hasSize(3);

      assertThatExceptionOfType(UnknownQuestionException.class)
          .isThrownBy(() -> end(thread(graph).resume(Resume.answer("ok", true))))
          .withMessageContaining(questions.get(2).id())
          .satisfies(refused -> assertThat(refused.code()).isEqualTo("SG-443"));
      for (TaskNote.Asked asked : questions) {
        end(thread(graph).resume(Resume.answer(asked.id(), asked.equals(questions.get(1)))));
      }

      assertThat(log(saved(graph))).containsExactly("0 false", "1 true", "2 false");
    }

    @Test
    @DisplayName("E9 in a subgraph two levels deep, beside another one")
    void inSubgraphs() {
      Graph deep = graph()
          .compute("first", state -> called("first"))
          .node("asker", (state, context) -> publish(context).map(WhereItIsAsked::told))
          .sequence(START, "first", "asker", END)
          .build();
      Graph graph = graph()
          .subgraph(
              "outer",
              graph().subgraph("deep", deep).sequence(START, "deep", END).build())
          .node(
              "beside",
              (state, context) -> Mono.from(context.ask("b", Question.yesNo("B?")))
                  .map(yes -> Update.append(LOG, "beside " + yes)))
          .edge(START, "outer")
          .edge(START, "beside")
          .edge("outer", END)
          .edge("beside", END)
          .build();

      List<GraphEvent> first = events(thread(graph).stream(Update.NOTHING));

      assertThat(first)
          .filteredOn(event -> event instanceof QuestionAsked)
          .extracting(GraphEvent::path)
          .containsExactlyInAnyOrder("outer/deep/", "");
      assertThat(statuses()).containsExactly(ThreadStatus.WAITING);
      assertThat(keys(end(thread(graph).resume(Resume.answer("publish", true)))))
          .containsExactly("b");
      end(thread(graph).resume(Resume.answer("b", false)));

      assertThat(log(saved(graph))).containsExactly("first", "told true", "beside false");
      assertThat(calls()).isEqualTo(Map.of("first", 1));
    }

    @Test
    @DisplayName("E9 in the first node of a subgraph")
    void inTheFirstNodeOfASubgraph() {
      Graph inner = graph()
          .node("asker", (state, context) -> publish(context).map(WhereItIsAsked::told))
          .sequence(START, "asker", END)
          .build();
      assertAsksAndGoesOn(
          graph().subgraph("inner", inner).sequence(START, "inner", END).build());
    }

    @Test
    @DisplayName("E9 in a node that acts outside, before it acts")
    void inANodeThatActsOutside() {
      assertAsksAndGoesOn(graph()
          .node("asker", (state, context) -> publish(context).map(WhereItIsAsked::told))
          .policy("asker", NodePolicy.NONE.actingOutside())
          .sequence(START, "asker", END)
          .build());
    }

    @Test
    @DisplayName("E9 in a node with a cache, whose answer is then not kept")
    void inANodeWithACache() {
      Graph graph = graph()
          .node("asker", (state, context) -> {
            called("asker");
            return publish(context).map(WhereItIsAsked::told);
          })
          .policy("asker", NodePolicy.NONE.cache(CachePolicy.by(state -> "always")))
          .sequence(START, "asker", END)
          .build();
      GraphRunner runner = GraphRunner.builder(graph).checkpoints(store).build();
      end(runner.thread("one").stream(Update.NOTHING));
      end(runner.thread("one").resume(Resume.answer("publish", true)));

      RunResult other = end(runner.thread("two").stream(Update.NOTHING));

      assertThat(keys(other)).containsExactly("publish");
      assertThat(calls()).isEqualTo(Map.of("asker", 3));
    }
  }

  @Test
  @DisplayName("E9 a key that is used twice is refused")
  void duplicateKey() {
    Graph graph = graph()
        .node(
            "asker",
            (state, context) ->
                publish(context).then(publish(context)).map(yes -> Update.append(LOG, "told")))
        .sequence(START, "asker", END)
        .build();

    assertThatExceptionOfType(NodeFailedException.class)
        .isThrownBy(() -> {
          end(thread(graph).stream(Update.NOTHING));
          end(thread(graph).resume(Resume.answer("publish", true)));
        })
        .satisfies(failed ->
            assertThat(((InvalidQuestionException) failed.getCause()).code()).isEqualTo("SG-156"));
  }

  @Test
  @DisplayName("E9 without a thread a question is refused")
  void withoutAThread() {
    assertThatExceptionOfType(NodeFailedException.class)
        .isThrownBy(() -> GraphRunner.of(asking()).run(Update.NOTHING).block(PATIENCE))
        .satisfies(failed ->
            assertThat(((InvalidQuestionException) failed.getCause()).code()).isEqualTo("SG-157"));
  }

  @Test
  @DisplayName("S2.25 fifty people answer at once: one wins, the others are told who did")
  void fiftyAnswers() {
    Graph graph = asking();
    end(thread(graph).stream(Update.NOTHING));

    List<Object> results = Flux.range(0, 50)
        .flatMap(
            person -> thread(graph)
                .answer("publish", person % 2 == 0, "person " + person)
                .cast(Object.class)
                .onErrorResume(Mono::just)
                .subscribeOn(Schedulers.boundedElastic()),
            50)
        .collectList()
        .block(PATIENCE);

    assertThat(results).hasSize(50).filteredOn(Answer.class::isInstance).hasSize(1);
    Answer winner =
        (Answer) results.stream().filter(Answer.class::isInstance).findFirst().orElseThrow();
    assertThat(results)
        .filteredOn(result -> !(result instanceof Answer))
        .hasSize(49)
        .allSatisfy(
            result -> assertThat(((AlreadyAnsweredException) result).answer()).isEqualTo(winner));
    end(thread(graph).resume());
    assertThat(log(saved(graph)).get(0))
        .isEqualTo(winner.value().equals(true) ? "published" : "kept");
  }

  @Test
  @DisplayName("S2.25 whoever comes too late is told so when the thread has gone on long since")
  void answeredLongAgo() {
    Graph graph = asking();
    RunResult first = end(thread(graph).stream(Update.NOTHING));
    end(thread(graph).resume(Resume.answer("publish", true).by("ada")));

    assertThatExceptionOfType(AlreadyAnsweredException.class)
        .isThrownBy(() ->
            thread(graph).answer(first.questions().get(0).id(), false, "bob").block(PATIENCE))
        .withMessageContaining("ada");
  }

  @Test
  @DisplayName("E9 an answer to a question that nobody asked is refused")
  void unknownQuestion() {
    Graph graph = asking();
    assertThatExceptionOfType(UnknownThreadException.class)
        .isThrownBy(() -> thread(graph).answer("publish", true, "ada").block(PATIENCE));
    end(thread(graph).stream(Update.NOTHING));
    SavedThread before = saved(graph);

    assertThatExceptionOfType(UnknownQuestionException.class)
        .isThrownBy(() -> end(thread(graph).resume(Resume.answer("publihs", true))))
        .withMessageContaining("Did you mean 'publish'?")
        .satisfies(refused -> assertThat(refused.code()).isEqualTo("SG-442"));
    assertThat(saved(graph)).isEqualTo(before);
  }

  @Test
  @DisplayName("E9 an answer to the question of another thread is refused")
  void foreignQuestion() {
    Graph graph = asking();
    GraphRunner runner = GraphRunner.builder(graph).checkpoints(store).build();
    RunResult other = end(runner.thread("other").stream(Update.NOTHING));
    end(thread(graph).stream(Update.NOTHING));

    assertThatExceptionOfType(UnknownQuestionException.class)
        .isThrownBy(() ->
            thread(graph).answer(other.questions().get(0).id(), true, "ada").block(PATIENCE));
  }

  @Test
  @DisplayName("E9 an answer is taken while a run is at other tasks, and the run uses it")
  void answeredWhileRunning() {
    Sinks.Empty<Void> gate = Sinks.empty();
    Graph graph = graph()
        .node(
            "asker",
            (state, context) -> publish(context).map(yes -> Update.append(LOG, "told " + yes)))
        .node("slow", state -> gate.asMono().then(Mono.just(Update.append(LOG, "slow"))))
        .edge(START, "asker")
        .edge(START, "slow")
        .edge("asker", END)
        .edge("slow", END)
        .build();
    List<GraphEvent> told = Collections.synchronizedList(new ArrayList<>());
    Mono<RunResult> running =
        RunResult.of(thread(graph).stream(Update.NOTHING).doOnNext(told::add)).cache();
    running.subscribe();
    assertThat(kinds(told)).contains("QuestionAsked");

    assertThatExceptionOfType(ThreadBusyException.class)
        .isThrownBy(() -> end(thread(graph).resume(Resume.answer("publish", true))));
    thread(graph).answer("publish", true, "ada").block(PATIENCE);
    gate.tryEmitEmpty();

    RunResult result = running.block(PATIENCE);
    assertThat(result.isCompleted()).isTrue();
    assertThat(statuses()).containsExactly(ThreadStatus.DONE);
    assertThat(result.state().get(LOG)).containsExactly("told true", "slow");
  }

  @Test
  @DisplayName("E9 a question keeps its id when somebody changes the state meanwhile")
  void keepsItsId() {
    Graph graph = asking();
    String id = end(thread(graph).stream(Update.NOTHING)).questions().get(0).id();

    thread(graph).update(Update.of(COUNT, 1), "ada", null).block(PATIENCE);

    assertThat(thread(graph).questions().map(TaskNote.Asked::id).collectList().block(PATIENCE))
        .containsExactly(id);
    assertThat(end(thread(graph).resume(Resume.answer(id, true))).state().get(LOG))
        .containsExactly("published", "after");
  }

  @Test
  @DisplayName("E9 a fork asks anew, and the question of the branch that was left is gone")
  void answerAfterAFork() {
    Graph graph = asking();
    String before = end(thread(graph).stream(Update.NOTHING)).questions().get(0).id();
    CheckpointId at = saved(graph).checkpoint().id();

    RunResult forked = end(thread(graph).fork(at, Update.of(COUNT, 1)));

    assertThat(keys(forked)).containsExactly("publish");
    assertThat(forked.questions().get(0).id()).isNotEqualTo(before);
    assertThatExceptionOfType(UnknownQuestionException.class)
        .isThrownBy(() -> thread(graph).answer(before, true, "ada").block(PATIENCE));
    assertThat(end(thread(graph).resume(Resume.answer("publish", true))).isCompleted())
        .isTrue();
  }

  @Test
  @DisplayName("E9 who writes something else instead of answering discards the question, recorded")
  void discarded() {
    Graph graph = asking();
    String id = end(thread(graph).stream(Update.NOTHING)).questions().get(0).id();
    assertThatExceptionOfType(UnfinishedThreadException.class)
        .isThrownBy(() -> end(thread(graph).stream(Update.NOTHING)))
        .withMessageContaining("and the open question [publish]")
        .withMessageContaining("thread.resume(Resume.answer(\"publish\", ...))")
        .satisfies(error -> assertThat(error.questions()).containsExactly("publish"));

    RunResult second =
        end(thread(graph).stream(Update.NOTHING, RunOptions.NONE.discardUnfinished(true)));

    assertThat(second.questions())
        .singleElement()
        .satisfies(asked -> assertThat(asked.id()).isNotEqualTo(id));
    assertThat(saved(graph).checkpoint().cause().reason()).contains("editor").contains(id);
  }

  @Test
  @DisplayName("E9 a node whose question was answered can be made to ask again")
  void rerun() {
    Graph graph = asking();
    end(thread(graph).stream(Update.NOTHING));
    thread(graph).answer("publish", true, "ada").block(PATIENCE);

    RunResult again = end(thread(graph).resume(Resume.rerun("editor")));

    assertThat(keys(again)).containsExactly("publish");
    end(thread(graph).resume(Resume.answer("publish", false)));
    assertThat(log(saved(graph))).containsExactly("kept", "after");
  }

  @Test
  @DisplayName("E9 a node can be given an outcome in place of an answer")
  void endedInPlaceOfAnAnswer() {
    Graph graph = asking();
    end(thread(graph).stream(Update.NOTHING));

    end(thread(graph).resume(Resume.ended("editor", Update.append(LOG, "by hand"))));

    assertThat(log(saved(graph))).containsExactly("by hand", "after");
  }

  /** A question that is answered with false after three days. */
  private Graph due() {
    return graph()
        .node(
            "editor",
            (state, context) -> Mono.from(context.ask(
                    "publish", Question.yesNo("Publish?").within(Duration.ofDays(3), false)))
                .map(yes -> Update.append(LOG, yes ? "published" : "kept")))
        .sequence(START, "editor", END)
        .build();
  }

  @Test
  @DisplayName("X.12 a deadline is an answer that whoever opens the thread next finds given")
  void deadlineOnOpening() {
    Graph graph = due();
    end(timed(graph).stream(Update.NOTHING));
    clock.pass(Duration.ofHours(71));
    assertThat(end(timed(graph).resume()).status()).isEqualTo(RunResult.Status.INTERRUPTED);
    clock.pass(Duration.ofHours(1));

    RunResult result = end(timed(graph).resume());

    assertThat(result.state().get(LOG)).containsExactly("kept");
    assertThat(timed(graph)
            .history()
            .flatMapIterable(checkpoint -> checkpoint.credits())
            .flatMapIterable(credit -> credit.answers())
            .blockFirst(PATIENCE)
            .isByDeadline())
        .isTrue();
  }

  @Test
  @DisplayName("X.12 who answers after the deadline is told that it was first")
  void answeredAfterTheDeadline() {
    Graph graph = due();
    end(timed(graph).stream(Update.NOTHING));
    clock.pass(Duration.ofHours(73));

    assertThatExceptionOfType(AlreadyAnsweredException.class)
        .isThrownBy(() -> timed(graph).answer("publish", true, "ada").block(PATIENCE))
        .withMessageContaining(Answer.DEADLINE);
  }

  @Test
  @DisplayName("X.12 settleDue answers what is due, and tells where somebody was there in time")
  void settlesDue() {
    Graph graph = due();
    GraphRunner runner =
        GraphRunner.builder(graph).checkpoints(store).clock(clock).build();
    end(runner.thread("late").stream(Update.NOTHING));
    end(runner.thread("in time").stream(Update.NOTHING));
    clock.pass(Duration.ofHours(71));
    assertThat(runner.settleDue().collectList().block(PATIENCE)).isEmpty();
    runner.thread("in time").answer("publish", true, "ada").block(PATIENCE);
    clock.pass(Duration.ofHours(1));

    List<Settlement> settled = runner.settleDue().collectList().block(PATIENCE);

    assertThat(settled)
        .extracting(
            Settlement::thread, Settlement::isApplied, each -> each.answer().by())
        .containsExactlyInAnyOrder(
            tuple("late", true, Answer.DEADLINE), tuple("in time", false, "ada"));
    assertThat(end(runner.thread("late").resume()).state().get(LOG)).containsExactly("kept");
    assertThat(end(runner.thread("in time").resume()).state().get(LOG))
        .containsExactly("published");
    assertThat(runner.settleDue().collectList().block(PATIENCE)).isEmpty();
  }

  @Test
  @DisplayName("S2.25 an answer that comes while somebody changes the state is not lost")
  void answersRaceWithUpdates() {
    Graph graph = asking();
    Race.rounds(300, (race, random) -> {
      String id = "t-" + random.nextLong();
      GraphThread thread = GraphRunner.builder(graph).checkpoints(store).build().thread(id);
      end(thread.stream(Update.NOTHING));
      race.between(
          random,
          () -> thread.answer("publish", true, "ada").block(PATIENCE),
          () -> thread.update(Update.of(COUNT, 1), "bob", null).block(PATIENCE));

      assertThat(thread.questions().collectList().block(PATIENCE)).isEmpty();
      assertThat(end(thread.resume()).state().get(LOG)).containsExactly("published", "after");
    });
  }

  @Test
  @DisplayName("E9 whoever waits for an answer in a reactive node hears nothing, not even an error")
  void nobodyHearsAnything() {
    AtomicBoolean wentOn = new AtomicBoolean();
    Graph graph = graph()
        .node(
            "asker",
            (state, context) -> publish(context)
                .onErrorReturn(true)
                .retry()
                .doOnNext(any -> wentOn.set(true))
                .map(yes -> Update.append(LOG, "told " + yes)))
        .sequence(START, "asker", END)
        .build();

    assertThat(keys(end(thread(graph).stream(Update.NOTHING)))).containsExactly("publish");
    assertThat(wentOn).isFalse();
  }

  @Test
  @DisplayName("E9 a question inside a subgraph uses up no attempt of the subgraph")
  void noAttemptAround() {
    AtomicInteger attempts = new AtomicInteger();
    Graph inner = graph()
        .node(
            "asker",
            (state, context) -> attempts.incrementAndGet() == 1
                ? Mono.error(new IllegalStateException("first"))
                : publish(context)
                    .flatMap(yes -> attempts.get() < 4
                        ? Mono.error(new IllegalStateException("again"))
                        : Mono.just(Update.append(LOG, "told " + yes))))
        .sequence(START, "asker", END)
        .build();
    Graph graph = graph()
        .subgraph("inner", inner)
        .policy("inner", NodePolicy.retry(3))
        .sequence(START, "inner", END)
        .build();
    end(thread(graph).stream(Update.NOTHING));

    RunResult result = end(thread(graph).resume(Resume.answer("publish", true)));

    assertThat(attempts.get()).isEqualTo(4);
    assertThat(result.isCompleted()).isTrue();
    assertThat(result.state().get(LOG)).containsExactly("told true");
  }

  @Test
  @DisplayName("X.12 a thread that cannot be read keeps no other from being settled")
  void settlesTheOthers() {
    Graph graph = due();
    GraphRunner runner =
        GraphRunner.builder(graph).checkpoints(store).clock(clock).build();
    end(runner.thread("a").stream(Update.NOTHING));
    end(runner.thread("b").stream(Update.NOTHING));
    clock.pass(Duration.ofHours(73));
    CheckpointStore broken = new StoreAround(store) {
      @Override
      public Publisher<SavedThread> load(String thread, Schemas schemas) {
        return thread.equals("a")
            ? Mono.error(new IllegalStateException("unreadable"))
            : super.load(thread, schemas);
      }
    };

    List<Settlement> settled = GraphRunner.builder(graph)
        .checkpoints(broken)
        .clock(clock)
        .build()
        .settleDue()
        .collectList()
        .block(PATIENCE);

    assertThat(settled)
        .filteredOn(each -> each.error() == null)
        .extracting(Settlement::thread)
        .containsExactly("b");
    assertThat(settled)
        .filteredOn(each -> each.error() instanceof IllegalStateException)
        .extracting(Settlement::thread)
        .containsExactly("a");
    assertThat(runner.settleDue().map(Settlement::thread).collectList().block(PATIENCE))
        .containsExactly("a");
  }
}
