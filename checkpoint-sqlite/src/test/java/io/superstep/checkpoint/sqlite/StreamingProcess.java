package io.superstep.checkpoint.sqlite;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;

import io.superstep.event.Chunks;
import io.superstep.event.GraphEvent;
import io.superstep.event.GraphEvent.RunCompleted;
import io.superstep.graph.Chunk;
import io.superstep.graph.Graph;
import io.superstep.json.EventJson;
import io.superstep.message.Message;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.NodeOutput;
import io.superstep.state.Update;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Flux;

/**
 * A process that streams the events of a thread as JSON to its standard output, as a server streams
 * them to a browser. SIGTERM closes its runner.
 */
final class StreamingProcess {

  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  private static final Channel<Integer> ROUND = Channel.sum("round", Integer.class);

  private StreamingProcess() {}

  /**
   * Streams until the run has ended, or until SIGTERM.
   *
   * @param arguments the file, {@code start} or {@code recover}, the cursor
   */
  public static void main(String[] arguments) throws InterruptedException {
    boolean isFirst = arguments[1].equals("start");
    Graph graph = graph(isFirst);
    EventJson json = EventJson.of(graph);
    SqliteDatabase database = SqliteDatabase.open(Path.of(arguments[0]));
    GraphRunner runner = GraphRunner.builder(graph)
        .checkpoints(SqliteCheckpointStore.builder(database).build())
        .events(SqliteEventLog.of(database))
        .build();
    CountDownLatch followed = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(runner, followed)));
    GraphThread thread = runner.thread("t");
    Flux<GraphEvent> events = thread.attach(Long.parseLong(arguments[2]), Chunks.SO_FAR);
    if (isFirst) {
      thread.start(Update.append(MESSAGES, Message.human("A story, please"))).block();
    } else {
      runner.recover().blockLast();
      events = events.takeUntil(StreamingProcess::isEnd);
    }
    events.doOnNext(event -> print(json.text(event))).blockLast();
    if (!isFirst) {
      long end =
          SqliteEventLog.of(database).read("t", 0, graph.schemas()).count().block();
      print(json.text(thread.attachWithState(end, Chunks.NONE).blockFirst()));
    }
    followed.countDown();
    database.close();
  }

  /** The story; the first process never finishes it. */
  private static Graph graph(boolean isFirst) {
    Flux<NodeOutput> story = Flux.just(new Chunk("Once "), new Chunk("upon "));
    Flux<NodeOutput> rest = isFirst
        ? Flux.never()
        : Flux.just(
            new Chunk("a time"),
            Update.append(MESSAGES, Message.ai("Once upon a time")).and(Update.of(ROUND, 1)));
    return Graph.builder("story")
        .channels(MESSAGES, ROUND)
        .compute("plan", state -> Update.of(ROUND, 1))
        .node("write", state -> story.concatWith(rest))
        .sequence(START, "plan", "write", END)
        .build();
  }

  private static boolean isEnd(GraphEvent event) {
    return event instanceof RunCompleted && event.path().isEmpty();
  }

  private static void close(GraphRunner runner, CountDownLatch followed) {
    runner.close(Duration.ofMillis(200)).blockLast();
    try {
      if (followed.await(20, TimeUnit.SECONDS)) {
        print("followers ended");
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void print(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
