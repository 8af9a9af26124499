package io.superstep.checkpoint.redis;

import static io.superstep.testkit.Chains.LOG;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.superstep.checkpoint.redis.CuttingProxy.Fate;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.RunResult;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

/** Cuts the connection at every single command of a run. */
class CutConnectionTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @ParameterizedTest
  @EnumSource(
      value = Fate.class,
      names = {"NEVER_ARRIVES", "BREAKS_OFF", "IS_NOT_ANSWERED"})
  @DisplayName("E21 X.23 a run goes on as if nothing had happened, each task having run once")
  void atEveryCommand(Fate fate) {
    int commands = run(fate, Integer.MAX_VALUE);
    assertThat(commands).isGreaterThan(8);
    for (int at = 1; at <= commands; at++) {
      run(fate, at);
    }
  }

  /** Runs a graph whose connection is cut once, and says how many scripts that took. */
  private static int run(Fate fate, int at) {
    AtomicInteger scripts = new AtomicInteger();
    List<String> ran = Collections.synchronizedList(new ArrayList<>());
    try (CuttingProxy proxy = new CuttingProxy(RedisServers.standalonePort())) {
      proxy.decide(command ->
          command.startsWith("EVAL") && scripts.incrementAndGet() == at ? fate : Fate.PASSES);
      RedisClient client = RedisClient.create(RedisServers.uri(proxy.port()));
      try (RedisSpace space =
          RedisSpace.builder(client).prefix(RedisServers.newPrefix()).build()) {
        GraphThread thread = GraphRunner.builder(
                Chains.diamond((node, context) -> Mono.fromRunnable(() -> ran.add(node))))
            .checkpoints(RedisCheckpointStore.of(space))
            .build()
            .thread("t");
        RunResult result = thread.run(Update.append(LOG, "in")).block(PATIENCE);

        assertThat(result.state().get(LOG))
            .as("cut at %s", at)
            .containsExactly("in", "fast", "slow", "last");
        assertThat(ran).containsExactlyInAnyOrder("fast", "slow", "last");
        assertThat(thread.history().collectList().block(PATIENCE)).hasSize(3);
      } finally {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
      }
    }
    return scripts.get();
  }
}
