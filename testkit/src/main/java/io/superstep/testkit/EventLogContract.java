package io.superstep.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Execution;
import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote.Asked;
import io.superstep.checkpoint.UnfilledJoin;
import io.superstep.error.Problem;
import io.superstep.event.Chunks;
import io.superstep.event.EventLog;
import io.superstep.event.EventLogConflictException;
import io.superstep.event.EventsTrimmedException;
import io.superstep.event.GraphEvent;
import io.superstep.event.Moment;
import io.superstep.event.RecordedFailure;
import io.superstep.event.UnknownCursorException;
import io.superstep.message.Message;
import io.superstep.question.Answer;
import io.superstep.question.Question;
import io.superstep.state.Changes;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.ListChannel;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * What every event log has to do. The tests of a log extend it and say how to make an empty one.
 *
 * <p>Events are written here by their numbers, {@code "3"}, and chunks with what they say behind
 * that of the fact before them, {@code "3:Hello"}.
 */
public abstract class EventLogContract {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Moment MOMENT = new Moment("", 1, Instant.parse("2026-01-02T03:04:05Z"));

  private static final ListChannel<String> WORDS = Channel.list("words", String.class);
  private static final Channel<@Nullable Object> CLIENT =
      Channel.value("client", Object.class).runtimeOnly();
  private static final Channel<@Nullable Integer> SENT =
      Channel.value("sent", Integer.class).argument();
  private static final StateSchema SCHEMA = StateSchema.of(WORDS, CLIENT, SENT);
  private static final Channel<Long> INSIDE = Channel.sum("words", Long.class);
  private static final StateSchema INNER = StateSchema.of(INSIDE);
  private static final Schemas SCHEMAS = Schemas.of(SCHEMA, Map.of("inner", Schemas.of(INNER)));

  /** How often two JVM threads race for the same thing. */
  private static final int ROUNDS = 200;

  /** An empty log. */
  protected abstract EventLog log();

  private static <T> @Nullable T one(Publisher<T> publisher) {
    return Mono.from(publisher).block(PATIENCE);
  }

  private static <T> List<T> all(Publisher<T> publisher) {
    return Objects.requireNonNull(Flux.from(publisher).collectList().block(PATIENCE));
  }

  /** What is read of thread {@code t} behind {@code after}. */
  private static List<String> read(EventLog log, long after) {
    return all(log.read("t", after, SCHEMAS)).stream()
        .map(EventLogContract::label)
        .toList();
  }

  private static String label(GraphEvent event) {
    return event instanceof GraphEvent.TaskChunk chunk
        ? chunk.sequence() + ":" + chunk.content()
        : Long.toString(event.sequence());
  }

  private static List<String> labels(long first, long last) {
    return LongStream.rangeClosed(first, last).mapToObj(Long::toString).toList();
  }

  /** A fact that has nothing to do with any task. */
  private static GraphEvent fact(long number) {
    return new GraphEvent.CheckpointSaved(MOMENT, number, new CheckpointId(number, 1));
  }

  private static List<GraphEvent> facts(long first, long last) {
    return LongStream.rangeClosed(first, last).mapToObj(EventLogContract::fact).toList();
  }

  private static Task task(String node) {
    return new Task("t/1-1", 1, 0, node, null);
  }

  private static GraphEvent chunk(long number, String node, int index, String content) {
    return new GraphEvent.TaskChunk(MOMENT, number, task(node), Execution.FIRST, index, 0, content);
  }

  private static GraphEvent started(long number, String node) {
    return new GraphEvent.TaskStarted(MOMENT, number, task(node), Execution.FIRST);
  }

  private static GraphEvent completed(long number, String node) {
    return new GraphEvent.TaskCompleted(MOMENT, number, task(node), Execution.FIRST, false, null);
  }

  /** A log whose thread {@code t} has that many facts by a writer with fence 1. */
  private EventLog logOf(long facts) {
    EventLog log = log();
    one(log.open("t", 1));
    one(log.append("t", 1, facts(1, facts), SCHEMAS));
    return log;
  }

  /** Hears what a publisher brings, and that it is no more than was asked for. */
  private static final class Watcher extends BaseSubscriber<GraphEvent> {

    /** Whoever adds to it never waits, wherever that is. */
    private final LinkedTransferQueue<Object> arriving = new LinkedTransferQueue<>();

    private final AtomicLong allowed = new AtomicLong();
    private final List<String> seen = new ArrayList<>();
    private final long first;

    private Watcher(long first) {
      this.first = first;
    }

    static Watcher of(Publisher<GraphEvent> events) {
      return of(events, Long.MAX_VALUE);
    }

    static Watcher of(Publisher<GraphEvent> events, long first) {
      Watcher watcher = new Watcher(first);
      events.subscribe(watcher);
      return watcher;
    }

    @Override
    protected void hookOnSubscribe(Subscription subscription) {
      if (first > 0) {
        ask(first);
      }
    }

    void ask(long more) {
      allowed.updateAndGet(before -> before + more < 0 ? Long.MAX_VALUE : before + more);
      request(more);
    }

    @Override
    protected void hookOnNext(GraphEvent event) {
      arriving.add(
          allowed.getAndDecrement() > 0
              ? event
              : new AssertionError(label(event) + " was not asked for"));
    }

    @Override
    protected void hookOnError(Throwable error) {
      arriving.add(error);
    }

    @Override
    protected void hookOnComplete() {
      arriving.add("completed");
    }

    /** Waits for the next {@code count} events, and says what has arrived so far. */
    List<String> after(int count) {
      for (int left = count; left > 0; left--) {
        Object next = next();
        if (!(next instanceof GraphEvent event)) {
          throw new AssertionError("After " + seen + " came " + next + ".");
        }
        seen.add(label(event));
      }
      return List.copyOf(seen);
    }

    /** Waits for an error, and lets go by what comes before. */
    Throwable error() {
      Object next = next();
      while (next instanceof GraphEvent) {
        next = next();
      }
      return assertInstanceOf(Throwable.class, next);
    }

    boolean hasHeardNothing() {
      return arriving.isEmpty();
    }

    private Object next() {
      try {
        Object next = arriving.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertNotNull(next, "Nothing came after " + seen + ".");
        return next;
      } catch (InterruptedException interrupted) {
        throw new AssertionError(interrupted);
      }
    }
  }

  @Test
  @DisplayName("X.19 facts are numbered without a gap, by whoever writes")
  void numbers() {
    EventLog log = log();

    assertEquals(0, one(log.open("t", 1)));
    one(log.append("t", 1, facts(1, 2), SCHEMAS));
    one(log.append("t", 1, List.of(), SCHEMAS));
    one(log.append("t", 1, facts(3, 3), SCHEMAS));
    assertEquals(3, one(log.open("t", 5)));
    one(log.append("t", 5, facts(4, 5), SCHEMAS));
    one(log.append("t", 7, facts(6, 6), SCHEMAS));

    assertEquals(labels(1, 6), read(log, 0));
    assertEquals(6, one(log.open("t", 7)));
  }

  @Test
  @DisplayName("X.19 what is read is what was written")
  void content() {
    EventLog log = log();
    List<GraphEvent> events = List.of(
        new GraphEvent.RunResumed(MOMENT, 1),
        new GraphEvent.StepStarted(MOMENT, 2, List.of(task("a"), task("b"))),
        started(3, "a"),
        completed(4, "a"),
        new GraphEvent.Warning(MOMENT, 5, new Problem("SG-152", "What.", "where", "Fix.")),
        new GraphEvent.CheckpointSaved(
            new Moment("inner/", 2, Instant.EPOCH), 6, new CheckpointId(3, 2)));

    one(log.append("t", 1, events, SCHEMAS));

    assertEquals(events, all(log.read("t", 0, SCHEMAS)));
    assertEquals(
        events.subList(4, 6),
        all(Flux.from(log.follow("t", 4, Chunks.NONE, SCHEMAS)).take(2)));
  }

  private static Transition step(State state, Update update) {
    return state.fold(List.of(new Contribution("test", update)));
  }

  private static Position position(State state) {
    return new Position(
        "t/1-1",
        3,
        state,
        List.of(new Due("a", Update.of(SENT, 7)), Due.by("b")),
        List.of("later"),
        Map.of("join", Set.of("a")),
        Map.of("a", 2),
        Pause.of(List.of("a"), List.of("b")));
  }

  /** What is equal of two logs: errors by what can be recorded of them. */
  private static GraphEvent recorded(GraphEvent event) {
    if (event instanceof GraphEvent.TaskRetried retried) {
      return new GraphEvent.TaskRetried(
          retried.moment(),
          retried.sequence(),
          retried.task(),
          retried.execution(),
          RecordedFailure.of(retried.error()));
    }
    if (event instanceof GraphEvent.TaskFailed failed) {
      return new GraphEvent.TaskFailed(
          failed.moment(),
          failed.sequence(),
          failed.task(),
          failed.execution(),
          RecordedFailure.of(failed.error()));
    }
    if (event instanceof GraphEvent.TaskCompleted completed && completed.handled() != null) {
      return new GraphEvent.TaskCompleted(
          completed.moment(),
          completed.sequence(),
          completed.task(),
          completed.execution(),
          completed.cached(),
          RecordedFailure.of(completed.handled()));
    }
    return event instanceof GraphEvent.RunFailed failed
        ? new GraphEvent.RunFailed(
            failed.moment(), failed.sequence(), RecordedFailure.of(failed.error()))
        : event;
  }

  private static List<GraphEvent> recorded(List<GraphEvent> events) {
    return events.stream().map(EventLogContract::recorded).toList();
  }

  /** Facts of every kind, with states that grow, at the top and inside. */
  private static List<GraphEvent> everything() {
    Moment inner = new Moment("inner/", 2, Instant.EPOCH, MOMENT.time());
    Task sent = new Task("t/1-1", 1, 1, "a", Update.of(SENT, 7));
    Asked asked =
        new Asked(sent, 1, "q", "publish", Question.yesNo("Publish?").prompt(), MOMENT.time());
    Transition first = step(SCHEMA.start(), Update.append(WORDS, "one"));
    Transition second = step(first.state(), Update.append(WORDS, "two", "three"));
    Transition inside = step(INNER.start(), Update.of(INSIDE, 5L));
    Transition deeper = step(inside.state(), Update.of(INSIDE, 6L));
    Exception failure =
        new IllegalStateException("broken", new UnsupportedOperationException("why"));
    return List.of(
        new GraphEvent.RunStarted(
            MOMENT, 1, new CheckpointId(1, 2), null, first.changes(), first.state()),
        new GraphEvent.RunResumed(MOMENT, 2),
        new GraphEvent.StepStarted(MOMENT, 3, List.of(task("a"), sent)),
        new GraphEvent.TaskStarted(MOMENT, 4, sent, new Execution(7, 1)),
        new GraphEvent.TaskRetried(MOMENT, 5, sent, new Execution(7, 1), failure),
        new GraphEvent.TaskFailed(
            MOMENT, 6, sent, new Execution(7, 2), new UnknownCursorException("t", 1, 2)),
        new GraphEvent.TaskCompleted(
            MOMENT, 7, sent, new Execution(8, List.of(2, 1), 3), true, failure),
        new GraphEvent.QuestionAsked(MOMENT, 8, asked),
        new GraphEvent.QuestionAnswered(
            MOMENT, 9, sent, new Answer("q", "publish", true, "ada", MOMENT.time(), "r")),
        new GraphEvent.StepCommitted(MOMENT, 10, null, null, first.changes(), first.state()),
        new GraphEvent.StepCommitted(inner, 11, null, null, inside.changes(), inside.state()),
        new GraphEvent.StepCommitted(inner, 12, null, null, deeper.changes(), deeper.state()),
        new GraphEvent.StepCommitted(
            MOMENT,
            13,
            new CheckpointId(2, 2),
            new CheckpointId(1, 2),
            second.changes(),
            second.state()),
        new GraphEvent.CheckpointSaved(inner, 14, new CheckpointId(3, 2)),
        new GraphEvent.Warning(MOMENT, 15, new Problem("SG-152", "What.", "where", "Fix.")),
        new GraphEvent.RunInterrupted(
            MOMENT, 16, position(second.state()), new CheckpointId(3, 2), List.of(asked)),
        new GraphEvent.RunStopped(MOMENT, 17, position(first.state()), null),
        new GraphEvent.RunFailed(MOMENT, 18, failure),
        new GraphEvent.RunCompleted(
            MOMENT,
            19,
            position(second.state()),
            new CheckpointId(4, 3),
            List.of(new UnfilledJoin("c", List.of("a"), List.of("b")))),
        new GraphEvent.ThreadUpdated(
            MOMENT,
            20,
            new CheckpointId(5, 3),
            new CheckpointId(1, 2),
            Cause.fork("ada", "typo"),
            new Changes(Map.of()),
            first.state(),
            new GraphEvent.Rebase(
                new CheckpointId(4, 3), Changes.between(second.state(), first.state()))));
  }

  @Test
  @DisplayName("X.19 events of every kind are read from any cursor as they were written")
  void everyKind() {
    List<GraphEvent> events = everything();
    EventLog log = log();
    for (GraphEvent event : events) {
      one(log.append("t", 1, List.of(event), SCHEMAS));
    }

    for (int cursor = 0; cursor <= events.size(); cursor++) {
      List<GraphEvent> behind = recorded(events.subList(cursor, events.size()));
      assertEquals(behind, recorded(all(log.read("t", cursor, SCHEMAS))));
      assertEquals(
          behind,
          recorded(
              all(Flux.from(log.follow("t", cursor, Chunks.NONE, SCHEMAS)).take(behind.size()))));
    }
  }

  @Test
  @DisplayName("X.19 facts are read as they were written, whoever wrote those before, and trimmed")
  void severalWriters() {
    List<GraphEvent> events = everything();
    EventLog log = log();
    long fence = 0;
    for (GraphEvent event : events) {
      fence++;
      one(log.open("t", fence));
      one(log.append("t", fence, List.of(event), SCHEMAS));
    }
    one(log.append("t", fence, events.subList(events.size() - 1, events.size()), SCHEMAS));

    assertEquals(recorded(events), recorded(all(log.read("t", 0, SCHEMAS))));
    for (int first = 2; first <= events.size(); first++) {
      one(log.trim("t", first));
      assertEquals(
          recorded(events.subList(first - 1, events.size())),
          recorded(all(log.read("t", first - 1, SCHEMAS))));
    }
  }

  @Test
  @DisplayName("X.19 chunks and updates come back as they were told")
  void provisional() {
    EventLog log = log();
    List<GraphEvent> told = List.of(
        started(1, "a"),
        chunk(1, "a", 0, "text \ud83d"),
        new GraphEvent.TaskChunk(
            MOMENT, 1, task("a"), Execution.FIRST, 1, 0, Message.ai("Yes.").withId("m-1")),
        new GraphEvent.TaskChunk(
            MOMENT,
            1,
            task("a"),
            new Execution(7, List.of(2), 1),
            2,
            3,
            Map.of("n", List.of(1, 2L, 0.5))),
        new GraphEvent.TaskUpdated(
            MOMENT, 1, task("a"), new Execution(7, 1), Update.append(WORDS, "one")),
        fact(2));
    List<GraphEvent> heard = new CopyOnWriteArrayList<>();
    Flux<GraphEvent> following =
        Flux.from(log.follow("t", 0, Chunks.SO_FAR, SCHEMAS)).take(told.size());

    one(log.append("t", 1, told, SCHEMAS));
    heard.addAll(all(following));

    assertEquals(told, heard);
  }

  @Test
  @DisplayName("S2.32 a thread can have any name")
  void names() {
    EventLog log = log();
    List<String> names = List.of(
        "t",
        "T",
        "a/b",
        "a:b",
        "{a}",
        "a*",
        "[a]",
        "a%2F",
        "a'b\"c\\",
        "a\nb",
        "\u00fc\ud83d\ude00",
        "\u0000",
        "x".repeat(500));
    for (int index = 0; index < names.size(); index++) {
      one(log.append(names.get(index), 1, facts(1, index + 1), SCHEMAS));
    }

    for (int index = 0; index < names.size(); index++) {
      assertEquals(labels(1, index + 1), labelsOf(log, names.get(index), 0));
    }
  }

  @Test
  @DisplayName("X.19 a list that is repeated, all or a part of it, is not added again")
  void repetition() {
    EventLog log = logOf(3);

    one(log.append("t", 1, facts(1, 3), SCHEMAS));
    one(log.append("t", 1, facts(2, 2), SCHEMAS));
    one(log.append("t", 1, facts(2, 5), SCHEMAS));
    assertEquals(5, one(log.open("t", 1)), "repeated");
    one(log.append("t", 1, facts(5, 6), SCHEMAS));

    assertEquals(labels(1, 6), read(log, 0));
  }

  @Test
  @DisplayName("X.19 chunks that are repeated with their facts are told once")
  void repeatedChunks() {
    EventLog log = logOf(0);
    List<GraphEvent> list =
        List.of(started(1, "a"), chunk(1, "a", 0, "x"), fact(2), chunk(2, "a", 1, "y"));
    one(log.append("t", 1, list, SCHEMAS));
    one(log.append("t", 1, list, SCHEMAS));
    List<GraphEvent> longer = new ArrayList<>(list);
    longer.addAll(List.of(fact(3), chunk(3, "a", 2, "z")));
    one(log.append("t", 1, longer, SCHEMAS));

    assertEquals(
        List.of("1", "1:x", "2", "2:y", "3", "3:z"),
        Watcher.of(log.follow("t", 0, Chunks.SO_FAR, SCHEMAS)).after(6));
  }

  private static void assertRefused(Publisher<?> call) {
    EventLogConflictException refused =
        assertThrows(EventLogConflictException.class, () -> one(call));
    assertEquals("SG-423", refused.code());
    assertEquals("t", refused.thread());
  }

  @Test
  @DisplayName("X.19 whoever has a lower fence than was seen writes nothing")
  void fences() {
    EventLog log = logOf(2);
    assertEquals(2, one(log.open("t", 4)));

    assertRefused(log.open("t", 3));
    assertRefused(log.append("t", 1, facts(3, 3), SCHEMAS));
    assertRefused(log.append("t", 3, List.of(chunk(2, "a", 0, "x")), SCHEMAS));
    assertRefused(log.append("t", 1, facts(1, 2), SCHEMAS));
    one(log.append("t", 6, facts(3, 3), SCHEMAS));
    assertRefused(log.append("t", 4, facts(4, 4), SCHEMAS));
    assertRefused(log.open("t", 5));

    assertEquals(labels(1, 3), read(log, 0));
    assertEquals(0, one(log.open("other", 1)), "fences are those of a thread");
  }

  @Test
  @DisplayName("X.19 numbers that do not go on are refused, and nothing is written")
  void gaps() {
    EventLog log = logOf(3);

    assertRefused(log.append("t", 1, facts(5, 5), SCHEMAS));
    assertRefused(log.append("t", 1, List.of(fact(4), fact(6)), SCHEMAS));
    assertRefused(log.append("t", 1, List.of(fact(4), fact(4)), SCHEMAS));
    assertRefused(log.append("t", 1, List.of(fact(2), fact(4)), SCHEMAS));
    assertRefused(log.append("t", 1, List.of(fact(4), chunk(3, "a", 0, "x")), SCHEMAS));
    assertRefused(log.append("t", 1, List.of(chunk(4, "a", 0, "x")), SCHEMAS));
    assertRefused(log.append("t", 2, facts(3, 4), SCHEMAS), "3 is somebody else's");

    assertEquals(labels(1, 3), read(log, 0));
    one(log.append("t", 1, facts(4, 4), SCHEMAS));
    assertEquals(labels(1, 4), read(log, 0));
  }

  private static void assertRefused(Publisher<?> call, String why) {
    assertThrows(EventLogConflictException.class, () -> one(call), why);
  }

  @Test
  @DisplayName("X.19 of writers that race, the one with the higher fence goes on, without a gap")
  void racingWriters() {
    EventLog log = logOf(0);
    for (int round = 1; round <= ROUNDS / 2; round++) {
      long older = round;
      long last = Objects.requireNonNull(one(log.open("t", older)));
      Mono<Boolean> loser = Mono.from(log.append("t", older, facts(last + 1, last + 2), SCHEMAS))
          .thenReturn(true)
          .onErrorReturn(EventLogConflictException.class, false)
          .subscribeOn(Schedulers.boundedElastic());
      Mono<Long> winner = Mono.from(log.open("t", older + 1))
          .flatMap(at -> Mono.from(log.append("t", older + 1, facts(at + 1, at + 1), SCHEMAS))
              .thenReturn(at + 1))
          .subscribeOn(Schedulers.boundedElastic());

      long reached = Objects.requireNonNull(
          Mono.zip(loser, winner, (won, at) -> at - (won ? 2 : 0)).block(PATIENCE));

      assertEquals(last + 1, reached);
    }
    long last = Objects.requireNonNull(one(log.open("t", ROUNDS)));
    assertEquals(labels(1, last), read(log, 0));
  }

  @Test
  @DisplayName("X.19 reading from any cursor brings what is behind it, and completes")
  void reads() {
    EventLog log = logOf(20);

    for (long cursor = 0; cursor <= 20; cursor++) {
      assertEquals(labels(cursor + 1, 20), read(log, cursor));
    }
    assertEquals(List.of(), all(log.read("unknown", 0, SCHEMAS)));
  }

  @Test
  @DisplayName("X.19 as much is read as is asked for, and no chunks")
  void readsWhatIsAskedFor() {
    EventLog log = logOf(3);
    one(log.append("t", 1, List.of(chunk(3, "a", 0, "x"), fact(4)), SCHEMAS));
    Watcher reader = Watcher.of(log.read("t", 0, SCHEMAS), 1);

    assertEquals(labels(1, 1), reader.after(1));
    reader.ask(2);
    assertEquals(labels(1, 3), reader.after(2));
    one(log.append("t", 1, facts(5, 5), SCHEMAS));
    reader.ask(10);
    assertEquals(labels(1, 4), reader.after(1));
    assertEquals("completed", reader.next());
  }

  @Test
  @DisplayName("X.19 a client that saw 17 and comes back gets 18 and on, from any cursor")
  void follows() {
    EventLog log = logOf(20);
    List<Watcher> watchers = LongStream.rangeClosed(0, 20)
        .mapToObj(cursor -> Watcher.of(log.follow("t", cursor, Chunks.NONE, SCHEMAS)))
        .toList();

    for (long number = 21; number <= 25; number++) {
      one(log.append("t", 1, facts(number, number), SCHEMAS));
    }

    for (int cursor = 0; cursor <= 20; cursor++) {
      assertEquals(labels(cursor + 1, 25), watchers.get(cursor).after(25 - cursor));
    }
    watchers.forEach(Watcher::cancel);
  }

  @Test
  @DisplayName("X.20 whoever follows before the first event gets it, and all others")
  void followsBeforeTheFirstEvent() {
    EventLog log = log();
    Watcher early = Watcher.of(log.follow("t", 0, Chunks.NONE, SCHEMAS));
    Watcher other = Watcher.of(log.follow("t", 0, Chunks.SO_FAR, SCHEMAS));
    one(log.open("t", 1));

    one(log.append(
        "t", 1, List.of(new GraphEvent.RunResumed(MOMENT, 1), started(2, "a")), SCHEMAS));
    one(log.append("t", 1, facts(3, 3), SCHEMAS));

    assertEquals(labels(1, 3), early.after(3));
    assertEquals(labels(1, 3), other.after(3));
    early.cancel();
    other.cancel();
  }

  @Test
  @DisplayName("X.19 X.20 nothing is lost or told twice where following races with appending")
  void racingFollowers() {
    EventLog log = log();
    Random random = new Random(1);
    for (int round = 0; round < ROUNDS; round++) {
      String thread = "t" + round;
      int before = random.nextInt(5);
      one(log.append(thread, 1, facts(1, before), SCHEMAS));
      Mono<Void> writing = Flux.range(0, 5)
          .concatMap(step ->
              log.append(thread, 1, facts(before + 1 + step * 3L, before + 3 + step * 3L), SCHEMAS))
          .then()
          .subscribeOn(Schedulers.boundedElastic())
          .cache();
      writing.subscribe();
      int cursor = random.nextInt(before + 1);
      Watcher unbounded = Watcher.of(log.follow(thread, cursor, Chunks.NONE, SCHEMAS));
      Watcher stepwise = Watcher.of(log.follow(thread, cursor, Chunks.FROM_NOW_ON, SCHEMAS), 1);

      for (int number = cursor + 1; number < before + 15; number++) {
        stepwise.after(1);
        stepwise.ask(1);
      }

      assertEquals(labels(cursor + 1, before + 15), stepwise.after(1));
      assertEquals(labels(cursor + 1, before + 15), unbounded.after(before + 15 - cursor));
      one(writing);
      unbounded.cancel();
      stepwise.cancel();
      assertTrue(unbounded.hasHeardNothing() && stepwise.hasHeardNothing(), "told twice");
    }
  }

  @Test
  @DisplayName("X.19 a follower that leaves and comes back, again and again, sees every fact once")
  void reconnects() {
    EventLog log = log();
    Mono<Void> writing = Flux.range(0, 100)
        .concatMap(step -> log.append("t", 1, facts(1 + step * 2L, 2 + step * 2L), SCHEMAS))
        .then()
        .subscribeOn(Schedulers.boundedElastic())
        .cache();
    writing.subscribe();

    List<String> seen = new ArrayList<>();
    while (seen.size() < 200) {
      long next = Math.min(200 - seen.size(), 7);
      all(Flux.from(log.follow("t", seen.size(), Chunks.NONE, SCHEMAS)).take(next))
          .forEach(event -> seen.add(label(event)));
    }

    assertEquals(labels(1, 200), seen);
    one(writing);
  }

  @Test
  @DisplayName("X.19 a follower gets no more than it asks for, before and after it has caught up")
  void demand() {
    EventLog log = logOf(3);
    Watcher slow = Watcher.of(log.follow("t", 0, Chunks.FROM_NOW_ON, SCHEMAS), 0);
    Watcher fast = Watcher.of(log.follow("t", 0, Chunks.NONE, SCHEMAS));

    slow.ask(1);
    assertEquals(labels(1, 1), slow.after(1));
    slow.ask(2);
    assertEquals(labels(1, 3), slow.after(2));
    one(log.append("t", 1, facts(4, 6), SCHEMAS));
    assertEquals(labels(1, 6), fast.after(6));
    slow.ask(1);
    assertEquals(labels(1, 4), slow.after(1));
    slow.ask(5);
    one(log.append("t", 1, facts(7, 9), SCHEMAS));
    assertEquals(labels(1, 9), slow.after(5));
    slow.cancel();
    fast.cancel();
  }

  @Test
  @DisplayName("X.19 whoever cancels hears no more, and others do")
  void cancelled() {
    EventLog log = logOf(1);
    Watcher leaving = Watcher.of(log.follow("t", 0, Chunks.NONE, SCHEMAS));
    Watcher staying = Watcher.of(log.follow("t", 0, Chunks.NONE, SCHEMAS));
    leaving.after(1);

    leaving.cancel();
    one(log.append("t", 1, facts(2, 5), SCHEMAS));

    assertEquals(labels(1, 5), staying.after(5));
    assertTrue(leaving.hasHeardNothing());
    staying.cancel();
  }

  @Test
  @DisplayName("X.19 who asks for facts that were trimmed is told so, and where to go on")
  void trimmed() {
    EventLog log = logOf(6);

    assertEquals(3, one(log.trim("t", 4)));
    assertEquals(0, one(log.trim("t", 4)), "repeated");
    assertEquals(0, one(log.trim("t", 1)));
    assertEquals(0, one(log.trim("unknown", 9)));

    for (long cursor = 0; cursor < 3; cursor++) {
      assertTrimmed(log, cursor, 4);
    }
    assertEquals(labels(4, 6), read(log, 3));
    assertEquals(
        labels(4, 6), Watcher.of(log.follow("t", 3, Chunks.NONE, SCHEMAS)).after(3));
  }

  private static void assertTrimmed(EventLog log, long cursor, long first) {
    for (Publisher<GraphEvent> events :
        List.of(log.read("t", cursor, SCHEMAS), log.follow("t", cursor, Chunks.SO_FAR, SCHEMAS))) {
      EventsTrimmedException trimmed =
          assertInstanceOf(EventsTrimmedException.class, Watcher.of(events).error());
      assertEquals("SG-421", trimmed.code());
      assertEquals("t", trimmed.thread());
      assertEquals(cursor, trimmed.after());
      assertEquals(first, trimmed.first());
    }
  }

  @Test
  @DisplayName("X.19 a limit for trimming may be any number")
  void trimmedByAnyNumber() {
    EventLog log = logOf(6);

    for (long before : new long[] {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1}) {
      assertEquals(0, one(log.trim("t", before)), () -> "trim before " + before);
    }
    assertEquals(labels(1, 6), read(log, 0));
    assertEquals(6, one(log.trim("t", Long.MAX_VALUE)));
    assertEquals(0, one(log.trim("t", Long.MAX_VALUE)), "repeated");
    assertEquals(List.of(), read(log, 6));
    one(log.append("t", 1, facts(7, 8), SCHEMAS));
    assertEquals(labels(7, 8), read(log, 6));
  }

  @Test
  @DisplayName("X.19 a cursor may be any number, and one that was never reached is refused")
  void anyCursor() {
    EventLog log = logOf(6);

    for (long cursor : new long[] {Long.MIN_VALUE, -1, 7, Long.MAX_VALUE}) {
      assertUnknown(log, "t", cursor, 6);
    }
  }

  @Test
  @DisplayName("X.19 a deleted thread refuses the writers it had, however many were deleted since")
  void deletedWithMany() {
    EventLog log = log();
    for (int number = 1; number <= 50; number++) {
      one(log.open("t" + number, number));
      one(log.append("t" + number, number, facts(1, 2), SCHEMAS));
      one(log.delete("t" + number));
    }

    for (int number = 1; number <= 50; number++) {
      String thread = "t" + number;
      long stale = number;
      assertThrows(EventLogConflictException.class, () -> one(log.open(thread, stale)));
      assertThrows(
          EventLogConflictException.class,
          () -> one(log.append(thread, stale, facts(1, 1), SCHEMAS)));
      assertEquals(0, one(log.open(thread, stale + 1)));
    }
    assertEquals(0, one(log.open("another", 1)));
  }

  @Test
  @DisplayName("X.19 numbers go on when all facts were trimmed")
  void trimmedAltogether() {
    EventLog log = logOf(6);

    assertEquals(6, one(log.trim("t", 100)));

    assertTrimmed(log, 0, 7);
    assertEquals(List.of(), read(log, 6));
    Watcher last = Watcher.of(log.follow("t", 6, Chunks.NONE, SCHEMAS));
    assertEquals(6, one(log.open("t", 2)));
    assertRefused(log.append("t", 2, facts(1, 1), SCHEMAS));
    one(log.append("t", 2, facts(7, 8), SCHEMAS));
    assertEquals(labels(7, 8), last.after(2));
    assertTrimmed(log, 5, 7);
    last.cancel();
  }

  @Test
  @DisplayName("X.19 a cursor that the thread never reached is refused")
  void unknownCursors() {
    EventLog log = logOf(3);

    for (long cursor : new long[] {4, 100, -1}) {
      assertUnknown(log, "t", cursor, 3);
      assertUnknown(log, "unknown", cursor, 0);
    }
    assertEquals(List.of(), read(log, 3));
  }

  private static void assertUnknown(EventLog log, String thread, long cursor, long last) {
    for (Publisher<GraphEvent> events : List.of(
        log.read(thread, cursor, SCHEMAS), log.follow(thread, cursor, Chunks.NONE, SCHEMAS))) {
      assertUnknown(Watcher.of(events), thread, cursor, last);
    }
  }

  private static void assertUnknown(Watcher watcher, String thread, long cursor, long last) {
    UnknownCursorException unknown =
        assertInstanceOf(UnknownCursorException.class, watcher.error());
    assertEquals("SG-422", unknown.code());
    assertEquals(thread, unknown.thread());
    assertEquals(cursor, unknown.after());
    assertEquals(last, unknown.last());
  }

  @Test
  @DisplayName("X.19 a thread that was deleted begins anew, and its writer does not come back")
  void deleted() {
    EventLog log = logOf(5);
    one(log.open("t", 3));

    one(log.delete("t"));
    one(log.delete("t"));
    one(log.delete("unknown"));

    assertEquals(List.of(), read(log, 0));
    assertUnknown(log, "t", 5, 0);
    assertRefused(log.append("t", 1, facts(6, 6), SCHEMAS));
    assertRefused(log.append("t", 3, facts(1, 1), SCHEMAS));
    assertRefused(log.open("t", 3));
    assertEquals(0, one(log.open("t", 4)));
    one(log.append("t", 4, facts(1, 2), SCHEMAS));
    assertEquals(labels(1, 2), read(log, 0));
    assertEquals(0, one(log.open("unknown", 1)));
  }

  @Test
  @DisplayName("X.20 who follows a thread while it is deleted goes on, or is told so")
  void deletedBeforeSomebody() {
    EventLog log = logOf(0);
    Watcher waiting = Watcher.of(log.follow("t", 0, Chunks.NONE, SCHEMAS));
    one(log.delete("t"));
    one(log.open("t", 2));
    one(log.append("t", 2, facts(1, 2), SCHEMAS));
    assertEquals(labels(1, 2), waiting.after(2));

    one(log.delete("t"));

    assertUnknown(waiting, "t", 2, 0);
  }

  @Test
  @DisplayName(
      "X.19 who has seen facts of a deleted thread never gets those of the next by mistake")
  void deletedAndBegunAnew() {
    EventLog log = logOf(2);
    Watcher slow = Watcher.of(log.follow("t", 0, Chunks.NONE, SCHEMAS), 2);
    slow.after(2);

    one(log.delete("t"));
    one(log.append("t", 2, facts(1, 5), SCHEMAS));
    slow.ask(10);

    UnknownCursorException unknown = assertInstanceOf(UnknownCursorException.class, slow.next());
    assertEquals(2, unknown.after());
  }

  @Test
  @DisplayName("X.19 threads know nothing of each other")
  void threads() {
    EventLog log = log();
    List<String> names = List.of("a", "b", "c");
    List<Watcher> watchers = names.stream()
        .map(name -> Watcher.of(log.follow(name, 0, Chunks.FROM_NOW_ON, SCHEMAS)))
        .toList();

    for (int thread = 0; thread < 3; thread++) {
      one(log.append(names.get(thread), 1, facts(1, 4 + thread), SCHEMAS));
    }
    for (int thread = 0; thread < 3; thread++) {
      assertEquals(labels(1, 4 + thread), watchers.get(thread).after(4 + thread));
    }
    one(log.trim("a", 3));
    one(log.delete("b"));
    one(log.append("c", 1, List.of(chunk(6, "work", 0, "x"), fact(7)), SCHEMAS));

    assertEquals(labels(3, 4), labelsOf(log, "a", 2));
    assertEquals(List.of(), labelsOf(log, "b", 0));
    assertEquals(labels(1, 7), labelsOf(log, "c", 0));
    assertUnknown(watchers.get(1), "b", 5, 0);
    watchers.forEach(Watcher::cancel);
  }

  private static List<String> labelsOf(EventLog log, String thread, long after) {
    return all(log.read(thread, after, SCHEMAS)).stream()
        .map(EventLogContract::label)
        .toList();
  }

  @Test
  @DisplayName("X.19 chunks move no cursor, and whoever wants none gets none")
  void noChunks() {
    EventLog log = logOf(1);
    Watcher watcher = Watcher.of(log.follow("t", 0, Chunks.NONE, SCHEMAS));

    one(log.append(
        "t", 1, List.of(chunk(1, "a", 0, "x"), fact(2), chunk(2, "a", 1, "y")), SCHEMAS));
    one(log.append("t", 1, List.of(chunk(2, "a", 2, "z")), SCHEMAS));
    one(log.append("t", 1, facts(3, 3), SCHEMAS));

    assertEquals(labels(1, 3), watcher.after(3));
    assertEquals(labels(1, 3), read(log, 0));
    assertEquals(3, one(log.open("t", 1)));
    watcher.cancel();
  }

  /** Appends until a chunk has come through, and says how many facts there are then. */
  private static long catchUp(EventLog log, Watcher watcher, long last) {
    long number = last;
    while (watcher.seen.stream().noneMatch(label -> label.contains(":"))) {
      number += 2;
      one(log.append("t", 1, List.of(fact(number - 1), chunk(number - 1, "a", 0, "x")), SCHEMAS));
      one(log.append("t", 1, facts(number, number), SCHEMAS));
      while (!watcher.seen.contains(Long.toString(number))) {
        watcher.after(1);
      }
    }
    return number;
  }

  @Test
  @DisplayName("X.19 chunks come in order with facts, from when the follower has caught up")
  void chunksFromNowOn() {
    EventLog log = logOf(3);
    one(log.append("t", 1, List.of(started(4, "a"), chunk(4, "a", 0, "early")), SCHEMAS));
    Watcher watcher = Watcher.of(log.follow("t", 0, Chunks.FROM_NOW_ON, SCHEMAS));
    long last = catchUp(log, watcher, 4);
    int before = watcher.seen.size();

    one(log.append(
        "t", 1, List.of(chunk(last, "a", 1, "one"), chunk(last, "b", 0, "two")), SCHEMAS));
    one(log.append(
        "t", 1, List.of(chunk(last, "a", 2, "three"), completed(last + 1, "a")), SCHEMAS));
    one(log.append("t", 1, List.of(chunk(last + 1, "b", 1, "four")), SCHEMAS));

    List<String> seen = watcher.after(5);
    assertEquals(labels(1, 4), seen.subList(0, 4));
    assertEquals(
        List.of(
            last + ":one", last + ":two", last + ":three", "" + (last + 1), (last + 1) + ":four"),
        seen.subList(before, seen.size()));
    watcher.cancel();
  }

  @Test
  @DisplayName("X.19 who comes late gets what running tasks have said so far, and no others")
  void chunksSoFar() {
    EventLog log = logOf(0);
    one(log.append(
        "t", 1, List.of(started(1, "a"), chunk(1, "a", 0, "x"), started(2, "b")), SCHEMAS));
    one(log.append("t", 1, List.of(chunk(2, "b", 0, "void"), chunk(2, "a", 1, "y")), SCHEMAS));
    one(log.append("t", 1, List.of(completed(3, "b"), chunk(3, "a", 2, "z")), SCHEMAS));

    Watcher late = Watcher.of(log.follow("t", 0, Chunks.SO_FAR, SCHEMAS));
    Watcher back = Watcher.of(log.follow("t", 2, Chunks.SO_FAR, SCHEMAS));
    Watcher atTheEnd = Watcher.of(log.follow("t", 3, Chunks.SO_FAR, SCHEMAS));

    assertEquals(List.of("1", "1:x", "2", "2:y", "3", "3:z"), late.after(6));
    assertEquals(List.of("1:x", "2:y", "3", "3:z"), back.after(4));
    assertEquals(List.of("1:x", "2:y", "3:z"), atTheEnd.after(3));
    one(log.append("t", 1, List.of(fact(4), completed(5, "a")), SCHEMAS));
    assertEquals(List.of("1:x", "2:y", "3:z", "4", "5"), atTheEnd.after(2));
    List.of(late, back, atTheEnd).forEach(Watcher::cancel);
  }

  @Test
  @DisplayName("X.19 what an attempt has said is void when the next one begins")
  void chunksOfAnAttempt() {
    EventLog log = logOf(0);
    one(log.append("t", 1, List.of(started(1, "a"), chunk(1, "a", 0, "void")), SCHEMAS));
    GraphEvent retried = new GraphEvent.TaskRetried(
        MOMENT, 2, task("a"), Execution.FIRST, new IllegalStateException("broken"));
    one(log.append("t", 1, List.of(retried, chunk(2, "a", 0, "x")), SCHEMAS));

    Watcher second = Watcher.of(log.follow("t", 0, Chunks.SO_FAR, SCHEMAS));
    assertEquals(List.of("1", "2", "2:x"), second.after(3));
    second.cancel();

    one(log.append("t", 1, List.of(new GraphEvent.RunResumed(MOMENT, 3)), SCHEMAS));
    Watcher third = Watcher.of(log.follow("t", 0, Chunks.SO_FAR, SCHEMAS));
    one(log.append("t", 1, facts(4, 4), SCHEMAS));
    assertEquals(labels(1, 4), third.after(4));
    third.cancel();
  }
}
