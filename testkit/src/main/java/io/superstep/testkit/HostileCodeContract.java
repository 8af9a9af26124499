package io.superstep.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.error.SuperstepException;
import io.superstep.graph.Graph;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

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

  @TestFactory
  @DisplayName("Promise 11: a JVM error in user code ends the run and releases the thread")
  Stream<DynamicTest> errorsEndTheRun() {
    return Arrays.stream(HostilePlace.values())
        .map(place -> DynamicTest.dynamicTest(place.name(), () -> verify(place)));
  }

  private void verify(HostilePlace place) {
    Graph graph = place.graph(new NoClassDefFoundError("on purpose"));
    String thread = "hostile-" + place;
    Flux<?> run = Flux.from(run(graph, thread));

    Throwable end = (place.needsAnswer()
            ? run.thenMany(Flux.defer(() -> resume(graph, thread, "because")))
            : run)
        .then()
        .materialize()
        .mapNotNull(signal -> signal.getThrowable())
        .timeout(PATIENCE.dividedBy(3), Mono.empty())
        .block(PATIENCE);

    assertInstanceOf(SuperstepException.class, end);
    assertEquals(
        0,
        Flux.from(store().threads(EnumSet.of(ThreadStatus.RUNNING)))
            .filter(found -> found.thread().equals(thread))
            .count()
            .block(PATIENCE));
  }
}
