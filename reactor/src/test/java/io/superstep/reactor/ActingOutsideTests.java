package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.TASK;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.NothingToEndException;
import io.superstep.checkpoint.NothingToRerunException;
import io.superstep.checkpoint.OutcomeUnknownException;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.graph.Graph;
import io.superstep.graph.GraphBuilder;
import io.superstep.graph.NodePolicy;
import io.superstep.graph.Send;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.Update;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

class ActingOutsideTests extends OnAThread {

  private static final NodePolicy ACTING = NodePolicy.NONE.actingOutside();

  /** Charges a card, and hangs afterwards as long as {@code broken} says; mails beside it. */
  private GraphBuilder charging() {
    return graph()
        .compute("mail", state -> called("mail"))
        .node("charge", state -> {
          Update update = called("charge");
          return broken.get() ? Mono.never() : Mono.just(update);
        })
        .policy("charge", ACTING)
        .compute("after", state -> called("after"))
        .edge(START, "mail")
        .edge(START, "charge")
        .join(Graph.all("mail", "charge"), "after")
        .edge("after", END);
  }

  /** A charge that fails for all to see as long as {@code broken} says. */
  private Graph refusedCharge() {
    return graph()
        .compute("charge", state -> failing("charge"))
        .policy("charge", ACTING)
        .sequence(START, "charge", END)
        .build();
  }

  private ThreadStatus status() {
    return Flux.from(store.threads(Set.of(ThreadStatus.values())))
        .map(ThreadSummary::status)
        .blockLast(PATIENCE);
  }

  private static void die(GraphThread thread, RunOptions options) {
    thread.stream(Update.NOTHING, options).subscribe().dispose();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("X.13 what may have been done outside is not repeated; the thread shows it")
  void notRepeated(Durability mode) {
    Graph graph = charging().build();
    die(thread(graph), RunOptions.NONE.durability(mode));

    assertThat(status()).isEqualTo(ThreadStatus.OUTCOME_UNKNOWN);
    assertThatExceptionOfType(OutcomeUnknownException.class)
        .isThrownBy(() -> thread(graph).resume().blockLast(PATIENCE))
        .withMessageContainingAll("SG-415", "[charge]");
    assertThat(calls()).isEqualTo(Map.of("mail", 1, "charge", 1));

    broken.set(false);
    thread(graph)
        .resume(Resume.ended("charge", Update.append(LOG, "charged by hand")))
        .blockLast(PATIENCE);

    assertThat(calls()).isEqualTo(Map.of("mail", 1, "charge", 1, "after", 1));
    assertThat(log(thread(graph).state().block(PATIENCE)))
        .containsExactly("mail", "charged by hand", "after");
    assertThat(status()).isEqualTo(ThreadStatus.DONE);
  }

  @Test
  @DisplayName("X.13 somebody who knows that it was not done lets it run again")
  void repeatedWhenSomebodySaysSo() {
    Graph graph = charging().build();
    die(thread(graph), RunOptions.NONE);

    die(thread(graph), RunOptions.NONE.discardUnfinished(true));
    assertThat(calls().get("charge")).as("another turn").isEqualTo(2);
    thread(graph).resume(Resume.rerun("charge")).subscribe().dispose();
    assertThat(status()).as("and may be unknown again").isEqualTo(ThreadStatus.OUTCOME_UNKNOWN);
    broken.set(false);
    thread(graph).resume(Resume.rerun("charge")).blockLast(PATIENCE);

    assertThat(calls().get("charge")).isEqualTo(4);
    assertThat(status()).isEqualTo(ThreadStatus.DONE);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("X.13 killed at any call of the store, an effect happens once")
  void killedAnywhere(Durability mode) {
    broken.set(false);
    Graph graph = charging().build();
    RunOptions options = RunOptions.NONE.durability(mode);
    FaultyStore counting =
        new FaultyStore(new InMemoryCheckpointStore(), Fault.LATE, Integer.MAX_VALUE);
    GraphRunner.builder(graph)
        .checkpoints(counting)
        .build()
        .thread("t")
        .run(Update.NOTHING, options)
        .block(PATIENCE);
    int unknown = 0;
    for (Fault fault : List.of(Fault.DIE_BEFORE, Fault.DIE_AFTER)) {
      for (int at = 1; at <= counting.calls(); at++) {
        calls.clear();
        InMemoryCheckpointStore fresh =
            InMemoryCheckpointStore.builder().clock(clock).build();
        FaultyStore dying = new FaultyStore(fresh, fault, at);
        Disposable run = GraphRunner.builder(graph).checkpoints(dying).build().thread("t").stream(
                Update.NOTHING, options)
            .subscribe();
        dying.struck().block(PATIENCE);
        run.dispose();
        clock.pass(Hold.LEASE.plusSeconds(1));
        GraphThread again =
            GraphRunner.builder(graph).checkpoints(fresh).build().thread("t");
        if (again.state().block(PATIENCE) == null) {
          assertThat(calls()).doesNotContainKey("charge");
          continue;
        }
        try {
          again.resume().blockLast(PATIENCE);
        } catch (OutcomeUnknownException askSomebody) {
          unknown++;
          Resume decided = calls().containsKey("charge")
              ? Resume.ended("charge", Update.append(LOG, "charge"))
              : Resume.rerun("charge");
          again.resume(decided).blockLast(PATIENCE);
        }
        String where = mode + " " + fault + " at call " + at;
        assertThat(calls().get("charge")).as(where).isEqualTo(1);
        assertThat(log(again.state().block(PATIENCE)))
            .as(where)
            .containsExactly("mail", "charge", "after");
      }
    }
    assertThat(unknown).as("some of them had to be asked for").isPositive();
  }

  @Test
  @DisplayName("X.13 the intent is written before anything of the step runs")
  void intentsComeFirst() {
    Graph graph = charging().build();
    FaultyStore dying = new FaultyStore(store, Fault.DIE_BEFORE, 4);

    GraphRunner.builder(graph).checkpoints(dying).build().thread("t").stream(Update.NOTHING)
        .subscribe()
        .dispose();

    assertThat(calls()).as("lease, load, input, intent").isEmpty();
  }

  @Test
  @DisplayName(
      "X.13 an attempt that failed for all to see is tried again; one that was cut off is not")
  void retries() {
    AtomicInteger tries = new AtomicInteger();
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    Graph graph = graph()
        .node("charge", (state, context) -> {
          called("charge");
          return tries.incrementAndGet() == 1
              ? Mono.error(new IllegalStateException("refused"))
              : Mono.never();
        })
        .policy("charge", NodePolicy.retry(5).timeout(Duration.ofSeconds(5)).actingOutside())
        .sequence(START, "charge", END)
        .build();
    GraphThread thread =
        GraphRunner.builder(graph).checkpoints(store).timer(time).build().thread("t");
    AtomicInteger failures = new AtomicInteger();
    thread.stream(Update.NOTHING).subscribe(event -> {}, error -> failures.incrementAndGet());

    time.advanceTimeBy(Duration.ofSeconds(6));

    assertThat(failures).hasValue(1);
    assertThat(calls()).isEqualTo(Map.of("charge", 2));
    assertThat(status()).isEqualTo(ThreadStatus.OUTCOME_UNKNOWN);
    assertThat(thread.state().block(PATIENCE).notes())
        .hasExactlyElementsOfTypes(
            TaskNote.Began.class, TaskNote.Failed.class, TaskNote.Began.class);
  }

  @Test
  @DisplayName("X.13 E8 an effect that failed for all to see runs again when the thread goes on")
  void visibleFailures() {
    Graph graph = refusedCharge();
    thread(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);
    assertThat(status()).isEqualTo(ThreadStatus.FAILED);
    broken.set(false);

    thread(graph).resume().blockLast(PATIENCE);

    assertThat(calls()).isEqualTo(Map.of("charge", 2));
  }

  @Test
  @DisplayName("X.13 E14 inside a subgraph too; nodes are named by their path")
  void inside() {
    Graph graph = graph()
        .subgraph("shop", charging().build())
        .sequence(START, "shop", END)
        .build();
    die(thread(graph), RunOptions.NONE);

    assertThat(status()).isEqualTo(ThreadStatus.OUTCOME_UNKNOWN);
    assertThatExceptionOfType(OutcomeUnknownException.class)
        .isThrownBy(() -> thread(graph).resume().blockLast(PATIENCE))
        .withMessageContaining("[shop/charge]");
    thread(graph)
        .resume(Resume.ended("shop/charge", Update.append(LOG, "by hand")))
        .blockLast(PATIENCE);

    assertThat(log(thread(graph).state().block(PATIENCE)))
        .containsExactly("mail", "by hand", "after");
    assertThat(calls()).isEqualTo(Map.of("mail", 1, "charge", 1, "after", 1));
  }

  @Test
  @DisplayName("X.13 E14 a node deep inside is named by all that lead to it")
  void deepInside() {
    Graph shop = graph()
        .subgraph("shop", charging().build())
        .sequence(START, "shop", END)
        .build();
    Graph graph = graph()
        .subgraph("mall", shop)
        .compute("beside", state -> called("beside"))
        .edge(START, "mall")
        .edge(START, "beside")
        .edge("mall", END)
        .edge("beside", END)
        .build();
    die(thread(graph), RunOptions.NONE);

    assertThatExceptionOfType(OutcomeUnknownException.class)
        .isThrownBy(() -> thread(graph).resume().blockLast(PATIENCE))
        .withMessageContaining("[mall/shop/charge]");
  }

  @Test
  @DisplayName("X.13 E12 an update from outside does not make an effect certain")
  void updatesKeepTheDoubt() {
    Graph graph = charging().build();
    die(thread(graph), RunOptions.NONE);

    thread(graph).update(Update.append(LOG, "edited"), "ada", null).block(PATIENCE);

    assertThatExceptionOfType(OutcomeUnknownException.class)
        .isThrownBy(() -> thread(graph).resume().blockLast(PATIENCE));
  }

  @Test
  @DisplayName("X.13 a decision about what is not open is refused, and nothing is written")
  void badDecisions() {
    Graph graph = charging().build();
    die(thread(graph), RunOptions.NONE);
    SavedThread before = thread(graph).state().block(PATIENCE);

    for (String node : List.of("mail", "after", "nobody", "mail/x")) {
      assertThatExceptionOfType(NothingToEndException.class)
          .isThrownBy(
              () -> thread(graph).resume(Resume.ended(node, Update.NOTHING)).blockLast(PATIENCE))
          .withMessageContainingAll("SG-416", "[charge]");
    }
    assertThatExceptionOfType(NothingToRerunException.class)
        .isThrownBy(() -> thread(graph)
            .resume(Resume.ended("charge", Update.NOTHING).and(Resume.rerun("after")))
            .blockLast(PATIENCE));
    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() ->
            thread(graph).resume(Resume.ended("charge", Update.of("no", 1))).blockLast(PATIENCE));

    assertThat(thread(graph).state().block(PATIENCE)).isEqualTo(before);
    assertThat(calls()).isEqualTo(Map.of("mail", 1, "charge", 1));
  }

  @Test
  @DisplayName("X.13 somebody may say what a node that failed came to")
  void failuresCanBeSettled() {
    Graph graph = graph()
        .compute("bad", state -> failing("bad"))
        .compute("after", state -> called("after"))
        .sequence(START, "bad", "after", END)
        .build();
    thread(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    thread(graph).resume(Resume.ended("bad", Update.append(LOG, "mended"))).blockLast(PATIENCE);

    assertThat(log(thread(graph).state().block(PATIENCE))).containsExactly("mended", "after");
    assertThat(calls()).isEqualTo(Map.of("bad", 1, "after", 1));
  }

  /** A shop in which something beside the charge fails once. */
  private GraphBuilder shop(NodePolicy policy) {
    AtomicInteger tries = new AtomicInteger();
    Graph inner = graph()
        .node("charge", state -> {
          Update update = called("charge");
          return tries.get() == 0 ? Mono.never() : Mono.just(update);
        })
        .policy("charge", ACTING)
        .node(
            "bad",
            state -> tries.getAndIncrement() == 0
                ? Mono.error(new IllegalStateException("once"))
                : Mono.just(Update.NOTHING))
        .edge(START, "charge")
        .edge(START, "bad")
        .edge("charge", END)
        .edge("bad", END)
        .build();
    return graph().subgraph("shop", inner).policy("shop", policy).sequence(START, "shop", END);
  }

  private void assertInDoubt(Graph graph, int charged) {
    assertThat(calls().get("charge")).isEqualTo(charged);
    assertThat(status()).isEqualTo(ThreadStatus.OUTCOME_UNKNOWN);
    assertThatExceptionOfType(OutcomeUnknownException.class)
        .isThrownBy(() -> thread(graph).resume().blockLast(PATIENCE))
        .withMessageContaining("shop/charge");
  }

  @Test
  @DisplayName("X.13 E15 a subgraph in which an effect was cut off is not tried again")
  void retriesAroundADoubt() {
    Graph graph = shop(NodePolicy.retry(3)).build();

    thread(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    assertInDoubt(graph, 1);
  }

  @Test
  @DisplayName("X.13 E16 a handler does not take over where an effect was cut off inside")
  void handlersAroundADoubt() {
    Graph graph = shop(NodePolicy.NONE)
        .handler("shop", (state, failure) -> Mono.just(Update.append(LOG, "handled")))
        .build();

    thread(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);

    assertInDoubt(graph, 1);
  }

  @Test
  @DisplayName("X.13 a subgraph that takes too long, with an effect inside, is not tried again")
  void timeoutsAroundADoubt() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    Graph inner = graph()
        .node("charge", state -> {
          called("charge");
          return Mono.never();
        })
        .policy("charge", ACTING)
        .sequence(START, "charge", END)
        .build();
    Graph graph = graph()
        .subgraph("shop", inner)
        .policy("shop", NodePolicy.retry(3).timeout(Duration.ofSeconds(1)))
        .sequence(START, "shop", END)
        .build();
    GraphRunner.builder(graph).checkpoints(store).timer(time).build().thread("t").stream(
            Update.NOTHING)
        .onErrorComplete()
        .subscribe();

    time.advanceTimeBy(Duration.ofSeconds(9));

    assertInDoubt(graph, 1);
  }

  @Test
  @DisplayName(
      "X.13 E16 a handler that fails too leaves the doubt about an effect that was cut off")
  void handlersThatFail() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    Graph graph = graph()
        .node("charge", state -> {
          called("charge");
          return Mono.never();
        })
        .policy("charge", ACTING.timeout(Duration.ofSeconds(1)))
        .handler("charge", (state, failure) -> Mono.error(new IllegalStateException("as well")))
        .sequence(START, "charge", END)
        .build();
    GraphRunner.builder(graph).checkpoints(store).timer(time).build().thread("t").stream(
            Update.NOTHING)
        .onErrorComplete()
        .subscribe();

    time.advanceTimeBy(Duration.ofSeconds(2));

    assertThat(status()).isEqualTo(ThreadStatus.OUTCOME_UNKNOWN);
  }

  @Test
  @DisplayName("X.13 an effect that fails twice with the same words has failed, and is no doubt")
  void failuresWithTheSameWords() {
    Graph graph = refusedCharge();

    thread(graph).run(Update.NOTHING).onErrorComplete().block(PATIENCE);
    thread(graph).resume().onErrorComplete().blockLast(PATIENCE);

    assertThat(status()).isEqualTo(ThreadStatus.FAILED);
  }

  @Test
  @DisplayName("X.13 one of several tasks of a node can be decided about, by its id")
  void severalTasks() {
    Graph graph = graph()
        .compute("plan", state -> Update.NOTHING)
        .node("charge", state -> {
          Update update = called("charge " + state.get(TASK));
          return state.get(TASK) == 2 && broken.get() ? Mono.never() : Mono.just(update);
        })
        .policy("charge", ACTING)
        .edge(START, "plan")
        .fanOut(
            "plan",
            to("charge"),
            state -> List.of(
                Send.to("charge", Update.of(TASK, 1)), Send.to("charge", Update.of(TASK, 2))))
        .edge("charge", END)
        .build();
    die(thread(graph), RunOptions.NONE);
    broken.set(false);

    assertThatExceptionOfType(OutcomeUnknownException.class)
        .isThrownBy(() -> thread(graph).resume().blockLast(PATIENCE))
        .withMessageContaining("[t/1-1/2/1/charge]");
    thread(graph).resume(Resume.rerun("charge")).blockLast(PATIENCE);

    assertThat(calls()).as("only what is unknown").isEqualTo(Map.of("charge 1", 1, "charge 2", 2));
  }

  @Test
  @DisplayName("X.13 a graph inside is no effect by itself; its nodes say what they do")
  void subgraphsAreNoEffects() {
    Stop stop = new Stop();
    stop.request();
    Graph graph = graph()
        .subgraph(
            "shop",
            graph().compute("a", state -> called("a")).sequence(START, "a", END).build())
        .compute("first", state -> called("first"))
        .sequence(START, "first", "shop", END)
        .defaults(ACTING)
        .build();

    thread(graph).run(Update.NOTHING, RunOptions.NONE.stoppedBy(stop)).block(PATIENCE);
    thread(graph).resume().blockLast(PATIENCE);

    assertThat(calls()).isEqualTo(Map.of("first", 1, "a", 1));
  }

  @Test
  @DisplayName("X.13 what somebody says in place of a node has to be what the node may write")
  void decisionsKeepToWhatANodeWrites() {
    Graph graph = charging().writes("charge", LOG).build();
    die(thread(graph), RunOptions.NONE);

    assertThatExceptionOfType(InvalidUpdateException.class)
        .isThrownBy(() ->
            thread(graph).resume(Resume.ended("charge", Update.of(COUNT, 1))).blockLast(PATIENCE));

    assertThat(status()).isEqualTo(ThreadStatus.OUTCOME_UNKNOWN);
  }

  @Test
  @DisplayName("X.13 E15 cut off between two attempts, nothing is in doubt")
  void betweenAttempts() {
    VirtualTimeScheduler time = VirtualTimeScheduler.create();
    Graph graph = graph()
        .compute("charge", state -> failing("charge"))
        .policy(
            "charge", ACTING.attempts(3).backoff(Duration.ofMinutes(10), Duration.ofMinutes(10)))
        .sequence(START, "charge", END)
        .build();
    GraphRunner.builder(graph).checkpoints(store).timer(time).build().thread("t").stream(
            Update.NOTHING)
        .subscribe()
        .dispose();

    assertThat(status()).isEqualTo(ThreadStatus.STOPPED);
  }
}
