package io.superstep.reactor;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.reactor.Graphs.graph;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.error.Attribution;
import io.superstep.error.InvalidNameException;
import io.superstep.graph.Graph;
import io.superstep.state.Update;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Ids of threads that a caller gives. */
class ThreadIdTests extends OnAThread {

  private static final Graph GRAPH =
      graph().compute("a", state -> Update.NOTHING).sequence(START, "a", END).build();

  private GraphRunner runner() {
    return GraphRunner.builder(GRAPH).checkpoints(store).clock(clock).build();
  }

  private static void refused(ThrowingCallable call) {
    InvalidNameException refused = catchThrowableOfType(InvalidNameException.class, call);
    assertThat(refused).isNotNull();
    assertThat(refused.code()).isEqualTo("SG-417");
    assertThat(refused).hasMessageContaining("thread id");
    assertThat(refused.getMessage().length()).isLessThan(1_000);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {"", " ", "\t", "\u00a0", "\u2003", "a\nb", "\u0000", "\u202eadmin", "\ud83d"})
  @DisplayName("X.11 a thread id that is missing, blank or has control characters is refused")
  @SuppressWarnings("NullAway") // what a caller without the check may pass
  void invalid(String id) {
    GraphRunner runner = runner();

    refused(() -> runner.thread(id));
  }

  @Test
  @DisplayName("X.11 a thread id has at most 1,000 characters")
  void length() {
    GraphRunner runner = runner();
    String longest = "n".repeat(Attribution.MAX_NAME_LENGTH);

    assertThat(runner.thread(longest).id()).isEqualTo(longest);
    refused(() -> runner.thread(longest + "n"));
  }

  @Test
  @DisplayName("X.11 other thread ids are kept as they are, spaces inside and outside included")
  void kept() {
    for (String id : List.of(" a ", "Ada Grüße 😀", "user/7:chat#1", "%row-7", "{t}")) {
      GraphThread thread = runner().thread(id);
      assertThat(thread.id()).isEqualTo(id);
      assertThat(thread.run(Update.NOTHING).block(PATIENCE).isCompleted()).isTrue();
      assertThat(runner().thread(id).state().block(PATIENCE)).isNotNull();
    }
  }

  @Test
  @DisplayName("X.11 a copy to an invalid thread id is refused when it is called")
  void copy() {
    GraphThread thread = runner().thread("t");
    thread.run(Update.NOTHING).block(PATIENCE);
    Checkpoint last = thread.history().blockFirst(PATIENCE);

    refused(() -> thread.copyTo(" ", last.id(), "ada", null));
    assertThat(Flux.from(store.threads(Set.of(ThreadStatus.values())))
            .map(ThreadSummary::thread)
            .collectList()
            .block(PATIENCE))
        .containsExactly("t");
  }

  @Test
  @DisplayName("E22 a stored thread with another id is listed, offered to the filter and recovered")
  void storedBefore() {
    String id = "a\nb";
    GraphThread stored = new GraphThread(runner(), store, id);
    stored.run(Update.NOTHING).block(PATIENCE);
    Mono.from(store.acquire(id, "vanished", Duration.ofSeconds(1))).block(PATIENCE);
    clock.pass(Duration.ofSeconds(2));

    List<Recovery> recovered = runner().recover(id::equals).collectList().block(PATIENCE);

    assertThat(recovered).containsExactly(new Recovery(id, null));
    assertThat(runner().settleDue().collectList().block(PATIENCE)).isEmpty();
  }
}
