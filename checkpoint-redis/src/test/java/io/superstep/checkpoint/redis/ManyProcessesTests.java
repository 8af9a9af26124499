package io.superstep.checkpoint.redis;

import static io.superstep.testkit.Chains.LOG;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.reactor.GraphRunner;
import io.superstep.state.Update;
import io.superstep.testkit.ChildJvm;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Many threads, advanced by several processes that are killed again and again. */
class ManyProcessesTests {

  private static final Duration PATIENCE = Duration.ofSeconds(50);
  private static final int THREADS = 200;
  private static final int PROCESSES = 4;
  private static final int KILLS = 6;

  private final String prefix = RedisServers.newPrefix();
  private final long start = System.currentTimeMillis();
  private final Worker here = new Worker(RedisServers.standalonePort(), prefix, start);
  private final List<ChildJvm> workers = new ArrayList<>();

  @AfterEach
  void close() {
    workers.forEach(ChildJvm::close);
    here.close();
  }

  private ChildJvm worker() {
    return ChildJvm.start(
        Worker.class,
        Integer.toString(RedisServers.standalonePort()),
        prefix,
        Long.toString(start),
        "drain");
  }

  private long done() {
    return here.store().threads(EnumSet.of(ThreadStatus.DONE)).count().block(PATIENCE);
  }

  private long keys() {
    return here.redis().keys(prefix + ":*").stream()
        .filter(key -> !key.contains("{index}") && !key.endsWith(":journal"))
        .count();
  }

  @Test
  @DisplayName("X.23 all threads finish, no acknowledged task ran again, and no key is left")
  void underRandomKills() {
    GraphRunner runner = here.runner(here.chain());
    Flux.range(0, THREADS)
        .flatMap(
            number -> here.store()
                .enqueue(
                    "t" + number,
                    new QueuedInput("first", Update.append(LOG, "in"), "ada", Instant.EPOCH),
                    runner.graph().schemas()),
            16)
        .blockLast(PATIENCE);
    for (int number = 0; number < PROCESSES; number++) {
      workers.add(worker());
    }
    workers.forEach(worker -> worker.hears("ready"));
    Random random = new Random(1);

    for (int kill = 0; kill < KILLS; kill++) {
      long goal = THREADS * (kill + 1L) / (KILLS + 2);
      Flux.defer(() -> here.store().threads(EnumSet.of(ThreadStatus.DONE)).count())
          .next()
          .filter(count -> count >= goal)
          .repeatWhenEmpty(Integer.MAX_VALUE, looks -> looks.delayElements(Duration.ofMillis(20)))
          .block(PATIENCE);
      int victim = random.nextInt(PROCESSES);
      workers.get(victim).kill();
      workers.set(victim, worker());
    }
    Flux.defer(() -> here.store().threads(EnumSet.of(ThreadStatus.DONE)).count())
        .next()
        .filter(count -> count == THREADS)
        .repeatWhenEmpty(Integer.MAX_VALUE, looks -> looks.delayElements(Duration.ofMillis(50)))
        .block(PATIENCE);
    workers.forEach(ChildJvm::kill);

    for (int number = 0; number < THREADS; number++) {
      assertThat(runner
              .thread("t" + number)
              .state()
              .block(PATIENCE)
              .position()
              .state()
              .get(LOG))
          .containsExactly("in", "a", "b", "c");
    }
    Set<String> acknowledged = new HashSet<>();
    List<String> journal = here.redis().lrange(here.journal(), 0, -1);
    for (String line : journal) {
      String task = line.substring(4);
      if (line.startsWith("ack")) {
        acknowledged.add(task);
      } else {
        assertThat(acknowledged).doesNotContain(task);
      }
    }
    assertThat(acknowledged).isNotEmpty();
    assertThat(journal)
        .filteredOn(line -> line.startsWith("run"))
        .hasSizeGreaterThanOrEqualTo(3 * THREADS);
    assertThat(keys()).isGreaterThanOrEqualTo(THREADS);

    Retention none = Retention.doneFor(Duration.ofNanos(1));
    Flux.range(0, THREADS)
        .flatMap(
            number -> here.store().prune("t" + number, none, Instant.now().plusSeconds(1_000_000)),
            16)
        .blockLast(PATIENCE);
    Flux.defer(() -> Flux.just(keys()))
        .next()
        .filter(count -> count == 0)
        .repeatWhenEmpty(
            Integer.MAX_VALUE,
            looks -> looks.delayElements(Duration.ofMillis(200), Schedulers.boundedElastic()))
        .block(PATIENCE);
    assertThat(done()).isZero();
    assertThat(here.redis().keys(prefix + ":{index}:*"))
        .containsExactly(prefix + ":{index}:number");
  }
}
