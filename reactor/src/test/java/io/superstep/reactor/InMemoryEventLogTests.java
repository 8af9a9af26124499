package io.superstep.reactor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.Task;
import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.EventLogConflictException;
import io.superstep.event.EventsTrimmedException;
import io.superstep.event.GraphEvent;
import io.superstep.event.Moment;
import io.superstep.event.UnknownCursorException;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.step.Superstep;
import io.superstep.testkit.EventLogContract;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

class InMemoryEventLogTests extends EventLogContract {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Moment MOMENT = new Moment("", 1, Instant.EPOCH);
  private static final Task OUTER = new Task("t/1-1", 1, 0, "outer", null);
  private static final Task OTHER = new Task("t/1-1", 1, 1, "other", null);

  private final HandTurnedScheduler scheduler = new HandTurnedScheduler();

  @Override
  protected EventLog log() {
    return new InMemoryEventLog();
  }

  private InMemoryEventLog handTurned() {
    return InMemoryEventLog.builder().scheduler(scheduler).build();
  }

  private static GraphEvent fact(long number) {
    return new GraphEvent.CheckpointSaved(MOMENT, number, new CheckpointId(number, 1));
  }

  private static List<GraphEvent> facts(long first, long last) {
    return LongStream.rangeClosed(first, last)
        .mapToObj(InMemoryEventLogTests::fact)
        .toList();
  }

  private static GraphEvent chunk(long number, String path, Task task, String content) {
    return new GraphEvent.TaskChunk(
        new Moment(path, 1, Instant.EPOCH), number, task, Execution.FIRST, 0, 0, content);
  }

  private static GraphEvent chunk(long number, String content) {
    return chunk(number, "", OUTER, content);
  }

  private static GraphEvent completed(long number, String path, Task task) {
    return new GraphEvent.TaskCompleted(
        new Moment(path, 1, Instant.EPOCH), number, task, Execution.FIRST, false, null);
  }

  /** That a run has ended, as its last fact. */
  private static GraphEvent ended(long number) {
    return new GraphEvent.RunCompleted(
        MOMENT,
        number,
        Superstep.open(Graphs.counting(1), "o", Graphs.counting(1).schema().start(), Update.NOTHING)
            .position(),
        null,
        List.of());
  }

  private static void append(EventLog log, String thread, GraphEvent... events) {
    Mono.from(log.append(thread, 1, List.of(events), Schemas.NONE)).block(PATIENCE);
  }

  private static Watcher follow(EventLog log, long after, Chunks chunks) {
    Watcher watcher = new Watcher(Long.MAX_VALUE);
    log.follow("t", after, chunks, Schemas.NONE).subscribe(watcher);
    return watcher;
  }

  private static List<String> labels(long first, long last) {
    return LongStream.rangeClosed(first, last).mapToObj(Long::toString).toList();
  }

  /** Writes down what arrives: facts by their numbers, chunks by what they say. */
  private static final class Watcher extends BaseSubscriber<GraphEvent> {

    private final List<String> seen = new ArrayList<>();
    private final long first;
    private Consumer<GraphEvent> then = event -> {};
    private Throwable error;

    Watcher(long first) {
      this.first = first;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      if (first > 0) {
        subscription.request(first);
      }
    }

    @Override
    protected void hookOnNext(GraphEvent event) {
      seen.add(
          event instanceof GraphEvent.TaskChunk chunk
              ? chunk.content().toString()
              : Long.toString(event.sequence()));
      then.accept(event);
    }

    @Override
    protected void hookOnError(Throwable failed) {
      error = failed;
    }
  }

  @Nested
  class WhenManyFollow {

    @Test
    @DisplayName("of deleted threads nothing is kept but their fences")
    void deletedThreadsAreNotKept() {
      InMemoryEventLog log = new InMemoryEventLog();
      for (int number = 0; number < 1_000; number++) {
        append(log, "t" + number, fact(1), fact(2));
        log.delete("t" + number).block(PATIENCE);
      }

      assertThat(log.knownThreads()).isZero();
      assertThat(log.deletedThreads()).isEqualTo(1_000);
      assertThatThrownBy(() -> append(log, "t7", fact(1)))
          .isInstanceOf(EventLogConflictException.class);
      assertThat(log.knownThreads()).as("a refused writer leaves nothing").isZero();
    }

    @Test
    @DisplayName("a deleted thread is kept until its last follower leaves")
    void deletedWhileFollowed() {
      InMemoryEventLog log = handTurned(); // else the follower may be told before it leaves
      append(log, "t", fact(1));
      Disposable follower =
          log.follow("t", 0, Chunks.NONE, Schemas.NONE).subscribe(event -> {}, e -> {});
      log.delete("t").block(PATIENCE);
      follower.dispose();

      assertThatThrownBy(() -> append(log, "t", fact(1)))
          .isInstanceOf(EventLogConflictException.class);
      assertThat(log.knownThreads()).isZero();
      assertThat(log.open("t", 2).block(PATIENCE)).isZero();
    }

    @Test
    @DisplayName("X.19 a thousand followers cost whoever appends one wake-up, and no more")
    void appendingCostsTheSame() {
      InMemoryEventLog log = handTurned();
      List<Watcher> watchers = IntStream.range(0, 1_000)
          .mapToObj(any -> follow(log, 0, Chunks.FROM_NOW_ON))
          .toList();

      for (long number = 1; number <= 100; number++) {
        append(log, "t", fact(number));
      }

      assertThat(scheduler.waiting()).isEqualTo(1);
      assertThat(watchers).allSatisfy(watcher -> assertThat(watcher.seen).isEmpty());
      scheduler.turn();
      assertThat(watchers)
          .allSatisfy(watcher -> assertThat(watcher.seen).isEqualTo(labels(1, 100)));
      append(log, "t", fact(101));
      assertThat(scheduler.waiting()).isEqualTo(1);
    }

    @Test
    @DisplayName("X.19 where nobody follows, nobody is woken")
    void nobodyIsWoken() {
      InMemoryEventLog log = handTurned();
      append(log, "t", fact(1));
      Watcher watcher = follow(log, 0, Chunks.NONE);
      watcher.cancel();

      append(log, "t", fact(2));

      assertThat(scheduler.waiting()).isZero();
      assertThat(watcher.seen).containsExactly("1");
    }

    @Test
    @DisplayName("X.19 a slow follower falls behind alone, and misses no fact")
    void slowFollower() {
      InMemoryEventLog log = handTurned();
      Watcher slow = new Watcher(1);
      log.follow("t", 0, Chunks.FROM_NOW_ON, Schemas.NONE).subscribe(slow);
      Watcher fast = follow(log, 0, Chunks.FROM_NOW_ON);

      for (long number = 1; number <= 10_000; number++) {
        append(log, "t", fact(number), chunk(number, "chunk"));
        scheduler.turn();
      }

      assertThat(slow.seen).containsExactly("1");
      assertThat(fast.seen).hasSize(20_000);
      slow.request(Long.MAX_VALUE);
      assertThat(slow.seen)
          .filteredOn(label -> !label.equals("chunk"))
          .isEqualTo(labels(1, 10_000));
      assertThat(slow.seen).hasSize(10_000 + 4_096);
    }

    @Test
    @DisplayName("X.19 what is asked for one by one is delivered in a loop, not a recursion")
    void oneByOne() {
      InMemoryEventLog log = handTurned();
      log.append("t", 1, facts(1, 100_000), Schemas.NONE).block(PATIENCE);
      Watcher watcher = new Watcher(1);
      watcher.then = event -> watcher.request(1);

      log.follow("t", 0, Chunks.NONE, Schemas.NONE).subscribe(watcher);

      assertThat(watcher.seen).hasSize(100_000);
    }

    @Test
    @DisplayName("X.19 a follower that appends what it hears is woken again")
    void appendingFollower() {
      InMemoryEventLog log =
          InMemoryEventLog.builder().scheduler(Schedulers.immediate()).build();
      Watcher watcher = follow(log, 0, Chunks.NONE);
      watcher.then = event -> {
        if (event.sequence() < 50_000) {
          append(log, "t", fact(event.sequence() + 1));
        }
      };

      append(log, "t", fact(1));

      assertThat(watcher.seen).isEqualTo(labels(1, 50_000));
    }

    @Test
    @DisplayName(
        "X.19 what is appended while followers are woken reaches also who was woken before")
    void appendingWhileWaking() {
      InMemoryEventLog log = handTurned();
      List<Watcher> watchers = List.of(follow(log, 0, Chunks.NONE), follow(log, 0, Chunks.NONE));
      AtomicInteger heard = new AtomicInteger();
      watchers.forEach(watcher -> watcher.then = event -> {
        if (heard.incrementAndGet() == 2) {
          append(log, "t", fact(2));
        }
      });

      append(log, "t", fact(1));
      scheduler.turn();

      assertThat(watchers).allSatisfy(watcher -> assertThat(watcher.seen).isEqualTo(labels(1, 2)));
    }

    @Test
    @DisplayName("X.19 a follower that throws has left, and the others go on")
    void throwingFollower() {
      InMemoryEventLog log = handTurned();
      List<Throwable> dropped = new ArrayList<>();
      Context context =
          Context.of("reactor.onErrorDropped.local", (Consumer<Throwable>) dropped::add);
      List<GraphEvent> heard = new ArrayList<>();
      log.follow("t", 0, Chunks.NONE, Schemas.NONE).subscribe(new Throwing(context, heard));
      Watcher watcher = follow(log, 0, Chunks.NONE);

      append(log, "t", fact(1), fact(2));
      scheduler.turn();
      append(log, "t", fact(3));
      scheduler.turn();

      assertThat(heard).hasSize(1);
      assertThat(dropped).singleElement().asString().contains("thrown on purpose");
      assertThat(watcher.seen).isEqualTo(labels(1, 3));
    }

    @Test
    @DisplayName("X.19 followers do not wait for a scheduler that was closed")
    void closedScheduler() {
      Scheduler closed = Schedulers.newSingle("closed");
      InMemoryEventLog log = InMemoryEventLog.builder().scheduler(closed).build();
      Watcher watcher = follow(log, 0, Chunks.NONE);
      closed.dispose();

      append(log, "t", fact(1));

      assertThat(watcher.error).isInstanceOf(RejectedExecutionException.class);
      StepVerifier.create(log.read("t", 0, Schemas.NONE))
          .expectNext(fact(1))
          .expectComplete()
          .verify(PATIENCE);
    }
  }

  /** A subscriber that breaks the rules. */
  private static final class Throwing implements CoreSubscriber<GraphEvent> {

    private final Context context;
    private final List<GraphEvent> heard;

    Throwing(Context context, List<GraphEvent> heard) {
      this.context = context;
      this.heard = heard;
    }

    @Override
    public Context currentContext() {
      return context;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(GraphEvent event) {
      heard.add(event);
      throw new IllegalStateException("thrown on purpose");
    }

    @Override
    public void onError(Throwable error) {}

    @Override
    public void onComplete() {}
  }

  @Nested
  class WhenThereIsTooMuch {

    @Test
    @DisplayName(
        "X.19 the oldest facts go when there are too many, and whoever needs them hears it")
    void oldFactsGo() {
      InMemoryEventLog log =
          InMemoryEventLog.builder().scheduler(scheduler).maxFacts(5).build();
      Watcher slow = new Watcher(1);
      log.follow("t", 0, Chunks.NONE, Schemas.NONE).subscribe(slow);
      append(log, "t", fact(1), fact(2));
      scheduler.turn();

      log.append("t", 1, facts(3, 20), Schemas.NONE).block(PATIENCE);

      StepVerifier.create(log.read("t", 15, Schemas.NONE))
          .expectNextSequence(facts(16, 20))
          .expectComplete()
          .verify(PATIENCE);
      StepVerifier.create(log.read("t", 14, Schemas.NONE))
          .verifyError(EventsTrimmedException.class);
      scheduler.turn();
      assertThat(slow.seen).containsExactly("1");
      assertThat(slow.error).isInstanceOfSatisfying(EventsTrimmedException.class, trimmed -> {
        assertThat(trimmed.after()).isEqualTo(1);
        assertThat(trimmed.first()).isEqualTo(16);
      });
    }

    @Test
    @DisplayName("X.19 whoever reads slowly is told when the rest was trimmed")
    void slowReader() {
      InMemoryEventLog log = handTurned();
      log.append("t", 1, facts(1, 9), Schemas.NONE).block(PATIENCE);

      StepVerifier.create(log.read("t", 0, Schemas.NONE), 2)
          .expectNextCount(2)
          .then(() -> log.trim("t", 6).block(PATIENCE))
          .thenRequest(9)
          .verifyError(EventsTrimmedException.class);
      StepVerifier.create(log.read("t", 5, Schemas.NONE), 2)
          .expectNextCount(2)
          .then(() -> log.delete("t").block(PATIENCE))
          .thenRequest(9)
          .verifyError(UnknownCursorException.class);
    }

    @Test
    @DisplayName("X.19 the oldest chunks go when there are too many")
    void oldChunksGo() {
      InMemoryEventLog log =
          InMemoryEventLog.builder().scheduler(scheduler).maxProvisional(3).build();
      append(log, "t", fact(1));
      Watcher early = new Watcher(1);
      log.follow("t", 0, Chunks.FROM_NOW_ON, Schemas.NONE).subscribe(early);

      for (int number = 0; number < 10; number++) {
        append(log, "t", chunk(1, "c" + number));
      }
      append(log, "t", fact(2));

      assertThat(follow(log, 0, Chunks.SO_FAR).seen).containsExactly("1", "c7", "c8", "c9", "2");
      early.request(10);
      assertThat(early.seen).containsExactly("1", "c7", "c8", "c9", "2");
    }

    @Test
    @DisplayName("X.19 threads that ended go when there are too many; no others do")
    void idleThreadsGo() {
      InMemoryEventLog log =
          InMemoryEventLog.builder().scheduler(scheduler).maxIdle(5).build();
      Watcher watcher = new Watcher(Long.MAX_VALUE);
      log.follow("followed", 0, Chunks.NONE, Schemas.NONE).subscribe(watcher);
      append(log, "followed", new GraphEvent.RunResumed(MOMENT, 1), ended(2));
      append(log, "running", new GraphEvent.RunResumed(MOMENT, 1));
      append(log, "opened", ended(1));
      log.open("opened", 2).block(PATIENCE);
      append(log, "resumed", ended(1), new GraphEvent.RunResumed(MOMENT, 2));

      for (int thread = 0; thread < 100; thread++) {
        append(log, "t" + thread, new GraphEvent.RunResumed(MOMENT, 1), ended(2));
      }

      long kept = IntStream.range(0, 100)
          .filter(thread -> log.read("t" + thread, 0, Schemas.NONE).count().block(PATIENCE) > 0)
          .count();
      assertThat(kept).isBetween(1L, 5L);
      append(log, "followed", fact(3));
      append(log, "running", fact(2));
      append(log, "resumed", fact(3));
      log.append("opened", 2, facts(2, 2), Schemas.NONE).block(PATIENCE);
      scheduler.turn();
      assertThat(watcher.seen).isEqualTo(labels(1, 3));
    }

    @Test
    @DisplayName("X.20 whoever waits for a thread in vain leaves nothing behind")
    void leavesNothingBehind() {
      InMemoryEventLog log =
          InMemoryEventLog.builder().scheduler(scheduler).maxIdle(2).build();
      append(log, "a", ended(1));
      append(log, "b", ended(1));

      for (int thread = 0; thread < 1_000; thread++) {
        Watcher watcher = new Watcher(1);
        log.follow("t" + thread, 0, Chunks.SO_FAR, Schemas.NONE).subscribe(watcher);
        watcher.cancel();
      }

      assertThat(log.read("a", 0, Schemas.NONE).count().block(PATIENCE)).isEqualTo(1);
      assertThat(log.read("b", 0, Schemas.NONE).count().block(PATIENCE)).isEqualTo(1);
    }

    @Test
    @DisplayName("X.19 threads go when nobody has written to them for too long, or followed them")
    void oldThreadsGo() {
      InMemoryEventLog log = InMemoryEventLog.builder()
          .scheduler(scheduler)
          .ttl(Duration.ofDays(1))
          .build();
      Watcher watcher = follow(log, 0, Chunks.NONE);
      append(log, "t", fact(1));
      append(log, "old", fact(1));
      append(log, "busy", fact(1));

      scheduler.pass(Duration.ofHours(23));
      append(log, "busy", fact(2));
      scheduler.pass(Duration.ofHours(2));

      assertThat(log.read("old", 0, Schemas.NONE).count().block(PATIENCE)).isZero();
      assertThatThrownBy(() -> append(log, "old", fact(2)))
          .isInstanceOf(EventLogConflictException.class);
      assertThat(log.open("old", 1).block(PATIENCE)).isZero();
      append(log, "busy", fact(3));
      append(log, "t", fact(2));
      scheduler.turn();
      assertThat(watcher.seen).isEqualTo(labels(1, 2));

      watcher.cancel();
      scheduler.pass(Duration.ofHours(23));
      assertThat(log.read("t", 0, Schemas.NONE).count().block(PATIENCE)).isEqualTo(2);
      scheduler.pass(Duration.ofHours(2));
      assertThat(log.read("t", 0, Schemas.NONE).count().block(PATIENCE)).isZero();
    }

    @Test
    @DisplayName("An option is said once, and makes sense")
    void options() {
      InMemoryEventLog.Builder builder = InMemoryEventLog.builder()
          .maxFacts(1)
          .maxProvisional(1)
          .maxIdle(1)
          .ttl(Duration.ofDays(1))
          .scheduler(scheduler);

      assertThatThrownBy(() -> builder.maxFacts(2)).hasMessage("maxFacts was already set to 1.");
      assertThatThrownBy(() -> builder.maxProvisional(2))
          .hasMessage("maxProvisional was already set to 1.");
      assertThatThrownBy(() -> builder.maxIdle(2)).hasMessage("maxIdle was already set to 1.");
      assertThatThrownBy(() -> builder.ttl(Duration.ofDays(2)))
          .hasMessage("ttl was already set to PT24H.");
      assertThatThrownBy(() -> builder.scheduler(scheduler))
          .hasMessageStartingWith("scheduler was already set");
      assertThatThrownBy(() -> InMemoryEventLog.builder().maxFacts(0))
          .hasMessage("maxFacts must be positive, and was 0.");
      assertThatThrownBy(() -> InMemoryEventLog.builder().ttl(Duration.ZERO))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Nested
  class WhenTasksSaySomething {

    @Test
    @DisplayName("X.19 who had caught up gets the last chunks of a task, though it has ended since")
    void lastChunks() {
      InMemoryEventLog log = handTurned();
      Watcher watcher = follow(log, 0, Chunks.FROM_NOW_ON);

      append(log, "t", fact(1), chunk(1, "last words"), completed(2, "", OUTER), ended(3));
      Watcher late = follow(log, 0, Chunks.SO_FAR);
      scheduler.turn();

      assertThat(watcher.seen).containsExactly("1", "last words", "2", "3");
      assertThat(late.seen).containsExactly("1", "2", "3");
    }

    @Test
    @DisplayName("X.19 who comes while a task is at it misses none of its chunks from then on")
    void soFarAndOn() {
      InMemoryEventLog log = handTurned();
      append(log, "t", fact(1), chunk(1, "a"), chunk(1, "", OTHER, "b"));
      Watcher watcher = new Watcher(2);
      log.follow("t", 0, Chunks.SO_FAR, Schemas.NONE).subscribe(watcher);

      append(log, "t", chunk(1, "c"), completed(2, "", OTHER), completed(3, "", OUTER), ended(4));
      watcher.request(10);

      assertThat(watcher.seen).containsExactly("1", "a", "c", "2", "3", "4");
    }

    /** What somebody hears of running tasks who has seen all facts. */
    private List<String> soFar(InMemoryEventLog log, long cursor) {
      Watcher watcher = follow(log, cursor, Chunks.SO_FAR);
      watcher.cancel();
      return watcher.seen;
    }

    @Test
    @DisplayName("X.19 what tasks of a graph inside have said is void with the attempt around it")
    void nestedAttempts() {
      InMemoryEventLog log = handTurned();
      Task inner = new Task(OUTER.id(), 1, 0, "inner", null);
      Task innermost = new Task(inner.id(), 1, 0, "innermost", null);
      append(
          log,
          "t",
          chunk(0, "outer/", inner, "a"),
          chunk(0, "outer/inner/", innermost, "b"),
          chunk(0, "other/", new Task(OTHER.id(), 1, 0, "inner", null), "c"));
      assertThat(soFar(log, 0)).containsExactly("a", "b", "c");

      append(
          log,
          "t",
          new GraphEvent.TaskRetried(
              MOMENT, 1, OUTER, Execution.FIRST, new IllegalStateException("broken")),
          chunk(1, "outer/inner/", innermost, "d"));

      assertThat(soFar(log, 1)).containsExactly("c", "d");
      append(log, "t", completed(2, "outer/", inner));
      assertThat(soFar(log, 2)).containsExactly("c");
      append(
          log,
          "t",
          new GraphEvent.TaskFailed(
              MOMENT, 3, OTHER, Execution.FIRST, new IllegalStateException()));
      assertThat(soFar(log, 3)).isEmpty();
    }

    @Test
    @DisplayName("X.19 a step ends what its tasks have said; one of a graph inside does not")
    void steps() {
      InMemoryEventLog log = handTurned();
      var state = Graphs.counting(1).schema().start();
      var changes = state.fold(List.of()).changes();
      append(log, "t", chunk(0, "a"));

      append(
          log,
          "t",
          new GraphEvent.RunResumed(new Moment("other/", 0, Instant.EPOCH), 1),
          new GraphEvent.StepCommitted(
              new Moment("other/", 1, Instant.EPOCH), 2, null, null, changes, state));
      assertThat(soFar(log, 2)).containsExactly("a");

      append(log, "t", new GraphEvent.StepCommitted(MOMENT, 3, null, null, changes, state));
      assertThat(soFar(log, 3)).isEmpty();
    }

    @Test
    @DisplayName("X.19 a thread that was deleted has no chunks left")
    void deletedChunks() {
      InMemoryEventLog log = handTurned();
      append(log, "t", chunk(0, "a"));
      Watcher watcher = follow(log, 0, Chunks.SO_FAR);

      log.delete("t").block(PATIENCE);
      log.append("t", 2, List.of(chunk(0, "b"), fact(1)), Schemas.NONE).block(PATIENCE);
      scheduler.turn();

      assertThat(watcher.seen).containsExactly("a", "b", "1");
      assertThat(soFar(log, 1)).containsExactly("b");
    }
  }

  @Test
  @DisplayName("X.19 what appends can be called at once")
  void callable() throws Exception {
    InMemoryEventLog log = handTurned();
    Mono<Void> append = log.append("t", 1, facts(1, 2), Schemas.NONE);
    assertThat(log.read("t", 0, Schemas.NONE).count().block(PATIENCE)).isZero();

    ((Callable<?>) append).call();

    assertThat(log.read("t", 0, Schemas.NONE).count().block(PATIENCE)).isEqualTo(2);
  }

  @Test
  @DisplayName("X.19 a list that is changed after it was handed in is appended as it was")
  void copies() {
    InMemoryEventLog log = handTurned();
    List<GraphEvent> events = new ArrayList<>(facts(1, 2));
    Mono<Void> append = log.append("t", 1, events, Schemas.NONE);
    events.clear();

    append.block(PATIENCE);

    assertThat(log.read("t", 0, Schemas.NONE).count().block(PATIENCE)).isEqualTo(2);
  }
}
