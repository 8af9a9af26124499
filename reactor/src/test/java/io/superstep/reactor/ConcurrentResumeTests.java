package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.CheckpointConflictException;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.Release;
import io.superstep.checkpoint.ThreadBusyException;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.QuestionAsked;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.event.GraphEvent.RunInterrupted;
import io.superstep.graph.Graph;
import io.superstep.graph.RunKey;
import io.superstep.question.AlreadyAnsweredException;
import io.superstep.question.Question;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import io.superstep.testkit.EncodingStore;
import io.superstep.testkit.StoreAround;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Two callers who answer and resume one thread at the same time. */
class ConcurrentResumeTests extends OnAThread {

  private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();

  /** Done once, just before a run gives its thread back. */
  private Runnable beforeRelease = () -> {};

  /** Done once, just after a run has given its thread back. */
  private Runnable afterRelease = () -> {};

  private final CheckpointStore hooked = new StoreAround(store) {
    @Override
    public Publisher<Boolean> release(Lease lease, Release how) {
      return Flux.defer(() -> {
        Runnable once = beforeRelease;
        beforeRelease = () -> {};
        once.run();
        return Mono.from(store.release(lease, how)).doOnNext(isNext -> {
          Runnable after = afterRelease;
          afterRelease = () -> {};
          after.run();
        });
      });
    }
  };

  private static Graph asking(String... askers) {
    var builder = graph();
    for (String asker : askers) {
      builder
          .node(
              asker,
              (state, context) -> Mono.from(context.ask(asker, Question.yesNo("Ok?")))
                  .map(yes -> Update.append(LOG, asker + " " + yes)))
          .edge(START, asker)
          .edge(asker, END);
    }
    return builder.build();
  }

  private GraphThread one(Graph graph) {
    return GraphRunner.builder(graph).checkpoints(hooked).timer(timer).build().thread("t");
  }

  private GraphThread other(Graph graph) {
    return GraphRunner.builder(graph).checkpoints(store).timer(timer).build().thread("t");
  }

  private ThreadStatus status() {
    timer.advanceTime(); // detached runs begin
    return Flux.from(store.threads(Set.of(ThreadStatus.values())))
        .map(ThreadSummary::status)
        .blockLast(PATIENCE);
  }

  private static RunResult end(Flux<GraphEvent> events) {
    return RunResult.of(events).block(PATIENCE);
  }

  private void answersAndResumes(Graph graph, String question) {
    other(graph).answer(question, true, "bob").block(PATIENCE);
    assertThatExceptionOfType(ThreadBusyException.class)
        .isThrownBy(() -> end(other(graph).resume()));
  }

  @Test
  @DisplayName(
      "S2.25 an answer and a refused resume behind the last look of a run resume the thread")
  void behindTheLastLook() {
    Graph graph = asking("left", "right");
    end(other(graph).stream(Update.NOTHING));
    beforeRelease = () -> answersAndResumes(graph, "right");

    RunResult result = end(one(graph).resume(Resume.answer("left", true)));

    assertThat(result.status()).isEqualTo(RunResult.Status.INTERRUPTED);
    assertThat(status()).isEqualTo(ThreadStatus.DONE);
    assertThat(log(other(graph).state().block(PATIENCE)))
        .containsExactly("left true", "right true");
  }

  @Test
  @DisplayName("S2.25 such a resume has the options of its runner, not those of the refused call")
  void optionsOfTheRunner() {
    RunKey<String> caller = RunKey.of("caller", String.class);
    Graph graph = graph()
        .node(
            "asker",
            (state, context) -> Mono.from(context.ask("ok", Question.yesNo("Ok?")))
                .map(yes -> Update.append(LOG, context.find(caller).orElse("none"))))
        .sequence(START, "asker", END)
        .build();
    end(other(graph).stream(Update.NOTHING));
    beforeRelease = () -> {
      other(graph).answer("ok", true, "bob").block(PATIENCE);
      RunOptions refused = RunOptions.NONE.with(caller, "refused call");
      assertThatExceptionOfType(ThreadBusyException.class)
          .isThrownBy(() -> end(other(graph).resume(Resume.GO_ON, refused)));
    };

    end(GraphRunner.builder(graph)
        .checkpoints(hooked)
        .timer(timer)
        .defaults(RunOptions.NONE.with(caller, "defaults"))
        .build()
        .thread("t")
        .resume(Resume.GO_ON, RunOptions.NONE.without(caller)));

    assertThat(status()).isEqualTo(ThreadStatus.DONE);
    assertThat(log(other(graph).state().block(PATIENCE))).containsExactly("defaults");
  }

  @Test
  @DisplayName("S2.25 also if the subscriber leaves as soon as the run is interrupted")
  void cancelledAtTheEnd() {
    Graph graph = asking("left", "right");
    end(other(graph).stream(Update.NOTHING));
    beforeRelease = () -> answersAndResumes(graph, "right");

    one(graph)
        .resume(Resume.answer("left", true))
        .takeUntil(RunInterrupted.class::isInstance)
        .blockLast(PATIENCE);

    assertThat(status()).isEqualTo(ThreadStatus.DONE);
  }

  @Test
  @DisplayName("S2.25 also if the one that holds the thread resumes it in vain")
  void refusedResume() {
    Graph graph = asking("left", "right");
    end(other(graph).stream(Update.NOTHING));
    other(graph).answer("left", true, "ada").block(PATIENCE);
    beforeRelease = () -> answersAndResumes(graph, "right");

    assertThatExceptionOfType(AlreadyAnsweredException.class)
        .isThrownBy(() -> end(one(graph).resume(Resume.answer("left", true))));

    assertThat(status()).isEqualTo(ThreadStatus.DONE);
  }

  /** A graph whose second node does not end while the first one asks. */
  private static Graph askingBeside(Sinks.Empty<Void> gate) {
    return graph()
        .node(
            "asker",
            (state, context) -> Mono.from(context.ask("asker", Question.yesNo("Ok?")))
                .map(yes -> Update.append(LOG, "asker " + yes)))
        .node("slow", state -> gate.asMono().then(Mono.just(Update.append(LOG, "slow"))))
        .edge(START, "asker")
        .edge(START, "slow")
        .edge("asker", END)
        .edge("slow", END)
        .build();
  }

  @Test
  @DisplayName("S2.25 also if the run is cancelled in the middle of its step")
  void cancelledOnTheWay() {
    Sinks.Empty<Void> gate = Sinks.empty();
    Graph graph = askingBeside(gate);

    StepVerifier.create(one(graph).stream(Update.NOTHING).filter(QuestionAsked.class::isInstance))
        .expectNextCount(1)
        .then(() -> answersAndResumes(graph, "asker"))
        .thenCancel()
        .verify(PATIENCE);
    gate.tryEmitEmpty();

    assertThat(status()).isEqualTo(ThreadStatus.DONE);
  }

  @Test
  @DisplayName("S2.25 E20 also if the run waits for demand")
  void resting() {
    Graph graph = asking("left", "right");
    end(other(graph).stream(Update.NOTHING));

    StepVerifier.create(one(graph).resume(Resume.answer("left", true)), 1)
        .expectNextCount(1)
        .then(() -> answersAndResumes(graph, "right"))
        .then(() -> timer.advanceTimeBy(Hold.LEASE.dividedBy(3)))
        .then(() -> assertThat(status()).isEqualTo(ThreadStatus.DONE))
        .thenCancel()
        .verify(PATIENCE);
  }

  @Test
  @DisplayName("S2.25 a person who stops the run wins over a refused resume")
  void stopped() {
    Sinks.Empty<Void> gate = Sinks.empty();
    Graph graph = askingBeside(gate);
    Stop stop = new Stop();

    StepVerifier.create(one(graph).stream(Update.NOTHING, RunOptions.NONE.stoppedBy(stop))
            .filter(QuestionAsked.class::isInstance))
        .expectNextCount(1)
        .then(() -> answersAndResumes(graph, "asker"))
        .then(stop::request)
        .then(gate::tryEmitEmpty)
        .expectComplete()
        .verify(PATIENCE);

    assertThat(status()).isEqualTo(ThreadStatus.STOPPED);
  }

  @Test
  @DisplayName("S2.25 also if the run is cancelled after that")
  void stoppedAndCancelled() {
    Graph graph = askingBeside(Sinks.empty());
    Stop stop = new Stop();

    StepVerifier.create(one(graph).stream(Update.NOTHING, RunOptions.NONE.stoppedBy(stop))
            .filter(QuestionAsked.class::isInstance))
        .expectNextCount(1)
        .then(() -> answersAndResumes(graph, "asker"))
        .then(stop::request)
        .thenCancel()
        .verify(PATIENCE);

    assertThat(status()).isEqualTo(ThreadStatus.STOPPED);
  }

  @Test
  @DisplayName("S2.25 E22 a closing runner hands a thread over whose resume was refused")
  void closing() {
    Graph graph = asking("left", "right");
    end(other(graph).stream(Update.NOTHING));
    GraphRunner closing =
        GraphRunner.builder(graph).checkpoints(hooked).timer(timer).build();
    beforeRelease = () -> {
      answersAndResumes(graph, "right");
      closing.close(PATIENCE).subscribe();
    };

    end(closing.thread("t").resume(Resume.answer("left", true)));

    assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
    GraphRunner.builder(graph)
        .checkpoints(store)
        .timer(timer)
        .build()
        .recover()
        .blockLast(PATIENCE);
    assertThat(status()).isEqualTo(ThreadStatus.DONE);
  }

  @Test
  @DisplayName("S2.25 E22 a runner that is closed before a recorded resume begins hands over")
  void closedBeforeTheResume() {
    Graph graph = asking("left", "right");
    end(other(graph).stream(Update.NOTHING));
    GraphRunner closing =
        GraphRunner.builder(graph).checkpoints(hooked).timer(new LateTimer()).build();
    beforeRelease = () -> answersAndResumes(graph, "right");

    end(closing.thread("t").resume(Resume.answer("left", true)));
    closing.close(PATIENCE).subscribe();
    timer.advanceTimeBy(LateTimer.DELAY); // the recorded resume begins

    assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
    GraphRunner.builder(graph)
        .checkpoints(store)
        .timer(timer)
        .build()
        .recover()
        .blockLast(PATIENCE);
    assertThat(status()).isEqualTo(ThreadStatus.DONE);
  }

  /** A timer whose tasks begin late, when the time of the test passes. */
  private final class LateTimer implements Scheduler {

    private static final Duration DELAY = Duration.ofMillis(1);

    @Override
    public Disposable schedule(Runnable task) {
      return schedule(task, DELAY.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
      return timer.schedule(task, delay, unit);
    }

    @Override
    public long now(TimeUnit unit) {
      return timer.now(unit);
    }

    @Override
    public Worker createWorker() {
      return new Worker() {

        @Override
        public Disposable schedule(Runnable task) {
          return LateTimer.this.schedule(task);
        }

        @Override
        public void dispose() {
          // each task is disposed of by itself
        }
      };
    }
  }

  @Test
  @DisplayName("S2.25 E22 so does one that is closed while a recorded resume acquires the thread")
  void closedDuringTheAcquisition() {
    Graph graph = asking("left", "right");
    end(other(graph).stream(Update.NOTHING));
    AtomicReference<GraphRunner> closing = new AtomicReference<>();
    AtomicInteger acquisitions = new AtomicInteger();
    CheckpointStore acquiring = new StoreAround(hooked) {
      @Override
      public Publisher<Lease> acquire(String thread, String owner, Duration time) {
        return Mono.from(super.acquire(thread, owner, time)).doOnNext(lease -> {
          if (acquisitions.incrementAndGet() == 2) {
            closing.get().close(PATIENCE).subscribe();
          }
        });
      }
    };
    closing.set(GraphRunner.builder(graph).checkpoints(acquiring).timer(timer).build());
    beforeRelease = () -> answersAndResumes(graph, "right");

    end(closing.get().thread("t").resume(Resume.answer("left", true)));

    assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
    assertThat(acquisitions).hasValue(2);
  }

  @Test
  @DisplayName("S2.25 E22 so does one that cuts the recorded resume off before it has the thread")
  void cutOffDuringTheAcquisition() {
    Graph graph = asking("left", "right");
    end(other(graph).stream(Update.NOTHING));
    AtomicInteger acquisitions = new AtomicInteger();
    CheckpointStore hanging = new StoreAround(hooked) {
      @Override
      public Publisher<Lease> acquire(String thread, String owner, Duration time) {
        return Mono.defer(() -> acquisitions.incrementAndGet() == 2
            ? Mono.never()
            : Mono.from(super.acquire(thread, owner, time)));
      }
    };
    GraphRunner closing =
        GraphRunner.builder(graph).checkpoints(hanging).timer(timer).build();
    beforeRelease = () -> answersAndResumes(graph, "right");

    end(closing.thread("t").resume(Resume.answer("left", true)));
    timer.advanceTime();
    assertThat(acquisitions).hasValue(2);
    closing.close(PATIENCE).subscribe();
    timer.advanceTimeBy(PATIENCE);

    assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
  }

  @Test
  @DisplayName("S2.25 a recorded resume is kept if another caller holds the thread first")
  void takenFirst() {
    Graph graph = asking("left", "right");
    end(other(graph).stream(Update.NOTHING));
    AtomicReference<Lease> editor = new AtomicReference<>();
    beforeRelease = () -> answersAndResumes(graph, "right");
    afterRelease =
        () -> editor.set(Mono.from(store.acquire("t", "editor", Hold.LEASE)).block(PATIENCE));

    end(one(graph).resume(Resume.answer("left", true)));
    assertThat(status()).isEqualTo(ThreadStatus.RUNNING); // the recorded resume is refused
    Boolean isNext = Mono.from(store.release(editor.get(), Release.UNCHANGED)).block(PATIENCE);

    assertThat(isNext).isTrue();
  }

  @Test
  @DisplayName("S2.25 a resume that a run with nothing to do refuses is carried out behind it")
  void behindAnIdleRun() {
    Graph graph = asking("left");
    end(other(graph).stream(Update.NOTHING));
    beforeRelease = () -> answersAndResumes(graph, "left");

    one(graph).queue(Update.NOTHING, "ada").block(PATIENCE); // finds an open question

    assertThat(status()).isEqualTo(ThreadStatus.WAITING); // the question of the queued turn
    assertThat(log(other(graph).state().block(PATIENCE))).containsExactly("left true");
  }

  @Test
  @DisplayName("S2.25 E22 also a resume that was refused for the sake of an update")
  void closingBehindAnUpdate() {
    Graph graph = asking("left");
    end(other(graph).stream(Update.NOTHING));
    GraphRunner closing =
        GraphRunner.builder(graph).checkpoints(hooked).timer(timer).build();
    beforeRelease = () -> {
      answersAndResumes(graph, "left");
      closing.close(PATIENCE).subscribe();
    };

    closing.thread("t").update(Update.append(LOG, "edited"), "ada", null).block(PATIENCE);

    assertThat(status()).isEqualTo(ThreadStatus.ORPHANED);
  }

  @Test
  @DisplayName("S2.25 without a resume an answer resumes nothing")
  void answeredOnly() {
    Graph graph = asking("left", "right");
    end(other(graph).stream(Update.NOTHING));
    beforeRelease = () -> other(graph).answer("right", true, "bob").block(PATIENCE);

    end(one(graph).resume(Resume.answer("left", true)));

    assertThat(status()).isEqualTo(ThreadStatus.STOPPED);
  }

  @Test
  @DisplayName("S2.25 while a question is open a refused resume resumes nothing")
  void partlyAnswered() {
    Graph graph = asking("left", "middle", "right");
    end(other(graph).stream(Update.NOTHING));
    beforeRelease = () -> answersAndResumes(graph, "right");

    end(one(graph).resume(Resume.answer("left", true)));

    assertThat(status()).isEqualTo(ThreadStatus.WAITING);
    assertThat(other(graph).questions().map(asked -> asked.key()).collectList().block(PATIENCE))
        .containsExactly("middle");
  }

  @Test
  @DisplayName("S2.25 a run that fails is not tried again for a refused resume")
  void failed() {
    Graph graph = graph()
        .node(
            "asker",
            (state, context) ->
                Mono.from(context.ask("ok", Question.yesNo("Ok?"))).map(yes -> failing("asker")))
        .sequence(START, "asker", END)
        .build();
    end(other(graph).stream(Update.NOTHING));
    beforeRelease = () -> assertThatExceptionOfType(ThreadBusyException.class)
        .isThrownBy(() -> end(other(graph).resume()));

    assertThatExceptionOfType(NodeFailedException.class)
        .isThrownBy(() -> end(one(graph).resume(Resume.answer("ok", true))));

    assertThat(status()).isEqualTo(ThreadStatus.FAILED);
    assertThat(calls()).containsEntry("asker", 1);
  }

  @Test
  @DisplayName("S2.25 a resume that is refused when the thread was just given back takes it")
  void freeAgain() {
    Graph graph = asking("left");
    end(other(graph).stream(Update.NOTHING));
    Lease held = Mono.from(store.acquire("t", "somebody", Hold.LEASE)).block(PATIENCE);
    AtomicBoolean isRefused = new AtomicBoolean();
    CheckpointStore releasing = new StoreAround(store) {
      @Override
      public Publisher<Boolean> requestResume(String thread) {
        return Flux.defer(() -> {
          isRefused.set(true);
          return Flux.from(store.release(held, Release.SETTLED))
              .thenMany(store.requestResume(thread));
        });
      }
    };

    RunResult result = end(GraphRunner.builder(graph)
        .checkpoints(releasing)
        .build()
        .thread("t")
        .resume(Resume.answer("left", true)));

    assertThat(isRefused).isTrue();
    assertThat(result.isCompleted()).isTrue();
  }

  @Test
  @DisplayName(
      "S2.25 whoever is quicker, two callers who answer and resume never leave a thread stopped")
  void stress() throws Exception {
    Graph graph = asking("left", "right");
    for (int round = 0; round < 300; round++) {
      InMemoryCheckpointStore memory = new InMemoryCheckpointStore();
      CheckpointStore kept = round % 2 == 0 ? memory : new EncodingStore(memory);
      InMemoryEventLog log = new InMemoryEventLog();
      GraphThread first = logged(graph, kept, log);
      GraphThread second = logged(graph, kept, log);
      end(first.stream(Update.NOTHING));
      CyclicBarrier barrier = new CyclicBarrier(2);

      Mono.when(
              answersAndResumes(first, "left", barrier),
              answersAndResumes(second, "right", barrier))
          .block(PATIENCE);

      assertThat(first
              .attach(0)
              .filter(RunCompleted.class::isInstance)
              .next()
              .map(event -> ((RunCompleted) event).position().state().get(LOG))
              .block(PATIENCE))
          .as("round %s", round)
          .isEqualTo(List.of("left true", "right true"));
    }
  }

  private static GraphThread logged(Graph graph, CheckpointStore store, InMemoryEventLog log) {
    return GraphRunner.builder(graph).checkpoints(store).events(log).build().thread("t");
  }

  private static Mono<Void> answersAndResumes(
      GraphThread thread, String question, CyclicBarrier barrier) {
    return Mono.fromCallable(barrier::await)
        .then(thread.answer(question, true, question))
        .thenMany(thread.resume())
        .onErrorResume(ThreadBusyException.class, refused -> Flux.empty())
        .onErrorResume(CheckpointConflictException.class, overtaken -> Flux.empty())
        .then()
        .subscribeOn(Schedulers.boundedElastic());
  }
}
