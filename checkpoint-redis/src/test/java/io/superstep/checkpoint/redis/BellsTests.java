package io.superstep.checkpoint.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import io.superstep.event.Moment;
import io.superstep.state.Schemas;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** How followers are woken, where no time passes by which they would look by themselves. */
class BellsTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final String prefix = RedisServers.newPrefix();
  private final String channel = new RedisKeys(prefix).events("t").get(0);
  private final TimelessScheduler scheduler = new TimelessScheduler();
  private final CuttingProxy proxy = new CuttingProxy(RedisServers.standalonePort());
  private final ListenedClient client = new ListenedClient(proxy.port());
  private final RedisSpace space =
      RedisSpace.builder(client).prefix(prefix).scheduler(scheduler).build();
  private final RedisEventLog log = RedisEventLog.of(space);
  private final RedisSpace other =
      RedisSpace.builder(RedisServers.standalone()).prefix(prefix).build();
  private final RedisEventLog writing = RedisEventLog.of(other);
  private final BlockingQueue<Long> heard = new LinkedBlockingQueue<>();
  private final List<Disposable> followers = new ArrayList<>();
  private StatefulRedisConnection<String, String> redis;
  private long last;

  /** Remembers the connections on which it hears messages. */
  private static final class ListenedClient extends RedisClient {

    private final Queue<StatefulRedisPubSubConnection<?, ?>> listening =
        new ConcurrentLinkedQueue<>();

    ListenedClient(int port) {
      super(ClientResources.create(), RedisServers.uri(port));
    }

    @Override
    public <K, V> StatefulRedisPubSubConnection<K, V> connectPubSub(RedisCodec<K, V> codec) {
      StatefulRedisPubSubConnection<K, V> connection = super.connectPubSub(codec);
      listening.add(connection);
      return connection;
    }
  }

  @BeforeEach
  void open() {
    redis = RedisServers.standalone().connect();
    writing.open("t", 1).block(PATIENCE);
  }

  @AfterEach
  void close() {
    followers.forEach(Disposable::dispose);
    redis.close();
    other.close();
    space.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    client.getResources().shutdown(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    proxy.close();
    scheduler.dispose();
  }

  private void append() {
    last++;
    GraphEvent fact = new GraphEvent.RunResumed(new Moment("", 0, Instant.EPOCH), last);
    writing.append("t", 1, List.of(fact), Schemas.NONE).block(PATIENCE);
  }

  private Disposable follow() {
    Disposable follower = log.follow("t", last, Chunks.NONE, Schemas.NONE)
        .subscribe(event -> heard.add(event.sequence()));
    followers.add(follower);
    return follower;
  }

  /** Waits until so many connections hear of the thread. */
  private void listeners(long count) {
    Mono.defer(() -> redis.reactive().pubsubNumsub(channel))
        .filter(found -> found.get(channel) == count)
        .repeatWhenEmpty(looks -> looks.delayElements(Duration.ofMillis(10)))
        .block(PATIENCE);
  }

  private Long next() throws InterruptedException {
    return heard.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  /** A fact more, which the one who follows is waiting for. */
  private void appendAndHear() throws InterruptedException {
    append();
    assertThat(next()).isEqualTo(last);
  }

  @Test
  @DisplayName("X.19 Redis is told when nobody follows a thread any more, and before")
  void nobodyFollows() throws InterruptedException {
    Disposable first = follow();
    Disposable second = follow();
    listeners(1);
    first.dispose();
    appendAndHear();
    assertThat(redis.sync().pubsubNumsub(channel)).containsEntry(channel, 1L);

    second.dispose();

    listeners(0);
    follow();
    appendAndHear();
  }

  @Test
  @DisplayName("X.19 who follows is woken again when a connection broke")
  void heardAgain() throws InterruptedException {
    follow();
    appendAndHear();

    proxy.cut();
    append();

    assertThat(next()).isEqualTo(last);
    listeners(1);
    appendAndHear();
  }

  @Test
  @DisplayName("X.19 who comes while another leaves is woken, whatever Redis hears first")
  void lateLeave() throws InterruptedException {
    follow();
    appendAndHear();

    client.listening.forEach(this::leave);

    for (int fact = 0; fact < 3; fact++) {
      listeners(1);
      appendAndHear();
    }
  }

  @SuppressWarnings("unchecked") // all keys are text
  private void leave(StatefulRedisPubSubConnection<?, ?> connection) {
    StatefulRedisPubSubConnection<String, ?> ours =
        (StatefulRedisPubSubConnection<String, ?>) connection;
    ours.sync().unsubscribe(channel);
  }
}
