package io.superstep.checkpoint.redis;

import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Wakes whoever follows a thread when there is more to read: one connection hears the messages of
 * all threads that somebody here follows.
 *
 * <p>A message may be lost with a connection. So everybody is woken when Redis confirms that it
 * will send messages, also again, and looks by itself now and then.
 */
final class Bells extends RedisPubSubAdapter<String, byte[]> {

  private static final String LISTENING = "listening to Redis";
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration FOR_EVER = Duration.ofMillis(Long.MAX_VALUE);

  private final RedisSpace space;
  private final Mono<StatefulRedisPubSubConnection<String, byte[]>> connection;

  /** By channel; guarded by itself. */
  private final Map<String, Bell> bells = new HashMap<>();

  Bells(RedisSpace space) {
    this.space = space;
    this.connection = space.listening(this);
  }

  /** One follower more, who has to {@link #leave}. */
  Mono<Bell> join(String channel) {
    return connection.map(redis -> {
      synchronized (bells) {
        Bell bell = bells.computeIfAbsent(channel, any -> new Bell(listened(redis, channel)));
        bell.users++;
        return bell;
      }
    });
  }

  private Mono<Void> listened(StatefulRedisPubSubConnection<String, byte[]> redis, String channel) {
    return space.handed(
        redis.reactive().subscribe(channel).timeout(space.timeout(), space.scheduler()), LISTENING);
  }

  /** A bell that still rings, as the connection broke or was closed, is nobody's concern. */
  Mono<Void> leave(String channel) {
    return connection
        .flatMap(redis -> isLeft(channel)
            ? space.handed(
                redis.reactive().unsubscribe(channel).timeout(space.timeout(), space.scheduler()),
                LISTENING)
            : Mono.<Void>empty())
        .onErrorComplete();
  }

  /** One follower less; says whether that was the last one. */
  private boolean isLeft(String channel) {
    synchronized (bells) {
      Bell bell = bells.get(channel);
      if (bell == null || --bell.users > 0) {
        return false;
      }
      bells.remove(channel);
      return true;
    }
  }

  @Override
  public void message(String channel, byte[] message) {
    ring(channel);
  }

  @Override
  public void subscribed(String channel, long count) {
    ring(channel);
  }

  /** Somebody may have joined between the last one leaving and Redis hearing of that. */
  @Override
  public void unsubscribed(String channel, long count) {
    Bell missed = bell(channel);
    if (missed != null) {
      // if it fails the follower looks by itself
      missed.asking.onErrorComplete().subscribe(new BaseSubscriber<>() {});
    }
  }

  private void ring(String channel) {
    Bell bell = bell(channel);
    if (bell != null) {
      bell.ring();
    }
  }

  private @Nullable Bell bell(String channel) {
    synchronized (bells) {
      return bells.get(channel);
    }
  }

  /** The bell of one thread. */
  final class Bell {

    private final Sinks.Many<Long> rings = Sinks.many().replay().latest();
    private final Mono<Void> asking;
    private final Mono<Void> listening;
    private long rung;
    private int users;

    /** @param asking asks Redis to ring it */
    Bell(Mono<Void> asking) {
      this.asking = asking;
      this.listening = asking.cache(any -> FOR_EVER, failure -> Duration.ZERO, () -> FOR_EVER);
    }

    /**
     * Completes when Redis rings it. That is asked for once, whoever else follows: everybody is
     * woken by what Redis replies.
     */
    Mono<Void> listening() {
      return listening;
    }

    synchronized void ring() {
      rung++;
      rings.tryEmitNext(rung);
    }

    /** How often it has rung. */
    synchronized long rung() {
      return rung;
    }

    /** Completes when it has rung again since it had rung {@code heard} times, or after a while. */
    Mono<Void> after(long heard) {
      Mono<Long> again = rings.asFlux().filter(count -> count > heard).next();
      return Mono.firstWithSignal(again, Mono.delay(PATIENCE, space.scheduler()))
          .publishOn(space.scheduler())
          .then();
    }
  }
}
