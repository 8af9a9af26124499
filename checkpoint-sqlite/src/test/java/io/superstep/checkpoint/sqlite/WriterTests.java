package io.superstep.checkpoint.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** What becomes of a result when the threads that it needs are not there. */
class WriterTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir
  private Path directory;

  private final StoreThreads threads = StoreThreads.of(1);
  private final Refusing writing = new Refusing(threads.writer());
  private SqliteFile file;
  private Gate gate;

  @BeforeEach
  void open() {
    file = new SqliteFile(directory.resolve("threads.db"), PATIENCE, Synchronous.FULL, null);
    gate = new Gate(file.path());
  }

  @AfterEach
  void dispose() {
    threads.shutDown();
  }

  /** A writer that hands on by threads of the file, which are {@code handing}. */
  private Writer writer(Scheduler handing) {
    return writer(
        new StoreThreads(
            writing, threads.readers(), handing, threads.handingPool(), threads.pools()),
        handing);
  }

  private Writer writer(StoreThreads given, Scheduler handing) {
    return new Writer(
        file,
        new SqliteErrors(file.path(), PATIENCE),
        gate,
        new Patience(PATIENCE, System::nanoTime),
        given,
        handing);
  }

  private CompletableFuture<Void> closing() {
    gate.close();
    return CompletableFuture.runAsync(() -> gate.awaitEmpty(() -> {}));
  }

  private void close(Writer writer) {
    closing().orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    writer.closeSession();
  }

  @Test
  @DisplayName("what nobody can be called for is refused, and closing does not wait for it")
  void noThread() {
    Writer writer = writer(threads.handing());
    writing.refuse(1);

    assertThatThrownBy(() -> writer.write("writing", session -> true).block(PATIENCE))
        .hasStackTraceContaining("unable to create native thread");
    close(writer);
  }

  @Test
  @DisplayName("when nobody could be called for one who hands on, somebody is the next time")
  void noThreadOnce() {
    Writer writer = writer(threads.handing());
    Mono<Boolean> work = writer.write("writing", session -> true);

    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    CompletableFuture<Boolean> later = new CompletableFuture<>();
    work.doOnNext(written -> {
          writing.refuse(1);
          work.subscribe(any -> {}, refused::complete);
          work.subscribe(later::complete);
        })
        .block(PATIENCE);

    assertThat(refused.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join())
        .hasMessageContaining("unable to create native thread");
    assertThat(later.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join()).isTrue();
    close(writer);
  }

  @Test
  @DisplayName("the threads that hand on cannot be closed before they were given what was written")
  void closesBehind() {
    CompletableFuture<Boolean> wasEmpty = new CompletableFuture<>();
    Writer writer = writer(new Around(threads.handing()) {
      @Override
      void before() {
        CompletableFuture<Void> closing = closing();
        try {
          closing.get(200, TimeUnit.MILLISECONDS);
          wasEmpty.complete(true);
        } catch (TimeoutException waits) {
          wasEmpty.complete(false);
        } catch (Exception broken) {
          wasEmpty.completeExceptionally(broken);
        }
      }
    });

    assertThat(writer.<Boolean>write("writing", session -> true).block(PATIENCE))
        .isTrue();
    assertThat(wasEmpty.join()).isFalse();
    close(writer);
  }

  /** Does something before anything is scheduled. */
  private abstract static class Around implements Scheduler {

    private final Scheduler scheduler;

    Around(Scheduler scheduler) {
      this.scheduler = scheduler;
    }

    abstract void before();

    @Override
    public reactor.core.Disposable schedule(Runnable task) {
      before();
      return scheduler.schedule(task);
    }

    @Override
    public Worker createWorker() {
      return scheduler.createWorker();
    }
  }

  /** Asks for something large, of which nothing but the result is left with the caller. */
  private static WeakReference<byte[]> writeLarge(Writer writer, CompletableFuture<Integer> told) {
    byte[] large = new byte[1 << 20];
    writer
        .<Integer>write("writing", session -> large.length)
        .subscribe(told::complete, told::completeExceptionally);
    return new WeakReference<>(large);
  }

  @Test
  @DisplayName("a result that waits to be told does not hold what was written")
  void letsGo() throws InterruptedException {
    Queue<Runnable> tellings = new ConcurrentLinkedQueue<>();
    Scheduler never = Schedulers.fromExecutor(tellings::add);
    Writer writer = writer(threads, never);
    CompletableFuture<Integer> told = new CompletableFuture<>();

    WeakReference<byte[]> large = writeLarge(writer, told);

    for (int again = 0; again < 200 && large.get() != null; again++) {
      System.gc();
      Thread.sleep(10);
    }
    assertThat(tellings).hasSize(1);
    assertThat(large.get()).isNull();
    tellings.forEach(Runnable::run);
    assertThat(told.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join()).isEqualTo(1 << 20);
    close(writer);
  }

  @Test
  @DisplayName("a file has no more threads that hand on than a pool can have")
  void tooMany() {
    ForkJoinPool pool = StoreThreads.handingPool(Integer.MAX_VALUE);

    assertThat(pool.getParallelism()).isEqualTo(32_767);
    pool.shutdown();
  }
}
