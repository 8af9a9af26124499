package io.superstep;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.sqlite.SqliteCheckpointStore;
import io.superstep.graph.Graph;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of the README about SQLite, as it stands there but for where the file lies. */
class SqliteReadmeTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final ListChannel<String> MESSAGES = Channel.list("messages", String.class);

  @TempDir
  private Path directory;

  private static Graph debate() {
    return Graph.builder("debate")
        .channels(MESSAGES)
        .compute("optimist", state -> Update.append(MESSAGES, "Yes."))
        .sequence(Graph.START, "optimist", Graph.END)
        .build();
  }

  @Test
  void theFileIsNamedAsWritten() {
    Graph debate = debate();

    // spotless:off
    SqliteCheckpointStore file = SqliteCheckpointStore.open(Path.of("threads.db"));
    GraphRunner durable = GraphRunner.builder(debate).checkpoints(file).build();
    GraphThread kept = durable.thread("thread-1");
    // spotless:on

    assertThat(kept.id()).isEqualTo("thread-1");
    file.close();
  }

  @Test
  void theThreadIsThereAfterARestart() {
    for (int run = 1; run <= 2; run++) {
      try (SqliteCheckpointStore file =
          SqliteCheckpointStore.open(directory.resolve("threads.db"))) {
        GraphThread kept =
            GraphRunner.builder(debate()).checkpoints(file).build().thread("thread-1");

        assertThat(kept.run(Update.NOTHING).block(PATIENCE).state().get(MESSAGES))
            .hasSize(run);
      }
    }
  }
}
