package io.superstep.checkpoint.redis;

import static io.superstep.testkit.Chains.LOG;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.Resume;
import io.superstep.reactor.RunResult;
import io.superstep.testkit.ChildJvm;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Two processes on one Redis; this is the second one. */
class ProcessesTests {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final String prefix = RedisServers.newPrefix();
  private final long start = System.currentTimeMillis();
  private final Worker here = new Worker(RedisServers.standalonePort(), prefix, start);

  @AfterEach
  void close() {
    here.close();
  }

  private ChildJvm other(String command) {
    return ChildJvm.start(
        Worker.class,
        Integer.toString(RedisServers.standalonePort()),
        prefix,
        Long.toString(start),
        command);
  }

  private List<String> journal() {
    return here.redis().lrange(here.journal(), 0, -1);
  }

  /** Waits until whoever was at the thread has lost it. */
  private void orphaned() {
    RedisCheckpointStore store = here.store();
    ThreadSummary found = Flux.defer(() -> store.threads(EnumSet.of(ThreadStatus.ORPHANED)))
        .next()
        .repeatWhenEmpty(Integer.MAX_VALUE, looks -> looks.delayElements(Duration.ofMillis(50)))
        .block(PATIENCE);
    assertThat(found.thread()).isEqualTo("t");
  }

  @Test
  @DisplayName("S1.20 S2.9 S2.32 one pauses and is killed, another has the same question and state")
  void pausesHereAndResumesThere() {
    SavedThread saved;
    GraphThread thread = here.runner(here.approval()).thread("t");
    try (ChildJvm other = other("ask")) {
      assertThat(other.hears("paused")).isEqualTo("paused INTERRUPTED [in, draft]");
      saved = thread.state().block(PATIENCE);
      other.kill();
    }

    assertThat(thread.state().block(PATIENCE)).isEqualTo(saved);
    assertThat(saved.position().state().get(LOG)).containsExactly("in", "draft");
    assertThat(thread.questions().collectList().block(PATIENCE))
        .singleElement()
        .satisfies(asked -> {
          assertThat(asked.key()).isEqualTo("publish");
          assertThat(asked.prompt().shown()).containsEntry("draft", "text");
        });
    RunResult result =
        RunResult.of(thread.resume(Resume.answer("publish", true).by("ada"))).block(PATIENCE);
    assertThat(result.state().get(LOG)).containsExactly("in", "draft", "published");
    assertThat(journal()).containsExactly("run model");
  }

  @Test
  @DisplayName("X.23 S2.9 one is killed in the middle of a step, another takes over; what was"
      + " acknowledged does not run again")
  void takesOver() {
    try (ChildJvm other = other("hang")) {
      other.hears("middle");
      other.kill();
    }
    orphaned();

    GraphRunner runner = here.runner(here.diamond());
    assertThat(runner.recover().collectList().block(PATIENCE)).hasSize(1);
    runner.close(PATIENCE).blockLast(PATIENCE);
    RunResult.of(here.runner(here.diamond()).thread("t").resume()).block(PATIENCE);

    assertThat(Objects.requireNonNull(
                here.runner(here.diamond()).thread("t").state().block(PATIENCE))
            .position()
            .state()
            .get(LOG))
        .containsExactly("fast", "slow", "last");
    assertThat(journal()).filteredOn(line -> line.endsWith("/fast")).hasSize(1);
    assertThat(journal()).filteredOn(line -> line.endsWith("/slow")).hasSize(2);
    assertThat(journal()).filteredOn(line -> line.endsWith("/last")).hasSize(1);
  }

  @Test
  @DisplayName("S2.9 one is frozen past its lease and wakes: its late writes are refused")
  void frozen() {
    try (ChildJvm other = other("wait")) {
      other.hears("middle");
      other.freeze();
      orphaned();
      GraphThread thread = here.runner(here.chain()).thread("t");
      RunResult result = RunResult.of(thread.resume()).block(PATIENCE);
      assertThat(result.state().get(LOG)).containsExactly("a", "b", "c");

      here.redis().set(prefix + ":go", "now");
      other.thaw();

      assertThat(other.hears("refused")).isEqualTo("refused SG-401");
      assertThat(thread.history().collectList().block(PATIENCE)).hasSize(4);
      assertThat(thread.state().block(PATIENCE).position().state().get(LOG))
          .containsExactly("a", "b", "c");
    }
    assertThat(journal()).filteredOn(line -> line.endsWith("/c")).hasSize(1);
  }
}
