package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.to;
import static io.superstep.reactor.Graphs.LOG;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.graph.Graph;
import io.superstep.state.Channel;
import io.superstep.state.Update;
import io.superstep.testkit.FaultyStore;
import io.superstep.testkit.FaultyStore.Fault;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Threads whose step ran and could not be committed. */
class CommitFailureTests extends OnAThread {

  /** What fails in the commit, and a part of its error. */
  enum Failing {
    WRITES("SG-212"),
    REDUCER("SG-2"),
    CHECK("SG-2"),
    ROUTER("SG-122");

    private final String code;

    Failing(String code) {
      this.code = code;
    }
  }

  /** A graph of two parallel nodes, whose step can be committed once it is no longer broken. */
  private Graph graphOf(Failing failing) {
    Channel<Integer> plain = Channel.value("value", Integer.class);
    Channel<Integer> channel = switch (failing) {
      case WRITES -> broken.get() ? plain : plain.lastWins();
      case REDUCER -> Channel.reduced("value", Integer.class, 0, this::added);
      default -> Channel.sum("value", Integer.class);
    };
    return Graph.builder("sample")
        .channels(channel, LOG)
        .compute("left", state -> called("left").and(channel, 1))
        .compute("right", state -> called("right").and(channel, 1))
        .check(
            "value",
            "it is broken",
            state -> failing != Failing.CHECK || !broken.get() || state.get(LOG).isEmpty())
        .edge(START, "left")
        .edge(START, "right")
        .edge("right", END)
        .route("left", to("left", END), state -> {
          if (failing == Failing.ROUTER && broken.get()) {
            throw new IllegalStateException("undecided");
          }
          return END;
        })
        .build();
  }

  private int added(int current, int update) {
    if (broken.get()) {
      throw new IllegalStateException("broken");
    }
    return current + update;
  }

  private ThreadStatus status() {
    return Flux.from(store.threads(Set.of(ThreadStatus.values())))
        .map(ThreadSummary::status)
        .blockLast(PATIENCE);
  }

  private SavedThread saved(Graph graph) {
    return thread(graph).state().block(PATIENCE);
  }

  private static Throwable failure(Flux<?> events) {
    return events
        .then()
        .<Throwable>thenReturn(new AssertionError("none"))
        .onErrorResume(Mono::just)
        .block(PATIENCE);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("E8 E10 a thread whose commit failed is FAILED and has the error, until it commits")
  void commitFailuresAreRecorded(Failing failing) {
    Graph graph = graphOf(failing);

    Throwable error = failure(thread(graph).stream(Update.NOTHING));

    assertThat(error.toString()).contains(failing.code);
    assertThat(status()).isEqualTo(ThreadStatus.FAILED);
    assertThat(saved(graph).commitFailure())
        .map(TaskNote.CommitFailed::error)
        .contains(error.toString());
    assertThat(failure(thread(graph).resume()).toString()).isEqualTo(error.toString());
    assertThat(status()).isEqualTo(ThreadStatus.FAILED);
    assertThat(saved(graph).notes())
        .filteredOn(TaskNote.CommitFailed.class::isInstance)
        .hasSize(1);

    broken.set(false);
    thread(graphOf(failing)).resume().blockLast(PATIENCE);

    assertThat(status()).isEqualTo(ThreadStatus.DONE);
    assertThat(saved(graph).commitFailure()).isEmpty();
    assertThat(calls()).isEqualTo(Map.of("left", 1, "right", 1));
  }

  @Test
  @DisplayName("E8 an update from outside keeps the error, and a rerun makes it void")
  void updatesKeepTheFailure() {
    Graph graph = graphOf(Failing.ROUTER);
    failure(thread(graph).stream(Update.NOTHING));

    thread(graph).update(Update.append(LOG, "repaired"), "ada", null).block(PATIENCE);
    assertThat(status()).isEqualTo(ThreadStatus.FAILED);
    assertThat(saved(graph).commitFailure())
        .map(note -> note.task().origin() + "/" + note.task().node())
        .isEqualTo(Optional.of(saved(graph).position().origin() + "/right"));
    assertThat(failure(thread(graph).resume(Resume.rerun("left"))).toString()).contains("SG-122");

    assertThat(saved(graph).notes())
        .last()
        .isInstanceOfSatisfying(
            TaskNote.CommitFailed.class, note -> assertThat(note.task().node()).isEqualTo("left"));
    assertThat(calls()).isEqualTo(Map.of("left", 2, "right", 1));
  }

  @Test
  @DisplayName("E8 the error travels in the write that records the outcomes")
  void noFurtherCall() {
    Graph graph = graph()
        .compute("a", state -> called("a"))
        .edge(START, "a")
        .route("a", to("a", END), state -> {
          throw new IllegalStateException("undecided");
        })
        .build();
    FaultyStore counting = new FaultyStore(store, Fault.LATE, Integer.MAX_VALUE);
    GraphThread thread = threadOver(counting, graph);

    failure(thread.stream(Update.NOTHING));
    int first = counting.calls();
    failure(thread.resume());

    assertThat(first).as("acquire, load, input, record, release").isEqualTo(5);
    assertThat(counting.calls() - first)
        .as("acquire, load, the resume, record, release")
        .isEqualTo(5);
  }

  private GraphThread threadOver(CheckpointStore over, Graph graph) {
    return GraphRunner.builder(graph).checkpoints(over).clock(clock).build().thread("t");
  }

  @Test
  @DisplayName("E8 E14 a commit that fails inside fails the node around it, and keeps the outcomes")
  void insideASubgraph() {
    Graph graph = graph()
        .subgraph("inner", graphOf(Failing.ROUTER))
        .sequence(START, "inner", END)
        .build();

    failure(thread(graph).stream(Update.NOTHING));

    assertThat(status()).isEqualTo(ThreadStatus.FAILED);
    assertThat(saved(graph).commitFailure()).isEmpty();
    assertThat(saved(graph).notes())
        .last()
        .isInstanceOfSatisfying(
            TaskNote.Failed.class, note -> assertThat(note.error()).contains("SG-122"));
    broken.set(false);
    thread(graph).resume().blockLast(PATIENCE);
    assertThat(calls()).isEqualTo(Map.of("left", 1, "right", 1));
  }
}
