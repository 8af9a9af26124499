package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.context.ContextRegistry;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.graph.Send;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;

/** What becomes of the thread locals of whoever subscribed, wherever the code of a graph runs. */
class ContextPropagationTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String KEY = "superstep.test.user";
  private static final ThreadLocal<String> USER = new ThreadLocal<>();

  private static final Channel<Integer> MOST = Channel.reduced(
      "most", Integer.class, 0, (current, update) -> Math.max(current, update + look("reducer")));

  private static final Set<String> SEEN = ConcurrentHashMap.newKeySet();

  /**
   * A JVM thread that knows nothing of Reactor, and so carries nothing along. It is given work from
   * threads that must not block, so its queue has no lock.
   */
  private static final ExecutorService FOREIGN =
      new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedTransferQueue<>(), work -> {
        Thread thread = new Thread(work, "foreign");
        thread.setDaemon(true);
        return thread;
      });

  @BeforeEach
  void carryTheUserAlong() {
    SEEN.clear();
    ContextRegistry.getInstance().registerThreadLocalAccessor(KEY, USER);
    Hooks.enableAutomaticContextPropagation();
    USER.set("ada");
  }

  @AfterEach
  void leaveNothingBehind() throws Exception {
    FOREIGN.submit(() -> {}).get(); // what it is at puts back what it found, as long as it may
    USER.remove();
    Hooks.disableAutomaticContextPropagation();
    ContextRegistry.getInstance().removeThreadLocalAccessor(KEY);
  }

  private static int look(String place) {
    SEEN.add(place + ": " + USER.get());
    return 0;
  }

  private static Update see(String place) {
    look(place);
    return Update.NOTHING;
  }

  /** The ways by which a node leaves its JVM thread. */
  enum Hop {
    NONE {
      @Override
      Publisher<Update> away() {
        return Mono.just(Update.of(COUNT, 1));
      }
    },
    DELAY {
      @Override
      Publisher<Update> away() {
        return Mono.delay(Duration.ofMillis(1)).map(any -> Update.of(COUNT, 1));
      }
    },
    CALLBACK {
      @Override
      Publisher<Update> away() {
        return Mono.create(sink -> FOREIGN.execute(() -> sink.success(Update.of(COUNT, 1))));
      }
    },
    FUTURE {
      @Override
      Publisher<Update> away() {
        return Mono.fromFuture(
            () -> CompletableFuture.supplyAsync(() -> Update.of(COUNT, 1), FOREIGN));
      }
    },
    SINK {
      @Override
      Publisher<Update> away() {
        Sinks.One<Update> sink = Sinks.one();
        FOREIGN.execute(() -> sink.tryEmitValue(Update.of(COUNT, 1)));
        return sink.asMono();
      }
    },
    STRANGER {
      @Override
      Publisher<Update> away() {
        return subscriber -> FOREIGN.execute(() -> {
          subscriber.onSubscribe(Operators.emptySubscription());
          subscriber.onNext(Update.of(COUNT, 1));
          subscriber.onComplete();
        });
      }
    };

    abstract Publisher<Update> away();

    /** Leaves, and fails there. */
    Publisher<Update> astray() {
      return Flux.concat(away(), Mono.error(new IllegalStateException("astray")));
    }
  }

  /** A graph that goes away before each of its calls, and looks around in each. */
  private static Graph graph(Hop hop) {
    AtomicInteger tries = new AtomicInteger();
    Graph inner = Graph.builder("inner")
        .channels(COUNT)
        .node("hopInside", state -> hop.away())
        .compute("inside", state -> see("inside"))
        .sequence(START, "hopInside", "inside", END)
        .build();
    return Graph.builder("hopping")
        .channels(COUNT, MOST)
        .node("hop", state -> hop.away())
        .compute("compute", state -> Update.of(MOST, look("compute")))
        .node("mono", state -> {
          look("action");
          return Mono.delay(Duration.ofMillis(1)).map(any -> see("mono"));
        })
        .node("hopAgain", state -> hop.away())
        .blocking("blocking", state -> see("blocking"))
        .node("bad", state -> hop.astray())
        .handler("bad", (state, failed) -> {
          look("handler");
          return Mono.delay(Duration.ofMillis(1)).map(any -> see("handler's mono"));
        })
        .node("flaky", state -> {
          look("attempt " + tries.incrementAndGet());
          return tries.get() < 3 ? hop.astray() : Mono.just(Update.NOTHING);
        })
        .policy(
            "flaky",
            NodePolicy.retry(3)
                .backoff(Duration.ofMillis(1), Duration.ofMillis(1))
                .retryOn(error -> look("retryOn") == 0))
        .subgraph("inner", inner)
        .compute("sent", state -> see("sent"))
        .edge(START, "hop")
        .edge("hop", "compute")
        .route("compute", to("mono", END), state -> look("router") == 0 ? "mono" : END)
        .sequence("mono", "hopAgain", "blocking", "bad", "flaky", "inner")
        .fanOut(
            "inner",
            to("sent"),
            state -> look("fan-out") == 0 ? List.of(Send.to("sent")) : List.of())
        .edge("sent", END)
        .build();
  }

  private static final List<String> PLACES = List.of(
      "action",
      "attempt 1",
      "attempt 2",
      "attempt 3",
      "blocking",
      "compute",
      "fan-out",
      "handler",
      "handler's mono",
      "inside",
      "mono",
      "reducer",
      "retryOn",
      "router",
      "sent");

  private static void everyPlaceKnows(String user) {
    assertThat(SEEN)
        .containsExactlyInAnyOrderElementsOf(
            PLACES.stream().map(place -> place + ": " + user).toList());
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("E23 a thread local of whoever subscribed is seen wherever a graph calls")
  void aThreadLocalIsSeenWhereverAGraphCalls(Hop hop) throws Exception {
    StepVerifier.create(GraphRunner.of(graph(hop)).run(Update.NOTHING))
        .expectNextCount(1)
        .expectComplete()
        .verify(PATIENCE);

    everyPlaceKnows("ada");
    assertThat(USER.get()).isEqualTo("ada");
    assertThat(FOREIGN.submit(USER::get).get())
        .as("left behind on another thread")
        .isNull();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("E23 what the Reactor Context says comes before what the JVM thread says")
  void theReactorContextComesFirst(Hop hop) {
    GraphRunner.of(graph(hop))
        .run(Update.NOTHING)
        .contextWrite(context -> context.put(KEY, "grace"))
        .block(PATIENCE);

    everyPlaceKnows("grace");
    assertThat(USER.get()).isEqualTo("ada");
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("E23 a thread local is seen also where another thread asks for the events")
  void aThreadLocalIsSeenWhoeverAsks(Hop hop) throws Exception {
    CountDownLatch ended = new CountDownLatch(1);
    BaseSubscriber<GraphEvent> slow = new BaseSubscriber<>() {
      @Override
      protected void hookOnSubscribe(Subscription subscription) {
        FOREIGN.execute(() -> request(1));
      }

      @Override
      protected void hookOnNext(GraphEvent event) {
        FOREIGN.execute(() -> request(1));
      }

      @Override
      protected void hookFinally(SignalType type) {
        ended.countDown();
      }
    };

    GraphRunner.of(graph(hop)).stream(Update.NOTHING).subscribe(slow);

    assertThat(ended.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    everyPlaceKnows("ada");
  }

  @Test
  @DisplayName("E23 where nobody asked for it, thread locals are not carried along")
  void withoutTheHookThreadLocalsStayWhereTheyAre() {
    Hooks.disableAutomaticContextPropagation();
    Graph graph = Graphs.single(
        "a",
        state -> Mono.deferContextual(
            context -> Mono.just(Update.of(COUNT, context.hasKey(KEY) ? 1 : 0))));

    RunResult result = GraphRunner.of(graph).run(Update.NOTHING).block(PATIENCE);

    assertThat(result.state().get(COUNT)).isZero();
  }
}
