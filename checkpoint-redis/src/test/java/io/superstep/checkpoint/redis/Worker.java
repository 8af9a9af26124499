package io.superstep.checkpoint.redis;

import static io.superstep.testkit.Chains.LOG;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.superstep.error.SuperstepException;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.graph.NodeContext;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.InMemoryEventLog;
import io.superstep.reactor.RunResult;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.time.Duration;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * What runs in a process of its own. What its nodes do is written to a list in Redis, in which it
 * stands in the order in which it happened, whoever did it.
 */
final class Worker {

  private final String prefix;
  private final RedisClient client;
  private final RedisCommands<String, String> redis;
  private final FastClock clock;
  private final RedisSpace space;

  Worker(int port, String prefix, long start) {
    this.prefix = prefix;
    this.client = RedisClient.create(RedisServers.uri(port));
    this.redis = client.connect().sync();
    this.clock = new FastClock(start);
    this.space = RedisSpace.builder(client)
        .prefix(prefix)
        .timeout(Duration.ofSeconds(5))
        .scheduler(Schedulers.boundedElastic()) // nodes of these tests block
        .build();
  }

  public static void main(String[] arguments) {
    Worker worker =
        new Worker(Integer.parseInt(arguments[0]), arguments[1], Long.parseLong(arguments[2]));
    say("ready");
    switch (arguments[3]) {
      case "ask" -> worker.ask();
      case "hang" -> worker.hang();
      case "wait" -> worker.waitInTheMiddle();
      default -> worker.drain();
    }
    System.exit(0);
  }

  private static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** What was done, and said, in that order. */
  String journal() {
    return prefix + ":journal";
  }

  RedisCommands<String, String> redis() {
    return redis;
  }

  RedisCheckpointStore store() {
    return RedisCheckpointStore.builder(space).clock(clock).build();
  }

  GraphRunner runner(Graph graph) {
    return GraphRunner.builder(graph)
        .clock(clock)
        .checkpoints(store())
        .events(new InMemoryEventLog())
        .build();
  }

  void close() {
    space.close();
    client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
  }

  private Mono<Void> noted(String node, NodeContext context) {
    return Mono.fromRunnable(() -> redis.rpush(journal(), "run " + context.taskId()));
  }

  /** The graph whose nodes write down that they run. */
  Graph chain() {
    return Chains.chain(this::noted);
  }

  Graph diamond() {
    return Chains.diamond(this::noted);
  }

  Graph approval() {
    return Chains.approval(node -> redis.rpush(journal(), "run " + node));
  }

  /** Runs until a person has to answer, says so, and stays. */
  private void ask() {
    RunResult result =
        runner(approval()).thread("t").run(Update.append(LOG, "in")).block();
    say("paused " + result.status() + " " + result.state().get(LOG));
    Mono.never().block();
  }

  /** Runs until it is in the middle of a step, of which one task has ended, says so, and stays. */
  private void hang() {
    Graph graph = Chains.diamond((node, context) ->
        node.equals("slow") ? noted(node, context).then(Mono.never()) : noted(node, context));
    runner(graph).thread("t").stream(Update.NOTHING)
        .doOnNext(event -> {
          if (event instanceof GraphEvent.TaskCompleted) {
            say("middle");
          }
        })
        .blockLast();
  }

  /** Runs until it is in the middle of a node, and goes on there when a key says so. */
  private void waitInTheMiddle() {
    Graph graph = Chains.chain((node, context) -> node.equals("b")
        ? noted(node, context)
            .then(Mono.fromRunnable(() -> say("middle")))
            .then(Mono.fromCallable(() -> redis.exists(prefix + ":go"))
                .filter(there -> there > 0)
                .repeatWhenEmpty(looks -> looks.delayElements(Duration.ofMillis(20)))
                .then())
        : noted(node, context));
    try {
      runner(graph).thread("t").run(Update.NOTHING).block();
      say("finished");
    } catch (SuperstepException refused) {
      say("refused " + refused.code());
    }
  }

  /** Takes over whatever is left to do, until it is killed. */
  private void drain() {
    GraphRunner runner = runner(Chains.chain((node, context) ->
        noted(node, context).then(Mono.delay(Duration.ofMillis(15)).then())));
    while (true) {
      runner
          .recover()
          .flatMap(
              recovery -> runner
                  .thread(recovery.thread())
                  .attach(0)
                  .doOnNext(this::acknowledged)
                  .takeUntil(event -> event instanceof GraphEvent.RunCompleted
                      || event instanceof GraphEvent.RunFailed)
                  .timeout(Duration.ofSeconds(5))
                  .onErrorResume(
                      error -> Mono.fromRunnable(() -> redis.rpush(journal(), "err " + error))
                          .then(Mono.empty())),
              8)
          .blockLast();
    }
  }

  private void acknowledged(GraphEvent event) {
    if (event instanceof GraphEvent.TaskCompleted done) {
      redis.rpush(journal(), "ack " + done.task().id());
    }
  }
}
