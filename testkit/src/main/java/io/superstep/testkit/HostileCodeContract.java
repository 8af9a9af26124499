package io.superstep.testkit;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.error.SuperstepException;
import io.superstep.graph.Graph;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * Errors that Reactor considers fatal, thrown in every place where a graph calls user code: each
 * run of a thread ends with a typed error and releases its lease.
 */
public abstract class HostileCodeContract {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Returns the store of the threads. */
  protected abstract CheckpointStore store();

  /** Returns a run of {@code graph} on a thread of the store, with an event log if there is one. */
  protected abstract Publisher<?> run(Graph graph, String thread);

  /** Returns a run that answers the question {@code q} with {@code answer}. */
  protected abstract Publisher<?> resume(Graph graph, String thread, String answer);

  /** Returns a run of {@code graph} on a thread whose observer throws {@code error}. */
  protected abstract Publisher<?> observed(Graph graph, String thread, Error error);

  @TestFactory
  @DisplayName("Promise 11: a JVM error in user code ends the run and releases the thread")
  Stream<DynamicTest> errorsEndTheRun() {
    return Arrays.stream(HostilePlace.values())
        .map(place -> DynamicTest.dynamicTest(place.name(), () -> verify(place)));
  }

  private void verify(HostilePlace place) {
    Graph graph = place.graph(new NoClassDefFoundError("on purpose"));
    String thread = "hostile-" + place;

    Throwable end = end(run(graph, thread));
    if (place.needsAnswer()) {
      assertNull(end);
      end = end(resume(graph, thread, "because"));
    }

    assertInstanceOf(SuperstepException.class, end);
    verifyReleased(thread);
  }

  @Test
  @DisplayName("Promise 11: a JVM error of an observer is dropped, and the run completes")
  void observerThrows() {
    Error error = new NoClassDefFoundError("on purpose");
    Graph graph = Graph.builder("observed")
        .compute("node", state -> Update.NOTHING)
        .sequence(START, "node", END)
        .build();
    Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();
    Consumer<Throwable> hook = dropped::add;

    Throwable end = end(Flux.from(observed(graph, "hostile-observer", error))
        .contextWrite(context -> context.put("reactor.onErrorDropped.local", hook)));

    assertNull(end);
    assertEquals(Set.of(error), Set.copyOf(dropped));
    verifyReleased("hostile-observer");
  }

  private void verifyReleased(String thread) {
    assertEquals(
        0,
        Flux.from(store().threads(EnumSet.of(ThreadStatus.RUNNING)))
            .filter(found -> found.thread().equals(thread))
            .count()
            .block(PATIENCE));
  }

  /** Returns the error of a run; null if it completes. */
  private static @Nullable Throwable end(Publisher<?> run) {
    return Flux.from(run)
        .then()
        .materialize()
        .mapNotNull(signal -> signal.getThrowable())
        .block(PATIENCE);
  }
}
