package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;
import static io.superstep.reactor.Graphs.COUNT;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static io.superstep.reactor.Graphs.kinds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.event.GraphEvent;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.NodePolicy;
import io.superstep.memory.InvalidMemoryException;
import io.superstep.memory.MemoryItem;
import io.superstep.memory.MemoryQuery;
import io.superstep.memory.MemoryStore;
import io.superstep.memory.MemoryWrite;
import io.superstep.memory.Namespace;
import io.superstep.memory.Outbox;
import io.superstep.state.Update;
import io.superstep.step.NodeFailedException;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What nodes have remembered beyond their thread. */
class RememberingTests extends OnAThread {

  private static final Namespace USER = Namespace.of("users", "42");

  private final Memories memory =
      new Memories(InMemoryMemoryStore.builder().clock(clock).build());

  /** A memory that may die, and tells which outboxes were applied. */
  private static final class Memories implements MemoryStore {

    private final MemoryStore store;
    private final ConcurrentLinkedQueue<Outbox> applied = new ConcurrentLinkedQueue<>();
    private final AtomicInteger calls = new AtomicInteger();
    private CompletableFuture<Void> struck = new CompletableFuture<>();
    private int at = Integer.MAX_VALUE;
    private boolean after;

    Memories(MemoryStore store) {
      this.store = store;
    }

    void die(int call, boolean whenDone) {
      calls.set(0);
      struck = new CompletableFuture<>();
      at = call;
      after = whenDone;
    }

    void live() {
      at = Integer.MAX_VALUE;
    }

    @Override
    public Publisher<MemoryItem> get(Namespace namespace, String key) {
      return store.get(namespace, key);
    }

    @Override
    public Publisher<MemoryItem> search(MemoryQuery query) {
      return store.search(query);
    }

    @Override
    public Publisher<Void> write(MemoryWrite write, Instant now) {
      return store.write(write, now);
    }

    @Override
    public Publisher<Boolean> apply(Outbox outbox) {
      return Flux.defer(() -> {
        boolean dies = calls.incrementAndGet() >= at;
        if (dies && !after) {
          struck.complete(null);
          return Flux.never();
        }
        return Flux.from(store.apply(outbox))
            .doOnNext(first -> {
              if (first) {
                applied.add(outbox);
              }
            })
            .concatWith(dies ? Flux.never() : Flux.empty())
            .filter(any -> !dies)
            .doOnSubscribe(any -> {
              if (dies) {
                struck.complete(null);
              }
            });
      });
    }

    @Override
    public Publisher<Long> prune(Instant now) {
      return store.prune(now);
    }

    Map<String, ?> values() {
      return Flux.from(store.search(MemoryQuery.ALL))
          .collectMap(MemoryItem::key, item -> item.value().get("v"))
          .block(PATIENCE);
    }
  }

  private GraphThread thread(Graph graph, CheckpointStore over) {
    return GraphRunner.builder(graph)
        .checkpoints(over)
        .memory(memory)
        .clock(clock)
        .build()
        .thread("t");
  }

  private static Command remembering(String key, Object value) {
    return Command.remember(MemoryWrite.put(USER, key, Map.of("v", value)))
        .with(Update.append(LOG, key));
  }

  /** Two at once, one of which is a graph of its own, and one after them. */
  private static Graph learning() {
    Graph inner = graph()
        .compute("first", state -> remembering("first", 1))
        .compute("second", state -> remembering("second", 2))
        .sequence(START, "first", "second", END)
        .build();
    return graph()
        .subgraph("inner", inner)
        .compute("beside", state -> remembering("beside", 3))
        .compute(
            "last",
            state -> Command.remember(
                MemoryWrite.remove(USER, "first"),
                MemoryWrite.put(USER, "last", Map.of("v", state.get(LOG).size()))))
        .edge(START, "inner")
        .edge(START, "beside")
        .join(all("inner", "beside"), "last")
        .edge("last", END)
        .build();
  }

  @Test
  @DisplayName(
      "E24 what nodes have remembered is there once their step is committed, and not before")
  void remembers() {
    List<GraphEvent> events =
        events(thread(learning(), store).stream(Update.NOTHING).doOnNext(event -> {
          if (event instanceof GraphEvent.StepStarted && event.step() == 1) {
            assertThat(memory.values()).isEmpty();
          }
          if (event instanceof GraphEvent.CheckpointSaved && event.step() == 1) {
            assertThat(memory.values().keySet())
                .containsExactlyInAnyOrder("first", "second", "beside");
          }
        }));

    assertThat(kinds(events)).endsWith("StepCommitted", "CheckpointSaved", "RunCompleted");
    assertThat(memory.values()).isEqualTo(Map.of("second", 2, "beside", 3, "last", 3));
    assertThat(memory.applied).hasSize(2);
  }

  @Test
  @DisplayName("E24 killed at any call of the store or the memory, all is remembered, each once")
  void killedAnywhere() {
    FaultyStore counting = new FaultyStore(store, Fault.LATE, Integer.MAX_VALUE);
    thread(learning(), counting).run(Update.NOTHING).block(PATIENCE);
    for (Fault fault : List.of(Fault.DIE_BEFORE, Fault.DIE_AFTER)) {
      for (int at = 1; at <= counting.calls(); at++) {
        RememberingTests fresh = new RememberingTests();
        FaultyStore dying = new FaultyStore(fresh.store, fault, at);
        Disposable run = fresh.thread(learning(), dying).stream(Update.NOTHING).subscribe();
        dying.struck().block(PATIENCE);
        run.dispose();
        fresh.assertGoesOn(fault + " at call " + at);
      }
    }
    for (boolean whenDone : List.of(true, false)) {
      for (int at = 1; at <= 2; at++) {
        RememberingTests fresh = new RememberingTests();
        fresh.memory.die(at, whenDone);
        Disposable run =
            fresh.thread(learning(), fresh.store).stream(Update.NOTHING).subscribe();
        Mono.fromFuture(fresh.memory.struck).block(PATIENCE);
        run.dispose();
        fresh.memory.live();
        fresh.assertGoesOn("memory died at call " + at);
      }
    }
  }

  private void assertGoesOn(String where) {
    clock.pass(Hold.LEASE.plusSeconds(1));
    GraphThread again = thread(learning(), store);
    Flux<GraphEvent> events =
        again.state().block(PATIENCE) == null ? again.stream(Update.NOTHING) : again.resume();
    events.blockLast(PATIENCE);
    assertThat(memory.values()).as(where).isEqualTo(Map.of("second", 2, "beside", 3, "last", 3));
    assertThat(memory.applied).as(where).hasSize(2);
  }

  @Test
  @DisplayName("E24 what was remembered is not again, also when others have changed it since")
  void neverTwice() {
    memory.die(1, true);
    Graph graph = graph()
        .compute("learn", state -> remembering("key", "old"))
        .compute("after", state -> called("after"))
        .sequence(START, "learn", "after", END)
        .build();
    Disposable run = thread(graph, store).stream(Update.NOTHING).subscribe();
    Mono.fromFuture(memory.struck).block(PATIENCE);
    run.dispose();
    memory.live();
    Mono.from(memory.write(MemoryWrite.put(USER, "key", Map.of("v", "new")), clock.instant()))
        .block(PATIENCE);
    clock.pass(Hold.LEASE.plusSeconds(1));

    thread(graph, store).resume().blockLast(PATIENCE);

    assertThat(memory.values()).isEqualTo(Map.of("key", "new"));
  }

  @Test
  @DisplayName("E24 what an attempt wanted remembered that failed is not")
  void failedAttempts() {
    Graph graph = graph()
        .node(
            "flaky",
            (state, context) -> context.attempt() == 1
                ? Flux.concat(
                    Flux.just(remembering("lost", 1)), Flux.error(new IllegalStateException()))
                : Flux.just(remembering("kept", 2)))
        .policy("flaky", NodePolicy.retry(2))
        .sequence(START, "flaky", END)
        .build();

    thread(graph, store).run(Update.NOTHING).block(PATIENCE);

    assertThat(memory.values()).isEqualTo(Map.of("kept", 2));
  }

  @Test
  @DisplayName("E24 in every mode of durability all is remembered")
  void modes() {
    for (Durability mode : Durability.values()) {
      RememberingTests fresh = new RememberingTests();
      fresh
          .thread(learning(), fresh.store)
          .run(Update.NOTHING, RunOptions.NONE.durability(mode))
          .block(PATIENCE);
      assertThat(fresh.memory.values()).isEqualTo(Map.of("second", 2, "beside", 3, "last", 3));
      assertThat(fresh.memory.applied).hasSize(2);
    }
  }

  @Test
  @DisplayName(
      "E24 without a memory or a thread, or too large, it is refused and nothing is written")
  void refused() {
    Graph graph = graph()
        .compute("learn", state -> remembering("key", "x".repeat(state.get(COUNT))))
        .sequence(START, "learn", END)
        .build();

    assertThatExceptionOfType(NodeFailedException.class)
        .isThrownBy(() -> thread(graph).run(Update.NOTHING).block(PATIENCE))
        .satisfies(failed ->
            assertThat(((InvalidMemoryException) failed.getCause()).code()).isEqualTo("SG-434"));
    assertThatExceptionOfType(NodeFailedException.class)
        .isThrownBy(() -> GraphRunner.builder(graph)
            .memory(memory)
            .build()
            .run(Update.NOTHING)
            .block(PATIENCE))
        .satisfies(failed ->
            assertThat(((InvalidMemoryException) failed.getCause()).code()).isEqualTo("SG-434"));
    clock.pass(Hold.LEASE.plusSeconds(1));
    assertThatExceptionOfType(NodeFailedException.class)
        .isThrownBy(() -> GraphRunner.builder(graph)
            .checkpoints(store)
            .memory(memory)
            .build()
            .thread("large")
            .run(Update.of(COUNT, 2_000_000))
            .block(PATIENCE))
        .satisfies(failed ->
            assertThat(((InvalidMemoryException) failed.getCause()).code()).isEqualTo("SG-432"));
    assertThat(memory.values()).isEmpty();
  }
}
