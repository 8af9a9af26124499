package io.superstep.checkpoint.redis;

import static io.superstep.checkpoint.redis.RedisSpace.bytes;
import static io.superstep.checkpoint.redis.RedisSpace.text;
import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.graph.Graph;
import io.superstep.question.Question;
import io.superstep.reactor.Ending;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.Recovery;
import io.superstep.reactor.RunnerEvent;
import io.superstep.reactor.Settlement;
import io.superstep.reactor.Stage;
import io.superstep.reactor.Watch;
import io.superstep.state.Update;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Threads with a damaged checkpoint, which a listing finds or only the load of the thread. */
class RedisUnreadableTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int THREADS = 22;

  private final RedisSpace space = RedisSpace.builder(RedisServers.standalone())
      .prefix(RedisServers.newPrefix())
      .build();
  private final RedisCheckpointStore store = RedisCheckpointStore.of(space);
  private final StatefulRedisConnection<byte[], byte[]> connection =
      RedisServers.standalone().connect(ByteArrayCodec.INSTANCE);
  private final Queue<String> reported = new ConcurrentLinkedQueue<>();

  @AfterEach
  void close() {
    connection.close();
    space.close();
  }

  private static String name(int number) {
    return String.format("t%02d", number);
  }

  private static boolean isDamaged(int number) {
    return number % 2 == 1;
  }

  private static List<String> names(IntPredicate which) {
    return IntStream.range(0, THREADS)
        .filter(which)
        .mapToObj(RedisUnreadableTests::name)
        .toList();
  }

  /** A graph that asks a question with a deadline once {@code before} has completed. */
  private static Graph asking(Mono<Void> before) {
    return Graph.builder("asking")
        .compute("first", state -> Update.NOTHING)
        .node(
            "ask",
            (state, context) -> before
                .then(Mono.from(context.ask(
                    "q", Question.yesNo("Publish?").within(Duration.ofHours(1), false))))
                .thenReturn(Update.NOTHING))
        .sequence(START, "first", "ask", END)
        .build();
  }

  /** A runner whose clock shows that all deadlines have passed. */
  private GraphRunner later() {
    return GraphRunner.builder(asking(Mono.empty()))
        .checkpoints(store)
        .clock(Clock.offset(Clock.systemUTC(), Duration.ofHours(2)))
        .observedBy(new Reporting())
        .build();
  }

  @Test
  @DisplayName("Promise 11: of 22 threads, 11 damaged in any checkpoint, 11 are recovered")
  void recovers() {
    for (String name : names(any -> true)) {
      Sinks.One<Void> begun = Sinks.one();
      GraphRunner runner = GraphRunner.builder(asking(Mono.defer(() -> {
            begun.tryEmitEmpty();
            return Mono.never();
          })))
          .checkpoints(store)
          .build();
      runner.thread(name).start(Update.NOTHING).block(PATIENCE);
      begun.asMono().block(PATIENCE);
      runner.close(Duration.ZERO).blockLast(PATIENCE);
    }
    damage();

    GraphRunner recovering = later();
    List<Recovery> recovered = recovering.recover().collectList().block(PATIENCE);

    assertThat(recovered)
        .filteredOn(Recovery::isTakenOver)
        .extracting(Recovery::thread)
        .containsExactlyInAnyOrderElementsOf(names(number -> !isDamaged(number)));
    assertThat(recovered)
        .filteredOn(each -> !each.isTakenOver())
        .allSatisfy(each -> assertThat(each.refusal()).hasMessageContaining("SG-303"))
        .extracting(Recovery::thread)
        .containsExactlyInAnyOrderElementsOf(names(RedisUnreadableTests::isDamaged));
    assertThat(reported)
        .containsExactlyInAnyOrderElementsOf(names(RedisUnreadableTests::isDamaged));
    recovering.close(PATIENCE).blockLast(PATIENCE);
  }

  @Test
  @DisplayName(
      "Promise 11: of 22 threads, 11 damaged in any checkpoint, 11 have a deadline applied")
  void settles() {
    for (String name : names(any -> true)) {
      GraphRunner.builder(asking(Mono.empty()))
          .checkpoints(store)
          .build()
          .thread(name)
          .run(Update.NOTHING)
          .block(PATIENCE);
    }
    damage();

    List<Settlement> settled = later().settleDue().collectList().block(PATIENCE);

    assertThat(settled)
        .filteredOn(Settlement::isApplied)
        .extracting(Settlement::thread)
        .containsExactlyInAnyOrderElementsOf(names(number -> !isDamaged(number)));
    assertThat(settled)
        .filteredOn(each -> !each.isApplied())
        .allSatisfy(each -> assertThat(each.error()).hasMessageContaining("SG-303"))
        .extracting(Settlement::thread)
        .containsExactlyInAnyOrderElementsOf(names(RedisUnreadableTests::isDamaged));
    assertThat(reported)
        .containsExactlyInAnyOrderElementsOf(names(RedisUnreadableTests::isDamaged));
  }

  @Test
  @DisplayName("a thread whose last checkpoint has a newer format is listed as unreadable")
  void lists() {
    for (String name : names(any -> true)) {
      GraphRunner.builder(asking(Mono.empty()))
          .checkpoints(store)
          .build()
          .thread(name)
          .run(Update.NOTHING)
          .block(PATIENCE);
    }
    damage();

    assertThat(store.threads(EnumSet.of(ThreadStatus.UNREADABLE)).collectList().block(PATIENCE))
        .allSatisfy(each -> assertThat(each.problem().code()).isEqualTo("SG-303"))
        .extracting(ThreadSummary::thread)
        .containsExactlyInAnyOrderElementsOf(
            names(number -> isDamaged(number) && damagedCheckpoint(number) == 2));
  }

  /**
   * Returns the sequence of the checkpoint to damage: 2, the last one, or 1, on which it builds.
   */
  private static int damagedCheckpoint(int number) {
    return number % 4 == 1 ? 2 : 1;
  }

  private void damage() {
    for (int number = 1; number < THREADS; number += 2) {
      String meta = space.keys().thread(name(number)).get(0);
      byte[] log = bytes(meta.substring(0, meta.length() - "meta".length()) + "log");
      int index = damagedCheckpoint(number) - 1;
      String stored = text(connection.sync().lindex(log, index));
      connection
          .sync()
          .lset(log, index, bytes(stored.substring(0, stored.indexOf('\n') + 1) + "{\"v\":99}"));
    }
  }

  /** Records the unreadable threads. */
  private final class Reporting implements Watch {

    @Override
    public Watch begin(Stage stage) {
      return this;
    }

    @Override
    public void end(Ending ending, @Nullable Throwable error) {}

    @Override
    public void onEvent(RunnerEvent event) {
      if (event instanceof RunnerEvent.ThreadUnreadable unreadable) {
        reported.add(unreadable.thread());
      }
    }
  }
}
