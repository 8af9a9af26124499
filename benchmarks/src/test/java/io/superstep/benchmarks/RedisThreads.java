package io.superstep.benchmarks;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;
import static io.superstep.graph.Graph.to;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.event.command.CommandListener;
import io.lettuce.core.event.command.CommandStartedEvent;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.superstep.checkpoint.redis.RedisCheckpointStore;
import io.superstep.checkpoint.redis.RedisSpace;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.json.ThreadCodec;
import io.superstep.message.Message;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.RunOptions;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import redis.embedded.RedisServer;

/**
 * A thread in a Redis on the same machine: what a step costs, beside the same commands sent by
 * hand.
 */
@State(Scope.Benchmark)
public class RedisThreads {

  private static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  private static final ListChannel<String> SAID = Channel.list("said", String.class);
  private static final RedisCodec<String, byte[]> CODEC =
      RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE);

  /** How many steps a conversation has, each with a message of 100 characters; 0 for a fan-out. */
  @Param("200")
  int steps;

  private Graph graph;
  private GraphRunner runner;
  private List<Sent> sent;
  private final ThreadCodec codec = ThreadCodec.builder().build();

  /** A server of this JVM. */
  private static final class Server {

    static final RedisURI ADDRESS = RedisURI.create("127.0.0.1", started());
    static final RedisClient CLIENT = RedisClient.create(ADDRESS);
    static final StatefulRedisConnection<String, byte[]> REDIS = CLIENT.connect(CODEC);
    static final RedisSpace SPACE = RedisSpace.of(CLIENT);

    private static int started() {
      try {
        int port = freePort();
        RedisServer server = RedisServer.newRedisServer()
            .port(port)
            .setting("bind 127.0.0.1")
            .setting("save \"\"")
            .setting("appendonly no")
            .build();
        server.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server)));
        return port;
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }

    private static int freePort() throws IOException {
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      }
    }

    private static void stop(RedisServer server) {
      try {
        server.stop();
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  /** A call of a script as it went over the wire. */
  private static final class Sent {

    final CommandArgs<String, byte[]> arguments;
    final byte[] bytes;

    Sent(CommandArgs<String, byte[]> arguments) {
      ByteBuf buffer = Unpooled.buffer();
      arguments.encode(buffer);
      this.arguments = arguments;
      this.bytes = ByteBufUtil.getBytes(buffer);
    }
  }

  @Setup
  public void build() {
    graph = steps == 0 ? fanOut() : conversation();
    runner = runner(Server.SPACE);
    run(runner);
    sent = recorded();
  }

  private Graph conversation() {
    return Graph.builder("conversation")
        .channels(MESSAGES)
        .compute(
            "say",
            state -> Update.append(
                MESSAGES, Message.ai(Words.NEW.at(state.get(MESSAGES).size()))))
        .edge(START, "say")
        .route("say", to("say", END), state -> state.get(MESSAGES).size() < steps ? "say" : END)
        .build();
  }

  private static Graph fanOut() {
    List<String> names = IntStream.range(0, 64).mapToObj(branch -> "n" + branch).toList();
    GraphBuilder builder = Graph.builder("fan-out").channels(SAID);
    names.forEach(name ->
        builder.node(name, state -> Mono.just(Update.append(SAID, name))).edge(START, name));
    return builder
        .compute("join", state -> Update.append(SAID, "join"))
        .join(all(names.toArray(String[]::new)), "join")
        .edge("join", END)
        .build();
  }

  private GraphRunner runner(RedisSpace space) {
    return GraphRunner.builder(graph)
        .checkpoints(RedisCheckpointStore.of(space))
        .defaults(RunOptions.NONE.steps(1_000_000).iterations(1_000_000))
        .build();
  }

  private static void run(GraphRunner runner) {
    runner.thread("t").run(Update.NOTHING).block();
  }

  /** What one run sends, when Redis knows all the scripts. */
  private List<Sent> recorded() {
    List<Sent> commands = new CopyOnWriteArrayList<>();
    RedisClient client = RedisClient.create(Server.ADDRESS);
    client.addListener(new CommandListener() {
      @Override
      @SuppressWarnings("unchecked") // of the codec that the space uses
      public void commandStarted(CommandStartedEvent event) {
        if (event.getCommand().getType() == CommandType.EVALSHA) {
          commands.add(new Sent((CommandArgs<String, byte[]>)
              (CommandArgs<?, ?>) event.getCommand().getArgs()));
        }
      }
    });
    Server.REDIS.sync().flushall();
    try (RedisSpace space = RedisSpace.of(client)) {
      run(runner(space));
    } finally {
      client.shutdown();
    }
    return commands;
  }

  /** Every step written down before the next one starts. */
  @Benchmark
  public int thread() {
    Server.REDIS.sync().flushall();
    run(runner);
    return sent.size();
  }

  /**
   * No engine: the same scripts with the same arguments, one after the other. Each answer is handed
   * on by the scheduler that hands those of the store on, as what comes then may block.
   */
  @Benchmark
  public int bare() {
    return sent(each -> evaluated(each).publishOn(Schedulers.boundedElastic()));
  }

  /** The same, where whatever comes then happens on the thread that serves the connection. */
  @Benchmark
  public int bareOnItsThread() {
    return sent(RedisThreads::evaluated);
  }

  private static Flux<Object> evaluated(Sent each) {
    return Server.REDIS
        .reactive()
        .dispatch(CommandType.EVALSHA, new NestedMultiOutput<>(CODEC), each.arguments)
        .cast(Object.class);
  }

  private int sent(Function<Sent, Publisher<?>> sending) {
    Server.REDIS.sync().flushall();
    Flux.fromIterable(sent).concatMap(sending, 1).blockLast();
    return sent.size();
  }

  /** Less than a store does: the same bytes, unconditionally, and nothing handed on. */
  @Benchmark
  public int bareSet() {
    return sent(each -> Server.REDIS.reactive().set("key", each.bytes));
  }

  @Benchmark
  public int load() {
    return Objects.requireNonNull(runner.thread("t").state().block())
        .position()
        .state()
        .get(MESSAGES)
        .size();
  }

  /** No engine: the log, and what it says. */
  @Benchmark
  public int bareLoad() {
    return Server.REDIS.sync().lrange("superstep:{t:t}:log", 0, -1).stream()
        .map(stored -> codec.decodeEntry(body(stored), graph.schemas()))
        .toList()
        .size();
  }

  private static byte[] body(byte[] stored) {
    int line = 0;
    while (stored[line] != '\n') {
      line++;
    }
    return Arrays.copyOfRange(stored, line + 1, stored.length);
  }
}
