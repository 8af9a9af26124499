package io.superstep.checkpoint.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.TimeoutOptions;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.redis.CuttingProxy.Fate;
import io.superstep.error.SuperstepException;
import io.superstep.event.Chunks;
import io.superstep.memory.MemoryItem;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.state.Schemas;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Results are delivered whatever the code of the user does with its own threads. */
class RedisStarvationTests {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Namespace NAMESPACE = Namespace.of("users");
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /** Enough to occupy each thread of boundedElastic, which has ten per core. */
  private static final int BLOCKED = 30 * Runtime.getRuntime().availableProcessors();

  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (int last = open.size() - 1; last >= 0; last--) {
      open.get(last).close();
    }
  }

  private RedisSpace.Builder space(RedisClient client) {
    return RedisSpace.builder(client).prefix(RedisServers.newPrefix());
  }

  private RedisSpace space() {
    RedisSpace space = space(RedisServers.standalone()).build();
    open.add(space);
    return space;
  }

  private static RedisMemory memory(RedisSpace space) {
    RedisMemory memory = RedisMemory.of(space);
    memory.write(MemoryWrite.put(NAMESPACE, "ada", Map.of("likes", "tea")), NOW).block(PATIENCE);
    return memory;
  }

  @Test
  @DisplayName("calls that block all threads of boundedElastic for a result complete")
  void blockedOnBoundedElastic() {
    RedisMemory memory = memory(space());

    List<MemoryItem> found = Flux.range(0, BLOCKED)
        .flatMap(
            any -> Mono.fromCallable(() -> memory.get(NAMESPACE, "ada").block())
                .subscribeOn(Schedulers.boundedElastic()),
            BLOCKED)
        .collectList()
        .block(PATIENCE);

    assertThat(found).hasSize(BLOCKED);
  }

  @Test
  @DisplayName("calls that block all threads of boundedElastic for the first connection complete")
  void blockedWhileConnecting() {
    RedisSpace space = space();
    RedisMemory memory = RedisMemory.of(space);

    Long answered = Flux.range(0, BLOCKED)
        .flatMap(
            any -> Mono.fromRunnable(() -> memory.get(NAMESPACE, "ada").block())
                .subscribeOn(Schedulers.boundedElastic())
                .thenReturn(any),
            BLOCKED)
        .count()
        .block(PATIENCE);

    assertThat(answered).isEqualTo(BLOCKED);
  }

  @Test
  @DisplayName("block() behind a store call is refused at once")
  void blockOnADeliveryThread() {
    RedisSpace space = space();
    RedisMemory memory = memory(space);
    RedisCheckpointStore store = RedisCheckpointStore.of(space);

    assertThatThrownBy(() -> store
            .acquire("t", "ada", PATIENCE)
            .map(lease -> memory.get(NAMESPACE, "ada").block())
            .block(PATIENCE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("block");
    assertThat(memory.get(NAMESPACE, "ada").block(PATIENCE)).isNotNull();
  }

  @Test
  @DisplayName("results arrive on daemon threads of the space that are marked as non-blocking")
  void deliveryThreads() {
    RedisMemory memory = memory(space());

    Thread thread =
        memory.get(NAMESPACE, "ada").map(any -> Thread.currentThread()).block(PATIENCE);

    assertThat(thread).isInstanceOf(NonBlocking.class);
    assertThat(thread.getName()).startsWith("superstep-redis-delivery-");
    assertThat(thread.isDaemon()).isTrue();
  }

  @Test
  @DisplayName("work of the user that occupies boundedElastic does not delay results or timeouts")
  void foreignWork() throws InterruptedException {
    CuttingProxy proxy = new CuttingProxy(RedisServers.standalonePort());
    open.add(proxy);
    RedisMemory memory = memory(space());
    RedisSpace frozen =
        space(withoutTimeouts(proxy)).timeout(Duration.ofSeconds(2)).build();
    open.add(frozen);
    RedisMemory other = memory(frozen);
    CountDownLatch occupied = new CountDownLatch(Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE);
    CountDownLatch free = new CountDownLatch(1);
    open.add(free::countDown);
    for (int task = 0; task < BLOCKED; task++) {
      Schedulers.boundedElastic().schedule(() -> {
        occupied.countDown();
        await(free);
      });
    }
    occupied.await();

    assertThat(memory.get(NAMESPACE, "ada").block(PATIENCE)).isNotNull();
    proxy.decide(command -> Fate.HANGS);
    assertThatThrownBy(() -> other.get(NAMESPACE, "ada").block(PATIENCE))
        .isInstanceOf(RedisUnavailableException.class)
        .hasMessageContaining("SG-452");
  }

  @Test
  @DisplayName(
      "a connection that a frozen server never accepts times out while boundedElastic is occupied")
  void frozenWhileConnecting() throws InterruptedException {
    CuttingProxy proxy = new CuttingProxy(RedisServers.standalonePort());
    open.add(proxy);
    proxy.decide(command -> Fate.HANGS);
    RedisSpace frozen =
        space(withoutTimeouts(proxy)).timeout(Duration.ofMillis(300)).build();
    open.add(frozen);
    CountDownLatch occupied = new CountDownLatch(Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE);
    CountDownLatch free = new CountDownLatch(1);
    open.add(free::countDown);
    for (int task = 0; task < BLOCKED; task++) {
      Schedulers.boundedElastic().schedule(() -> {
        occupied.countDown();
        await(free);
      });
    }
    occupied.await();

    assertThatThrownBy(() -> RedisMemory.of(frozen).get(NAMESPACE, "ada").block(PATIENCE))
        .isInstanceOf(RedisUnavailableException.class)
        .hasMessageContaining("SG-452");
  }

  @Test
  @DisplayName("a busy delivery thread holds back no other result")
  void busyDeliveryThread() {
    RedisMemory memory = memory(space());
    CountDownLatch free = new CountDownLatch(1);
    CountDownLatch busy = new CountDownLatch(1);
    open.add(free::countDown);
    memory.get(NAMESPACE, "ada").subscribe(any -> {
      while (free.getCount() > 0) { // a thread that must not block can still be busy
        busy.countDown();
      }
    });
    await(busy);

    for (int call = 0; call < 100; call++) {
      assertThat(memory.get(NAMESPACE, "ada").block(PATIENCE)).isNotNull();
    }
  }

  @Test
  @DisplayName("a scheduler that is configured delivers the results, and is not disposed")
  void configuredScheduler() {
    Scheduler single = Schedulers.newSingle("configured");
    open.add(single::dispose);
    RedisSpace space = space(RedisServers.standalone()).scheduler(single).build();

    String thread = memory(space)
        .get(NAMESPACE, "ada")
        .map(any -> Thread.currentThread().getName())
        .block(PATIENCE);
    space.close();

    assertThat(thread).startsWith("configured");
    assertThat(single.isDisposed()).isFalse();
  }

  @Test
  @DisplayName("calls in flight when the space is closed, and later calls, fail with SG-451")
  void closedWhileInFlight() throws InterruptedException {
    CuttingProxy proxy = new CuttingProxy(RedisServers.standalonePort());
    open.add(proxy);
    RedisSpace space = space(withoutTimeouts(proxy)).timeout(Duration.ofDays(1)).build();
    RedisMemory memory = memory(space);
    CountDownLatch sent = new CountDownLatch(1);
    proxy.decide(command -> {
      sent.countDown();
      return Fate.HANGS;
    });
    List<Mono<MemoryItem>> calls = new ArrayList<>();
    for (int call = 0; call < 20; call++) {
      Mono<MemoryItem> running = memory.get(NAMESPACE, "ada").cache();
      running.subscribe(any -> {}, failure -> {});
      calls.add(running);
    }
    sent.await();

    space.close();

    calls.add(memory.get(NAMESPACE, "ada"));
    for (Mono<MemoryItem> call : calls) {
      assertThatThrownBy(() -> call.block(PATIENCE))
          .isInstanceOf(SuperstepException.class)
          .hasMessageContaining("SG-451");
    }
  }

  @Test
  @DisplayName("a call that waits for its connection when the space is closed fails with SG-451")
  void closedWhileConnecting() throws InterruptedException {
    CuttingProxy proxy = new CuttingProxy(RedisServers.standalonePort());
    open.add(proxy);
    CountDownLatch connecting = new CountDownLatch(1);
    proxy.decide(command -> {
      connecting.countDown();
      return Fate.HANGS;
    });
    RedisSpace space = space(withoutTimeouts(proxy)).timeout(Duration.ofDays(1)).build();
    Mono<MemoryItem> call = RedisMemory.of(space).get(NAMESPACE, "ada").cache();
    call.subscribe(any -> {}, failure -> {});
    connecting.await();

    space.close();

    assertThatThrownBy(() -> call.block(PATIENCE))
        .isInstanceOf(SuperstepException.class)
        .hasMessageContaining("SG-451");
  }

  @Test
  @DisplayName("a follower whose connection fails receives the error on a delivery thread")
  void followerWithoutConnection() {
    CuttingProxy proxy = new CuttingProxy(RedisServers.standalonePort());
    open.add(proxy);
    proxy.decide(command -> Fate.HANGS);
    RedisSpace frozen =
        space(withoutTimeouts(proxy)).timeout(Duration.ofMillis(300)).build();
    open.add(frozen);
    AtomicReference<String> thread = new AtomicReference<>();

    assertThatThrownBy(() -> RedisEventLog.of(frozen)
            .follow("t", 0, Chunks.NONE, Schemas.NONE)
            .doOnError(failure -> thread.set(Thread.currentThread().getName()))
            .blockLast(PATIENCE))
        .isInstanceOf(RedisUnavailableException.class);
    assertThat(thread.get()).startsWith("superstep-redis-delivery-");
  }

  @Test
  @DisplayName("a call that finds no thread to connect on fails with SG-451, and a later one works")
  void noThreadToConnect() {
    AtomicBoolean once = new AtomicBoolean(true);
    Scheduler refusing = new Scheduler() {
      @Override
      public Disposable schedule(Runnable task) {
        return Schedulers.boundedElastic().schedule(task);
      }

      @Override
      public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        if (once.getAndSet(false)) {
          throw new OutOfMemoryError("unable to create native thread");
        }
        return Schedulers.boundedElastic().schedule(task, delay, unit);
      }

      @Override
      public Worker createWorker() {
        return Schedulers.boundedElastic().createWorker();
      }
    };
    RedisSpace space = space(RedisServers.standalone()).scheduler(refusing).build();
    open.add(space);
    RedisMemory memory = RedisMemory.of(space);

    assertThatThrownBy(() -> memory.get(NAMESPACE, "ada").block(PATIENCE))
        .isInstanceOf(RedisUnavailableException.class)
        .hasMessageContaining("SG-451");
    assertThat(memory.get(NAMESPACE, "ada").block(PATIENCE)).isNull();
  }

  @Test
  @DisplayName("a space can be closed on its own delivery thread, and its threads end")
  void closedOnADeliveryThread() throws InterruptedException {
    RedisSpace space = space(RedisServers.standalone()).build();
    RedisCheckpointStore store = RedisCheckpointStore.of(space);
    AtomicReference<Thread> delivery = new AtomicReference<>();

    Lease lease = store
        .acquire("t", "ada", PATIENCE)
        .doOnNext(any -> {
          delivery.set(Thread.currentThread());
          space.close();
        })
        .block(PATIENCE);

    assertThat(lease).isNotNull();
    delivery.get().join(PATIENCE.toMillis());
    assertThat(delivery.get().isAlive()).isFalse();
  }

  /** A client that leaves the timeout of commands to the space. */
  private RedisClient withoutTimeouts(CuttingProxy proxy) {
    RedisClient client = RedisClient.create(RedisServers.uri(proxy.port()));
    client.setOptions(ClientOptions.builder()
        .timeoutOptions(TimeoutOptions.builder().timeoutCommands(false).build())
        .build());
    open.add(() -> client.shutdown(Duration.ZERO, Duration.ofSeconds(2)));
    return client;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
