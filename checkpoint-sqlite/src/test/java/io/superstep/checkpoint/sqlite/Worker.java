package io.superstep.checkpoint.sqlite;

import static io.superstep.testkit.Chains.LOG;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.error.SuperstepException;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.graph.NodeContext;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.RunResult;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import io.superstep.testkit.FaultyStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What runs in a process of its own. What its nodes do, and what was told of it, is written to a
 * journal beside the file, in which it stands in the order in which it happened, whoever did it.
 */
final class Worker {

  private final Path file;
  private final InstantSource clock;
  private final SqliteDatabase database;
  private final FileChannel journal;
  private final int hour;

  /** Whether something was saved, and so classes are loaded and the file is open. */
  private final AtomicBoolean isReady = new AtomicBoolean();

  Worker(Path file, int hour) {
    this.file = file;
    this.hour = hour;
    this.clock = Clock.offset(Clock.systemUTC(), Duration.ofHours(hour));
    this.database = SqliteDatabase.open(file);
    try {
      this.journal =
          FileChannel.open(journal(file), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  static Path journal(Path file) {
    return file.resolveSibling(file.getFileName() + ".journal");
  }

  /** With whose appearance a worker goes on that waits in the middle. */
  static Path go(Path file) {
    return file.resolveSibling(file.getFileName() + ".go");
  }

  /** What was done, and said, in that order. */
  static List<String> journalOf(Path file) throws IOException {
    return Files.exists(journal(file)) ? Files.readAllLines(journal(file)) : List.of();
  }

  public static void main(String[] arguments) {
    Worker worker = new Worker(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
    switch (arguments[2]) {
      case "once" -> worker.once();
      case "run" -> worker.run();
      case "commit" -> worker.commit();
      case "die" ->
        worker.die(FaultyStore.Fault.valueOf(arguments[3]), Integer.parseInt(arguments[4]));
      case "ask" -> worker.ask();
      case "wait" -> worker.waitInTheMiddle();
      case "tell" -> worker.tell();
      default -> throw new IllegalArgumentException(arguments[2]);
    }
    System.exit(0);
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private void write(String line) {
    try {
      journal.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  SqliteCheckpointStore store() {
    return SqliteCheckpointStore.builder(database).clock(clock).build();
  }

  GraphRunner runner(Graph graph) {
    return runner(graph, store());
  }

  private GraphRunner runner(Graph graph, CheckpointStore store) {
    return GraphRunner.builder(graph)
        .clock(clock)
        .checkpoints(store)
        .events(SqliteEventLog.of(database))
        .build();
  }

  void close() {
    database.close();
    try {
      journal.close();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private Mono<Void> noted(String node, NodeContext context) {
    return Mono.fromRunnable(() -> write("run " + context.taskId()));
  }

  /** The graph whose nodes write down that they run. */
  Graph chain() {
    return Chains.chain(this::noted);
  }

  Graph diamond() {
    return Chains.diamond(this::noted);
  }

  Graph approval() {
    return Chains.approval(node -> write("run " + node));
  }

  private void told(String thread, GraphEvent event) {
    if (event instanceof GraphEvent.TaskCompleted done) {
      write("ack " + done.task().id());
    } else if (event instanceof GraphEvent.CheckpointSaved saved) {
      saved(thread, saved.checkpoint());
    }
  }

  private void saved(String thread, CheckpointId id) {
    write("saved " + thread + " " + id);
    if (!isReady.getAndSet(true)) {
      say("ready");
    }
  }

  private Mono<Void> consumed(GraphThread thread, Flux<GraphEvent> events) {
    return events.doOnNext(event -> told(thread.id(), event)).then();
  }

  /** Takes over what is left to do, and says how much that was. */
  long recover(Graph graph) {
    GraphRunner runner = runner(graph);
    return store()
        .threads(EnumSet.complementOf(EnumSet.of(ThreadStatus.DONE)))
        .map(ThreadSummary::thread)
        .collectList()
        .flatMapIterable(threads -> threads)
        .flatMap(
            name -> {
              GraphThread thread = runner.thread(name);
              return consumed(thread, thread.resume()).thenReturn(name);
            },
            8)
        .count()
        .block();
  }

  private void once() {
    recover(chain());
    GraphThread thread = runner(chain()).thread("warm");
    consumed(thread, thread.stream(Update.append(LOG, "in"))).block();
    Scribe.of(store(), "scribe").flatMap(scribe -> scribe.append("word")).block();
    close();
  }

  /** Runs one new thread after the other, eight at a time, until it is killed. */
  private void run() {
    recover(chain());
    GraphRunner runner = runner(chain());
    Flux.range(0, Integer.MAX_VALUE)
        .flatMap(
            number -> {
              GraphThread thread = runner.thread(hour + "-" + number);
              return consumed(thread, thread.stream(Update.append(LOG, "in")));
            },
            8)
        .blockLast();
  }

  /** Commits to eight new threads at a time, without any run, until it is killed. */
  private void commit() {
    SqliteCheckpointStore store = store();
    Flux.range(0, 8)
        .flatMap(number -> Scribe.of(store, hour + "-" + number)
            .flatMapMany(scribe -> scribe
                .append("word")
                .doOnNext(id -> saved(hour + "-" + number, id))
                .repeat()))
        .blockLast();
  }

  /** Runs until the store is called for the n-th time, says so, and stays. */
  private void die(FaultyStore.Fault fault, int at) {
    FaultyStore store = new FaultyStore(store(), fault, at);
    GraphThread thread = runner(diamond(), store).thread("t");
    String end = Mono.firstWithSignal(
            consumed(thread, thread.stream(Update.NOTHING)).thenReturn("finished"),
            store.struck().thenReturn("struck"))
        .block();
    say(end);
    Mono.never().block();
  }

  /** Runs until a person has to answer, says so, and stays. */
  private void ask() {
    RunResult result =
        runner(approval()).thread("t").run(Update.append(LOG, "in")).block();
    say("paused " + result.status() + " " + result.state().get(LOG));
    Mono.never().block();
  }

  /** Runs until it is in the middle of a node, and goes on there when a file says so. */
  private void waitInTheMiddle() {
    Graph graph = Chains.chain((node, context) -> node.equals("b")
        ? noted(node, context)
            .then(Mono.fromRunnable(() -> say("middle")))
            .then(Mono.fromCallable(() -> Files.exists(go(file)))
                .filter(there -> there)
                .repeatWhenEmpty(looks -> looks.delayElements(Duration.ofMillis(20)))
                .then())
        : noted(node, context));
    try {
      GraphRunner.builder(graph)
          .clock(clock)
          .checkpoints(store())
          .build()
          .thread("t")
          .run(Update.NOTHING)
          .block();
      say("finished");
    } catch (SuperstepException refused) {
      say("refused " + refused.code());
    }
  }

  /** Runs a thread from the beginning to the end. */
  private void tell() {
    runner(chain()).thread("t").run(Update.append(LOG, "in")).block();
    say("finished");
  }
}
