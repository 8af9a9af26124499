package io.superstep.checkpoint.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What becomes of a read when the threads that it needs are not there. */
class ReaderTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir
  private Path directory;

  @Test
  @DisplayName("what nobody can read is refused, and closing does not wait for it")
  void noThread() throws Exception {
    SqliteFile file =
        new SqliteFile(directory.resolve("threads.db"), PATIENCE, Synchronous.FULL, null);
    Gate gate = new Gate(file.path());
    Refusing threads = new Refusing(Schedulers.boundedElastic());
    StoreThreads own = StoreThreads.of(1);
    Delivery delivery = new Delivery(own, own.handing(), () -> {});
    SqliteErrors errors = new SqliteErrors(file.path(), PATIENCE);
    Reader reader = new Reader(file, errors, gate, threads, delivery, Mono.empty());
    Mono<Boolean> reading = reader.read("reading", session -> true, found -> found);

    threads.refuse(1);
    assertThatThrownBy(() -> reading.block(PATIENCE))
        .hasStackTraceContaining("unable to create native thread");
    file.openToWrite(PATIENCE::toNanos).close();
    threads.refuse(1);
    assertThatThrownBy(() -> reading.block(PATIENCE))
        .hasStackTraceContaining("unable to create native thread");
    assertThat(reading.block(PATIENCE)).isTrue();

    gate.close();
    CompletableFuture.runAsync(() -> gate.awaitEmpty(() -> {}))
        .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .join();
    reader.closeSessions();
    own.shutDown();
  }
}
