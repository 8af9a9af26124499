package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.graph.Graph;
import io.superstep.graph.Send;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Blocking nodes run on threads of their runner. */
class BlockingNodeTests {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** More than there are threads in the pool of a runner or of boundedElastic. */
  private static final int NODES = 3 * Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;

  private static Graph named() {
    return graph()
        .blocking("node", state -> Update.append(LOG, Thread.currentThread().getName()))
        .sequence(START, "node", END)
        .build();
  }

  @Test
  @DisplayName("blocking nodes run although all threads of boundedElastic are taken")
  void boundedElasticIsTaken() throws InterruptedException {
    int threads = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;
    CountDownLatch taken = new CountDownLatch(threads);
    CountDownLatch free = new CountDownLatch(1);
    for (int thread = 0; thread < threads; thread++) {
      Schedulers.boundedElastic().schedule(() -> {
        taken.countDown();
        await(free);
      });
    }
    try {
      taken.await();
      RunResult result = GraphRunner.of(named()).run(Update.NOTHING).block(PATIENCE);
      assertThat(result.state().get(LOG))
          .singleElement()
          .asString()
          .startsWith("superstep-blocking-");
    } finally {
      free.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  @Test
  @DisplayName("more blocking nodes than the pool has threads wait for runs of another runner")
  void nestedBlocking() {
    Graph inner = named();
    GraphRunner innerRunner = GraphRunner.of(inner);
    Graph outer = graph()
        .compute("plan", state -> Update.NOTHING)
        .blocking("work", state -> {
          innerRunner.run(Update.NOTHING).block(PATIENCE);
          return Update.of(COUNT, 1);
        })
        .edge(START, "plan")
        .fanOut("plan", to("work"), state -> Collections.nCopies(NODES, Send.to("work")))
        .edge("work", END)
        .build();

    RunResult result = GraphRunner.of(outer).run(Update.NOTHING).block(PATIENCE);

    assertThat(result.state().get(COUNT)).isEqualTo(NODES);
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_24)
  @DisplayName("from Java 24 on, a blocking node runs on a virtual thread")
  void virtualThread() {
    Graph graph = graph()
        .blocking("node", state -> Update.append(LOG, String.valueOf(isVirtual())))
        .sequence(START, "node", END)
        .build();

    RunResult result = GraphRunner.of(graph).run(Update.NOTHING).block(PATIENCE);

    assertThat(result.state().get(LOG)).containsExactly("true");
  }

  /** Calls a method of Java 21, which these tests, compiled for 17, cannot name. */
  private static boolean isVirtual() throws ReflectiveOperationException {
    return (boolean) Thread.class.getMethod("isVirtual").invoke(Thread.currentThread());
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_24)
  @DisplayName("from Java 24 on, any number of blocking nodes wait for runs of their own runner")
  void ownRunner() {
    Channel<Integer> depth = Channel.value("depth", Integer.class).startingAt(0);
    AtomicReference<GraphRunner> own = new AtomicReference<>();
    Graph graph = graph()
        .channels(depth)
        .compute("plan", state -> Update.NOTHING)
        .blocking("work", state -> {
          if (state.get(depth) == 0) {
            own.get().run(Update.of(depth, 1)).block(PATIENCE);
          }
          return Update.of(COUNT, 1);
        })
        .edge(START, "plan")
        .fanOut(
            "plan",
            to("work"),
            state -> Collections.nCopies(state.get(depth) == 0 ? NODES : 1, Send.to("work")))
        .edge("work", END)
        .build();
    own.set(GraphRunner.of(graph));

    RunResult result = own.get().run(Update.NOTHING).block(PATIENCE);

    assertThat(result.state().get(COUNT)).isEqualTo(NODES);
  }

  @Test
  @DisplayName("the scheduler of blocking nodes can be given")
  void givenScheduler() {
    Scheduler mine = Schedulers.newSingle("mine");
    try {
      RunResult result = GraphRunner.builder(named())
          .blockingScheduler(mine)
          .build()
          .run(Update.NOTHING)
          .block(PATIENCE);
      assertThat(result.state().get(LOG)).singleElement().asString().startsWith("mine-");
    } finally {
      mine.dispose();
    }
  }

  @Test
  @DisplayName("cancelling a run interrupts its blocking nodes")
  void interrupted() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    Graph graph = graph()
        .blocking("node", state -> {
          entered.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException expected) {
            interrupted.countDown();
            throw expected;
          }
          return Update.NOTHING;
        })
        .sequence(START, "node", END)
        .build();
    Disposable run = GraphRunner.of(graph).run(Update.NOTHING).subscribe();
    entered.await();

    run.dispose();

    interrupted.await();
  }
}
