package io.superstep.checkpoint.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import redis.embedded.RedisSentinel;
import redis.embedded.RedisServer;
import redis.embedded.RedisShardedCluster;
import redis.embedded.core.RedisServerBuilder;

/**
 * Real servers, started out of a jar on free ports; those that are shared live as long as we do.
 */
final class RedisServers {

  private static final String HOST = "127.0.0.1";

  private RedisServers() {}

  private static final class Standalone {
    static final RedisServer SERVER = started(newServer(freePort()));
    static final RedisClient CLIENT = RedisClient.create(uri(portOf(SERVER)));
  }

  private static final class Cluster {
    static final RedisClusterClient CLIENT = RedisClusterClient.create(uri(startedCluster()));
  }

  /** A client of a server that all tests share: each takes a prefix of its own. */
  static RedisClient standalone() {
    return Standalone.CLIENT;
  }

  static int standalonePort() {
    return portOf(Standalone.SERVER);
  }

  /** A client of three nodes that all tests share. */
  static RedisClusterClient cluster() {
    return Cluster.CLIENT;
  }

  static String newPrefix() {
    return "test-" + UUID.randomUUID();
  }

  static RedisURI uri(int port) {
    return RedisURI.create(HOST, port);
  }

  static int portOf(RedisServer server) {
    return server.ports().get(0);
  }

  static RedisServerBuilder newServer(int port) {
    return RedisServer.newRedisServer()
        .port(port)
        .setting("bind " + HOST)
        .setting("save \"\"")
        .setting("appendonly no");
  }

  static RedisServer started(RedisServerBuilder builder) {
    try {
      RedisServer server = builder.build();
      server.start();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
      return server;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** A replica of the server at {@code port} that has all it has. */
  static RedisServer startedReplica(int port) {
    RedisServer replica = started(newServer(freePort()).slaveOf(HOST, port));
    RedisClient client = RedisClient.create(uri(port));
    try (StatefulRedisConnection<String, String> redis = client.connect()) {
      redis.sync().set("any", "thing");
      while (redis.sync().waitForReplication(1, 1_000) < 1) {
        redis.sync().set("any", "thing");
      }
    } finally {
      client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
    return replica;
  }

  static void stop(RedisServer server) {
    try {
      server.stop();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static RedisSentinel startedSentinel(int port, String master, int masterPort) {
    try {
      RedisSentinel sentinel = RedisSentinel.newRedisSentinel()
          .bind(HOST)
          .port(port)
          .masterName(master)
          .masterPort(masterPort)
          .quorumSize(1)
          .downAfterMilliseconds(500)
          .failOverTimeout(2_000)
          .build();
      sentinel.start();
      return sentinel;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static int startedCluster() {
    List<Integer> ports = new ArrayList<>();
    while (ports.size() < 3) {
      int port = freeClusterPort();
      if (!ports.contains(port)) {
        ports.add(port);
      }
    }
    try {
      RedisShardedCluster cluster = RedisShardedCluster.newRedisCluster()
          .serverPorts(ports)
          .shard("a", 0)
          .shard("b", 0)
          .shard("c", 0)
          .build();
      cluster.start();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> {
        try {
          cluster.stop();
        } catch (IOException failed) {
          throw new UncheckedIOException(failed);
        }
      }));
      ports.forEach(RedisServers::awaitCluster);
      return ports.get(0);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** The nodes have met when they are told to serve, and each finds out by itself that all have. */
  private static void awaitCluster(int port) {
    RedisClient client = RedisClient.create(uri(port));
    try (StatefulRedisConnection<String, String> node = client.connect()) {
      while (!node.sync().clusterInfo().contains("cluster_state:ok")) {
        Thread.onSpinWait();
      }
    } finally {
      client.shutdown();
    }
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** One that leaves another free for nodes to talk to each other. */
  static int freeClusterPort() {
    int port;
    do {
      port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
    } while (!isFree(port) || !isFree(port + 10_000));
    return port;
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException taken) {
      return false;
    }
  }
}
