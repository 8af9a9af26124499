package io.superstep.checkpoint.sqlite;

import io.superstep.checkpoint.Retention;
import io.superstep.event.Chunks;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process that opens a file, uses all of its threads, closes it, and returns from {@code main}.
 * It prints {@code started}, {@code open}, each thread that keeps the JVM alive or does not end,
 * {@code closed}, and when the JVM exits {@code exits} or how late it is. No other code runs in the
 * process, so that every thread belongs to the JVM, to the library or to one of its dependencies.
 */
final class ClosingProcess {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Less than the ten seconds for which a disposed Reactor scheduler may keep the JVM alive. */
  private static final long MOST_SECONDS = 9;

  private ClosingProcess() {}

  /**
   * Runs the process.
   *
   * @param arguments the path of the file
   */
  public static void main(String[] arguments) throws InterruptedException {
    System.out.println("started");
    SqliteDatabase database = SqliteDatabase.open(Path.of(arguments[0]));
    SqliteCheckpointStore store =
        SqliteCheckpointStore.builder(database).retention(Retention.last(1)).build();
    GraphThread thread = GraphRunner.builder(Chains.chain(node -> {}))
        .checkpoints(store)
        .events(SqliteEventLog.of(database))
        .build()
        .thread("t");
    thread.attach(0, Chunks.NONE).onErrorComplete().subscribe();
    thread.run(Update.NOTHING).block(PATIENCE);
    List<Thread> own =
        threads().filter(each -> each.getName().startsWith("superstep-sqlite-")).toList();
    System.out.println(own.size() > 2 ? "open" : "open with " + own);
    printUserThreads();

    database.close();

    for (Thread each : own) {
      each.join(PATIENCE.toMillis());
      if (each.isAlive()) {
        System.out.println("alive: " + each.getName());
      }
    }
    printUserThreads();
    System.out.println("closed");
    long end = System.nanoTime();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> printExit(end)));
  }

  /** Prints how long other threads have kept the JVM alive since {@code end}. */
  private static void printExit(long end) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - end);
    System.out.println(seconds < MOST_SECONDS ? "exits" : "exits after " + seconds + " s");
  }

  private static void printUserThreads() {
    threads()
        .filter(each -> !each.isDaemon() && each != Thread.currentThread())
        .forEach(each -> System.out.println("keeps the JVM alive: " + each.getName()));
  }

  private static Stream<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream();
  }
}
