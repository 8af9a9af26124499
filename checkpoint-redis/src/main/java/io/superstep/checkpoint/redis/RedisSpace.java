package io.superstep.checkpoint.redis;

import static io.superstep.error.Option.once;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.reactive.RedisClusterReactiveCommands;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubListener;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.Logger;
import reactor.util.Loggers;
import reactor.util.retry.Retry;

/**
 * A place in a Redis: how it is reached, what our keys are called, how long is waited for an answer
 * and where answers are handed on.
 *
 * <p>Safe for use by many threads; all stores of a process can share one. It connects when it is
 * first needed. {@link #close} closes its connections; the client belongs to whoever made it, and
 * is never closed here. Without options keys begin with {@code superstep} and a command times out
 * after 10 seconds.
 *
 * <p>By default results are delivered on threads of the space that are
 * {@link reactor.core.scheduler.NonBlocking}: {@code block()} inside an operator behind a store
 * call fails at once with an {@link IllegalStateException}. Blocking work needs
 * {@code publishOn(Schedulers.boundedElastic())} first.
 */
public final class RedisSpace implements AutoCloseable {

  private static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

  private static final Logger LOGGER = Loggers.getLogger("io.superstep.store");

  /** After what time something is sent again that a broken connection has lost. */
  private static final Duration PAUSE = Duration.ofMillis(25);

  private final RedisKeys keys;
  private final Duration timeout;

  /** How often something is sent again, beside the first time, within the timeout. */
  private final long repeats;

  private final Scheduler scheduler;

  /** The default scheduler, which {@link #close} disposes; null if the user configured one. */
  private final @Nullable DeliveryScheduler own;

  private final int replicas;
  private final @Nullable RedisObserver observer;
  private final Supplier<StatefulRedisPubSubConnection<String, byte[]>> listening;
  private final SharedConnection<Link> shared;
  private final SharedConnection<Link> waiting;
  private final Queue<SharedConnection<?>> heard = new ConcurrentLinkedQueue<>();

  private RedisSpace(Builder builder) {
    this.keys = new RedisKeys(builder.prefix == null ? "superstep" : builder.prefix);
    this.timeout = builder.timeout == null ? Duration.ofSeconds(10) : builder.timeout;
    this.repeats = timeout.toMillis() / PAUSE.toMillis();
    this.own = builder.scheduler == null ? new DeliveryScheduler() : null;
    this.scheduler = builder.scheduler == null ? Objects.requireNonNull(own) : builder.scheduler;
    this.replicas = builder.replicas == null ? 0 : builder.replicas;
    this.observer = builder.observer;
    this.listening = builder.listening;
    this.shared = shared(builder.connecting, Link::connection);
    this.waiting = shared(builder.connecting, Link::connection);
  }

  /** A space without options. */
  public static RedisSpace of(RedisClient client) {
    return builder(client).build();
  }

  /** A space without options. */
  public static RedisSpace of(RedisClusterClient client) {
    return builder(client).build();
  }

  /** For a standalone Redis, and for one that is found by Sentinel. */
  public static Builder builder(RedisClient client) {
    return new Builder(
        () -> Link.to(client.connect(CODEC)), () -> client.connectPubSub(CODEC), true);
  }

  /** For a cluster. */
  public static Builder builder(RedisClusterClient client) {
    return new Builder(
        () -> Link.to(client.connect(CODEC)), () -> client.connectPubSub(CODEC), false);
  }

  RedisKeys keys() {
    return keys;
  }

  Duration timeout() {
    return timeout;
  }

  Scheduler scheduler() {
    return scheduler;
  }

  /**
   * Runs a script, which brings a list. The answer, or what went wrong, is handed on by the
   * scheduler.
   *
   * @param doing what it is for, in words
   */
  Mono<List<Object>> call(RedisScript script, List<String> on, String doing, byte[]... arguments) {
    return handed(shared.get().flatMap(link -> repeated(sent(script, on, arguments, link))), doing);
  }

  /**
   * The same, which counts as done when enough replicas have confirmed it. That is waited for on a
   * connection of its own, as Redis reads nothing more from one that waits, and on the one that the
   * script was sent by, as it is of what that has written. Where that broke in between, another
   * server may have answered, so the script is repeated. What a script refused is not waited for.
   */
  Mono<List<Object>> callSafely(
      RedisScript script, List<String> on, String doing, byte[]... arguments) {
    if (replicas == 0) {
      return call(script, on, doing, arguments);
    }
    return handed(
        waiting.get().flatMap(link -> confirmed(script, on, doing, arguments, link)), doing);
  }

  private Mono<List<Object>> confirmed(
      RedisScript script, List<String> on, String doing, byte[][] arguments, Link link) {
    return repeated(Mono.defer(() -> {
      long breaks = link.breaks().get();
      return sent(script, on, arguments, link)
          .delayUntil(
              reply -> text(reply.get(0)).equals("OK") ? confirmed(link, doing) : Mono.empty())
          .doOnNext(reply -> link.requireUnbroken(breaks));
    }));
  }

  private Mono<Void> confirmed(Link link, String doing) {
    return link.withinTime(
            link.commands()
                .waitForReplication(replicas, timeout.toMillis() / 2)
                .subscribeOn(scheduler), // not inside of Lettuce, which may just be reconnecting
            timeout,
            scheduler)
        .handle((confirmed, sink) -> {
          if (confirmed < replicas) {
            sink.error(new NotReplicatedException(doing, confirmed, replicas));
          } else {
            sink.complete();
          }
        });
  }

  private Mono<List<Object>> sent(
      RedisScript script, List<String> on, byte[][] arguments, Link link) {
    String[] names = on.toArray(String[]::new);
    RedisClusterReactiveCommands<String, byte[]> redis = link.commands();
    Mono<List<Object>> known = redis
        .<List<Object>>evalsha(script.digest(), ScriptOutputType.MULTI, names, arguments)
        .next()
        .onErrorResume(
            RedisNoScriptException.class,
            unknown -> redis
                .<List<Object>>eval(script.text(), ScriptOutputType.MULTI, names, arguments)
                .next()
                .subscribeOn(scheduler));
    return link.withinTime(known, timeout, scheduler).onErrorMap(link::explained);
  }

  /**
   * Every script can be repeated, so what was under way when a connection broke is sent again.
   * Lettuce opens the connection and keeps what was sent until it has, once it has noticed. Only
   * what has failed once gets what counts the repeats: it takes longer than all the rest.
   */
  private <T> Mono<T> repeated(Mono<T> sending) {
    return sending.onErrorResume(
        this::mayPass,
        failure -> sending.delaySubscription(PAUSE, scheduler).retryWhen(Retry.from(this::broken)));
  }

  private Flux<Long> broken(Flux<Retry.RetrySignal> signals) {
    return signals
        .<Long>handle((signal, sink) -> {
          if (signal.totalRetries() < repeats && mayPass(signal.failure())) {
            sink.next(signal.totalRetries());
          } else {
            sink.error(signal.failure());
          }
        })
        .delayElements(PAUSE, scheduler);
  }

  private boolean mayPass(Throwable failure) {
    return !shared.isClosed() && RedisErrors.isPassing(failure);
  }

  /** Nobody is called back by Lettuce's own threads: they serve all that uses the connection. */
  <T> Mono<T> handed(Mono<T> answer, String doing) {
    return answer.onErrorMap(failure -> RedisErrors.typed(failure, doing)).publishOn(scheduler);
  }

  /** Tells the observer how long {@code work} takes. */
  <T> Mono<T> timed(RedisCall call, Mono<T> work) {
    RedisObserver told = observer;
    if (told == null) {
      return work;
    }
    return Mono.defer(() -> {
      long start = System.nanoTime();
      return work.doOnSuccess(any -> observe(told, call, start, null))
          .doOnError(failure -> observe(told, call, start, failure));
    });
  }

  /** An error of the observer is logged: the call has its result, which the caller receives. */
  private static void observe(
      RedisObserver told, RedisCall call, long start, @Nullable Throwable failure) {
    try {
      told.took(call, since(start), failure);
    } catch (Throwable thrown) {
      LOGGER.warn("The RedisObserver threw an error, which is ignored.", thrown);
    }
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }

  private <C> SharedConnection<C> shared(
      Supplier<C> connecting, Function<C, StatefulConnection<?, ?>> connection) {
    return new SharedConnection<>(connecting, connection, timeout, scheduler);
  }

  /** The connection on which {@code listener} hears messages; opened when it is first needed. */
  Mono<StatefulRedisPubSubConnection<String, byte[]>> listening(
      RedisPubSubListener<String, byte[]> listener) {
    SharedConnection<StatefulRedisPubSubConnection<String, byte[]>> connection = shared(
        () -> {
          StatefulRedisPubSubConnection<String, byte[]> made = listening.get();
          made.addListener(listener);
          return made;
        },
        made -> made);
    heard.add(connection);
    if (shared.isClosed()) {
      connection.close();
    }
    return handed(connection.get(), "listening to Redis");
  }

  /**
   * Closes the connections. Calls in flight fail with SG-451, and so do later calls. May be called
   * on a delivery thread; it then returns before the connections are closed.
   */
  @Override
  public void close() {
    shared.close();
    waiting.close();
    heard.forEach(SharedConnection::close);
    if (own != null) {
      own.dispose();
    }
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] bytes(long number) {
    return bytes(Long.toString(number));
  }

  static String text(Object reply) {
    return new String((byte[]) reply, StandardCharsets.UTF_8);
  }

  /**
   * A connection and what can be asked on it.
   *
   * @param breaks how often it broke; Lettuce opens it again, maybe to another server
   */
  record Link(
      StatefulConnection<String, byte[]> connection,
      RedisClusterReactiveCommands<String, byte[]> commands,
      AtomicLong breaks) {

    static Link to(StatefulRedisConnection<String, byte[]> connection) {
      return new Link(connection, connection.reactive(), breaksOf(connection));
    }

    static Link to(StatefulRedisClusterConnection<String, byte[]> connection) {
      return new Link(connection, connection.reactive(), breaksOf(connection));
    }

    private static AtomicLong breaksOf(StatefulConnection<?, ?> connection) {
      AtomicLong breaks = new AtomicLong();
      connection.addListener(new RedisConnectionStateListener() {
        @Override
        public void onRedisDisconnected(RedisChannelHandler<?, ?> broken) {
          breaks.incrementAndGet();
        }
      });
      return breaks;
    }

    /** Lettuce keeps what is asked for while it connects again, and then says that it was slow. */
    Throwable explained(Throwable failure) {
      return failure instanceof RedisCommandTimeoutException && !connection.isOpen()
          ? new RedisConnectionException("The connection is broken.", failure)
          : failure;
    }

    void requireUnbroken(long before) {
      if (breaks.get() != before) {
        throw new RedisException("The connection broke.");
      }
    }

    /** Lettuce counts the time by itself, and cheaper, unless its client was told not to. */
    <T> Mono<T> withinTime(Mono<T> answer, Duration most, Scheduler timer) {
      return connection.getOptions().getTimeoutOptions().isTimeoutCommands()
          ? answer
          : answer.timeout(most, timer);
    }
  }

  /** Collects what a space is told; each option can be set once. */
  public static final class Builder {

    private final Supplier<Link> connecting;
    private final Supplier<StatefulRedisPubSubConnection<String, byte[]>> listening;
    private final boolean standalone;
    private @Nullable String prefix;
    private @Nullable Duration timeout;
    private @Nullable Scheduler scheduler;
    private @Nullable Integer replicas;
    private @Nullable RedisObserver observer;

    private Builder(
        Supplier<Link> connecting,
        Supplier<StatefulRedisPubSubConnection<String, byte[]>> listening,
        boolean standalone) {
      this.connecting = connecting;
      this.listening = listening;
      this.standalone = standalone;
    }

    /** What all keys begin with; at least one character, and no braces. */
    public Builder prefix(String start) {
      prefix = once("prefix", prefix, start);
      return this;
    }

    /** How long an answer may take. */
    public Builder timeout(Duration most) {
      if (most.isZero() || most.isNegative()) {
        throw new IllegalArgumentException("timeout must be positive, and was " + most + ".");
      }
      timeout = once("timeout", timeout, most);
      return this;
    }

    /**
     * Configures the scheduler on which results are delivered and by which timeouts and delays are
     * counted. It must not reject tasks while the space is open, and {@link RedisSpace#close} does
     * not dispose it. If its threads are shared with code that blocks, a result waits for a free
     * thread. Without this option the space has threads of its own.
     */
    public Builder scheduler(Scheduler delivery) {
      scheduler = once("scheduler", scheduler, delivery);
      return this;
    }

    /**
     * How many replicas have to confirm a commit or a note before it counts; none by default. In a
     * cluster that cannot be asked for, as Lettuce has no word for it.
     */
    public Builder replicas(int atLeast) {
      if (atLeast < 1 || !standalone) {
        throw new IllegalArgumentException(
            "replicas must be at least 1, and is not supported with a cluster.");
      }
      replicas = once("replicas", replicas, atLeast);
      return this;
    }

    /** Who is told how long Redis took. */
    public Builder observer(RedisObserver told) {
      observer = once("observer", observer, told);
      return this;
    }

    public RedisSpace build() {
      return new RedisSpace(this);
    }
  }
}
