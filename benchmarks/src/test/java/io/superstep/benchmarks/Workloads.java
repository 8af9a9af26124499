package io.superstep.benchmarks;

import static io.superstep.benchmarks.Contender.ALIBABA;
import static io.superstep.benchmarks.Contender.BARE;
import static io.superstep.benchmarks.Contender.LANGGRAPH4J;
import static io.superstep.benchmarks.Contender.OURS;
import static io.superstep.benchmarks.FreshJvm.KEPT;

import io.superstep.benchmarks.Contender.Plain;
import io.superstep.benchmarks.Contender.Timed;
import io.superstep.benchmarks.Target.Ahead;
import io.superstep.benchmarks.Target.Below;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * All workloads with their targets, in the order in which they are told: the one place to add
 * another.
 */
final class Workloads {

  static final List<Workload> ALL = List.of(
      chain(),
      longChain(),
      fanOut(),
      conversation(),
      streaming(),
      tokens(),
      concurrent(),
      wideState(),
      history(),
      redis(),
      sqlite());

  private static final String PER_STEP = "us of processors per step";
  private static final String PER_COMMIT = "us on the wall per commit";
  private static final String PER_RUN = "us of processors per run";

  private Workloads() {}

  private static Workload chain() {
    return new Workload(
        "chain",
        "one node looping 1,000 steps by a route, int state, no store",
        List.of(new Row(
            "chain",
            PER_STEP,
            List.of(
                chain(BARE, "bare", 1_000, 1),
                chain(OURS, "run", 1_000, 1),
                chain(LANGGRAPH4J, "langGraph4j", 1_000, 1),
                chain(ALIBABA, "springAiAlibaba", 1_000, 1)))),
        List.of(
            Target.atMost("chain", 4, BARE),
            new Ahead("chain", 10, List.of(LANGGRAPH4J)),
            new Ahead("chain", 30, List.of(ALIBABA))),
        List.of());
  }

  private static Timed chain(String name, String method, int steps, int channels) {
    return new Timed(
        name, Chain.class, method, Map.of("steps", steps, "channels", channels), steps);
  }

  private static Workload longChain() {
    String shortLoop = "ours, 1,000 steps";
    return new Workload(
        "long-chain",
        "the chain for 1,000,000 steps",
        List.of(
            new Row(
                "long-chain",
                PER_STEP,
                List.of(
                    chain(BARE, "bare", 1_000_000, 1),
                    chain(OURS, "run", 1_000_000, 1),
                    chain(shortLoop, "run", 1_000, 1),
                    chain(LANGGRAPH4J, "langGraph4j", 1_000_000, 1).once())),
            new Row(
                "long-chain:heap",
                "bytes by which the live heap grows from step 1,000 to the last",
                List.of(
                    new Plain(BARE, FreshJvm.LONG_CHAIN_BARE, KEPT),
                    new Plain(OURS, FreshJvm.LONG_CHAIN, KEPT)))),
        List.of(
            Target.atMost("long-chain", 1.2, shortLoop),
            new Below("long-chain:heap", 100_000, "bytes")),
        List.of("alibaba is not run: it recurses once per step, so that a million steps need a"
            + " stack of tens of gigabytes, and a step costs the more the longer the run is."));
  }

  private static Workload fanOut() {
    return new Workload(
        "fan-out",
        "start to 64 nodes that append to one list, and a join; and one node sent 1,000 times",
        List.of(
            new Row(
                "fan-out",
                PER_RUN,
                List.of(
                    fanOut(BARE, "bare"),
                    fanOut("bare, mutable list", "bareMutable"),
                    fanOut(OURS, "run"),
                    fanOut(LANGGRAPH4J, "langGraph4j"),
                    fanOut(ALIBABA, "springAiAlibaba"))),
            new Row(
                "fan-out:sends",
                PER_RUN,
                List.of(
                    new Timed(BARE, Sends.class, "bare", Map.of("sends", 1_000), 1),
                    new Timed(
                        "bare, mutable list",
                        Sends.class,
                        "bareMutable",
                        Map.of("sends", 1_000),
                        1),
                    new Timed(OURS, Sends.class, "run", Map.of("sends", 1_000), 1)))),
        List.of(
            Target.atMost("fan-out", 4, BARE),
            new Ahead("fan-out", 5, Target.PEERS),
            Target.atMost("fan-out:sends", 4, BARE)),
        List.of("fan-out:sends has no peers: neither langgraph4j nor alibaba can run a node several"
            + " times in one step; their branches are nodes of the graph, known when it is"
            + " built."));
  }

  private static Timed fanOut(String name, String method) {
    return new Timed(name, FanOut.class, method, Map.of("branches", 64), 1);
  }

  private static Workload conversation() {
    List<Row> rows = new ArrayList<>();
    List<Target> targets = new ArrayList<>();
    rows.add(conversation("conversation", 2_000, true));
    rows.add(conversation("conversation:500", 500, true));
    rows.add(conversation("conversation:1000", 1_000, true));
    rows.add(conversation("conversation:4000", 4_000, false));
    rows.forEach(row -> targets.add(Target.atMost(row.name(), 8, BARE)));
    targets.add(Target.flat("conversation:4000", 1.5, "conversation:500"));
    targets.add(new Ahead("conversation", 1_000, Target.PEERS));
    rows.add(new Row(
        "conversation:kept",
        "bytes kept alive by a conversation of 2,000 steps that is over",
        List.of(
            new Plain(BARE, FreshJvm.CONVERSATION_BARE, KEPT),
            new Plain(OURS, FreshJvm.CONVERSATION, KEPT),
            new Plain(LANGGRAPH4J, FreshJvm.CONVERSATION_LANGGRAPH4J, KEPT),
            new Plain(ALIBABA, FreshJvm.CONVERSATION_ALIBABA, KEPT))));
    targets.add(new Below("conversation:kept", 2_500_000, "bytes"));
    return new Workload(
        "conversation",
        "2,000 steps, and 500, 1,000 and 4,000, that add a message of 100 characters each, on a"
            + " thread in memory; bare shares its list between steps",
        rows,
        targets,
        List.of(
            "The peers run once per length, by a plain program that ran five conversations of 200"
                + " steps before: at 2,000 steps one run takes them many seconds.",
            "conversation:4000 has no peers: they take four times the time and the memory of 2,000;"
                + " langgraph4j ran out of 3.6 GB, and alibaba was not done after 420 s.",
            "A message of a peer is a plain text; ours also has an id and an author.",
            "Linear means here that a step of 4,000 takes at most 1.5 times one of 500."));
  }

  private static Row conversation(String name, int steps, boolean withPeers) {
    List<Contender> contenders = new ArrayList<>(
        List.of(conversation(BARE, "bare", steps), conversation(OURS, "thread", steps)));
    if (withPeers) {
      String figure = String.valueOf(steps);
      contenders.add(new Plain(LANGGRAPH4J, FreshJvm.CONVERSATION_LANGGRAPH4J, figure));
      contenders.add(new Plain(ALIBABA, FreshJvm.CONVERSATION_ALIBABA, figure));
    }
    return new Row(name, PER_STEP, contenders);
  }

  private static Timed conversation(String name, String method, int steps) {
    return new Timed(name, Conversation.class, method, Map.of("steps", steps), steps);
  }

  private static Workload streaming() {
    return new Workload(
        "streaming",
        "the chain with all events delivered to a subscriber; what each peer streams",
        List.of(new Row(
            "streaming",
            PER_STEP,
            List.of(
                chain(BARE, "bare", 1_000, 1),
                chain(OURS, "stream", 1_000, 1),
                chain(LANGGRAPH4J, "langGraph4jStream", 1_000, 1),
                chain(ALIBABA, "springAiAlibabaStream", 1_000, 1)))),
        List.of(
            Target.atMost("streaming", 5, BARE), new Ahead("streaming", 10, List.of(LANGGRAPH4J))),
        List.of("A step is five events here, and one with each peer."));
  }

  private static Workload tokens() {
    return new Workload(
        "tokens",
        "one node emitting 100,000 chunks to a subscriber who counts them; bare wraps each in the"
            + " same event by flatMap",
        List.of(new Row(
            "tokens",
            "us of processors per chunk",
            List.of(
                tokens(BARE, "bare"),
                tokens("bare, by map", "bareMap"),
                tokens(OURS, "stream"),
                tokens(LANGGRAPH4J, "langGraph4j"),
                tokens(ALIBABA, "springAiAlibaba")))),
        List.of(Target.atMost("tokens", 2, BARE)),
        List.of(
            "A node of langgraph4j makes the events itself, and whoever listens takes them out of"
                + " an iterator on one JVM thread: nothing is handed over."));
  }

  private static Timed tokens(String name, String method) {
    return new Timed(name, Tokens.class, method, Map.of("chunks", 100_000), 100_000);
  }

  private static Workload concurrent() {
    return new Workload(
        "concurrent",
        "10,000 threads at once, kept in memory, 10 steps each that wait 1 ms",
        List.of(
            new Row(
                "concurrent",
                PER_STEP,
                List.of(
                    concurrent(BARE, "bare"),
                    concurrent(OURS, "threads"),
                    concurrent("ours, without store", "run"),
                    concurrent(ALIBABA, "springAiAlibaba"))),
            new Row(
                "concurrent:parked",
                "bytes kept alive per run that is parked in a node that waits",
                List.of(
                    new Plain(BARE, FreshJvm.PARKED_BARE, KEPT),
                    new Plain(OURS, FreshJvm.PARKED, KEPT),
                    new Plain("ours, without store", FreshJvm.PARKED_WITHOUT_STORE, KEPT)))),
        List.of(
            Target.atMost("concurrent", 3, BARE), new Below("concurrent:parked", 3_000, "bytes")),
        List.of(
            "alibaba keeps nothing here; compare it with the engine without a store.",
            "langgraph4j is not run: it waits for the future of a node with get(), on the"
                + " caller's JVM thread, so that 10,000 runs at once need 10,000 of them."));
  }

  private static Timed concurrent(String name, String method) {
    return new Timed(name, Concurrent.class, method, Map.of("runs", 10_000, "steps", 10), 100_000);
  }

  private static Workload wideState() {
    String narrow = "ours, 10 channels";
    return new Workload(
        "wide-state",
        "the chain with 1,000 channels, of which one changes per step",
        List.of(new Row(
            "wide-state",
            PER_STEP,
            List.of(
                chain(BARE, "bare", 1_000, 1_000),
                chain(OURS, "run", 1_000, 1_000),
                chain(narrow, "run", 1_000, 10),
                chain(LANGGRAPH4J, "langGraph4j", 1_000, 1_000),
                chain(ALIBABA, "springAiAlibaba", 1_000, 1_000)))),
        List.of(Target.atMost("wide-state", 3, narrow)),
        List.of("Bare copies a map of 1,000 entries in every step."));
  }

  private static Workload history() {
    return new Workload(
        "history",
        "a conversation of 10,000 steps that is over, in memory: its latest state, and all its"
            + " checkpoints",
        List.of(
            new Row(
                "history",
                "us of processors per load of the latest state; bare decodes it from JSON",
                List.of(history(BARE, "bareLatest"), history(OURS, "latest"))),
            new Row(
                "history:list",
                "us of processors per listing; bare decodes what each checkpoint changed from JSON",
                List.of(
                    history(BARE, "bareList"),
                    history("bare, nothing decoded", "bareWalk"),
                    history(OURS, "list")))),
        List.of(Target.atMost("history", 2, BARE), Target.atMost("history:list", 2, BARE)),
        List.of("There are no peers: they do not come to the end of a conversation of 10,000 steps,"
            + " see conversation."));
  }

  private static Workload redis() {
    String set = "bare, SET";
    String onItsThread = "bare, on its thread";
    return new Workload(
        "redis",
        "200 steps that add a message of 100 characters each, a fan-out to 64 nodes, and loading a"
            + " conversation of 10,000, on a thread in a Redis on this machine; bare sends the same"
            + " scripts with the same arguments by Lettuce",
        List.of(
            new Row(
                "redis",
                "us on the clock per call of a script",
                List.of(
                    redis(BARE, "bare", 200, 200),
                    redis(onItsThread, "bareOnItsThread", 200, 200),
                    redis(set, "bareSet", 200, 200),
                    redis(OURS, "thread", 200, 200))),
            new Row(
                "redis:fan-out",
                "us on the clock per run",
                List.of(
                    redis(BARE, "bare", 0, 1),
                    redis(set, "bareSet", 0, 1),
                    redis(OURS, "thread", 0, 1))),
            new Row(
                "redis:load",
                "us on the clock per load; bare reads the log by LRANGE and decodes it",
                List.of(redis(BARE, "bareLoad", 10_000, 1), redis(OURS, "load", 10_000, 1)))),
        List.of(
            Target.atMost("redis", 1.3, BARE),
            Target.atMost("redis", 2.5, set),
            Target.atMost("redis:fan-out", 1.3, BARE),
            Target.atMost("redis:load", 2, BARE)),
        List.of(
            "There are no peers: the saver of langgraph4j for Redis, which its BOM names, is not to be"
                + " had with the rest of it; that of alibaba, which needs Redisson, is not compared.",
            "The scripts of a fan-out are sent one after the other by bare, and several at a time"
                + " by the engine.",
            "Bare hands each answer to boundedElastic, as the store has to: no node may run on a"
                + " thread of Lettuce. What that costs shows beside '" + onItsThread
                + "', which hands nothing on, and neither does " + set + "."));
  }

  private static Timed redis(String name, String method, int steps, int per) {
    return new Timed(name, RedisThreads.class, method, Map.of("steps", steps), per).onTheWall();
  }

  private static Timed history(String name, String method) {
    return new Timed(name, History.class, method, Map.of("steps", 10_000), 1);
  }

  private static Workload sqlite() {
    return new Workload(
        "sqlite",
        "commits of a message of 100 characters to a thread in a file, each safe when the power"
            + " fails; to 64 threads at once; and the load of a thread of 10,000 messages",
        List.of(
            new Row(
                "sqlite",
                PER_COMMIT,
                List.of(inAFile(BARE, "bareInsert", 1, 16), inAFile(OURS, "commit", 1, 16))),
            new Row(
                "sqlite:together",
                PER_COMMIT,
                List.of(inAFile(BARE, "bareInsert", 64, 4), inAFile(OURS, "commit", 64, 4))),
            new Row(
                "sqlite:load",
                "us of processors per load; bare reads the rows and decodes each",
                List.of(loading(BARE, "bareLoad"), loading(OURS, "load")))),
        List.of(
            Target.atMost("sqlite", 1.5, BARE),
            Target.flat("sqlite:together", 0.2, "sqlite"),
            Target.atMost("sqlite:load", 2, BARE)),
        List.of(
            "Bare inserts the same bytes by JDBC into the same file, each in a transaction of its"
                + " own.",
            "What a commit takes is mostly what the disk takes, or a machine that has no disk of"
                + " its own."));
  }

  private static Timed inAFile(String name, String method, int threads, int commits) {
    return new Timed(
            name,
            InAFile.class,
            method,
            Map.of("threads", threads, "commits", commits, "messages", 0),
            threads * commits)
        .onTheWall();
  }

  private static Timed loading(String name, String method) {
    return new Timed(
        name, InAFile.class, method, Map.of("threads", 1, "commits", 1, "messages", 10_000), 1);
  }
}
