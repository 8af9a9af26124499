package io.superstep.checkpoint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.superstep.memory.MemoryItem;
import io.superstep.memory.MemoryQuery;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;
import redis.embedded.core.ExecutableProvider;

/** A server for which a small letter comes before a capital one. */
class ServerLocaleTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Namespace USERS = Namespace.of("users");

  @TempDir
  private Path directory;

  /** Whether the locale of the test could be made; not every machine has what it is made of. */
  private boolean hasLocale() throws IOException, InterruptedException {
    Process making;
    try {
      making = new ProcessBuilder(
              "localedef",
              "-i",
              "en_US",
              "-f",
              "UTF-8",
              directory.resolve("en_US.utf8").toString())
          .redirectErrorStream(true)
          .redirectOutput(directory.resolve("localedef.log").toFile())
          .start();
    } catch (IOException unknown) {
      return false;
    }
    return making.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) && making.exitValue() == 0;
  }

  /** What starts a server that goes by it. */
  private File executable() throws IOException {
    Path script = directory.resolve("redis-server");
    Files.writeString(script, """
        #!/bin/sh
        LOCPATH=%s LC_ALL=en_US.utf8 exec %s "$@"
        """.formatted(
            directory, ExecutableProvider.newJarResourceProvider().get()));
    assertThat(script.toFile().setExecutable(true)).isTrue();
    return script.toFile();
  }

  @Test
  @DisplayName("X.19 what is remembered is found by its bytes, whatever the server takes for order")
  void memory() throws IOException, InterruptedException {
    assumeTrue(hasLocale());
    RedisServer server = RedisServers.started(
        RedisServers.newServer(RedisServers.freePort()).executableProvider(this::executable));
    RedisClient client = RedisClient.create(RedisServers.uri(RedisServers.portOf(server)));
    try (StatefulRedisConnection<String, String> redis = client.connect();
        RedisSpace space = RedisSpace.of(client)) {
      Boolean isOdd = redis.sync().eval("return 'a' < 'B'", ScriptOutputType.BOOLEAN);
      assumeTrue(isOdd, "this Redis does not know the locale");
      RedisMemory memory = RedisMemory.of(space);
      for (String key : List.of("B", "a1", "a2", "C", "b")) {
        memory.write(MemoryWrite.put(USERS, key, Map.of()), Instant.EPOCH).block(PATIENCE);
      }

      assertThat(memory
              .search(MemoryQuery.below(USERS).keyPrefix("a"))
              .map(MemoryItem::key)
              .collectList()
              .block(PATIENCE))
          .containsExactly("a1", "a2");
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
      RedisServers.stop(server);
    }
  }
}
