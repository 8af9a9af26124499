package io.superstep.samples.debate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.superstep.checkpoint.sqlite.SqliteCheckpointStore;
import io.superstep.checkpoint.sqlite.SqliteDatabase;
import io.superstep.samples.Samples;
import io.superstep.samples.Written;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A debate in a file, whose process is killed. */
class KilledDebateTests {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir
  private Path directory;

  private final Written written = new Written();

  /** Starts the demo as a process, reads what it prints up to {@code end}, and kills it. */
  private List<String> killedAfter(String end, Path file) throws IOException {
    Process demo = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Samples.class.getName(),
            "1",
            "--store",
            file.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    List<String> lines = new ArrayList<>();
    try (BufferedReader out =
        new BufferedReader(new InputStreamReader(demo.getInputStream(), StandardCharsets.UTF_8))) {
      String line = "";
      while (line != null && !line.contains(end)) {
        line = out.readLine();
        lines.add(line);
      }
    } finally {
      demo.destroyForcibly().onExit().join();
    }
    return lines;
  }

  /** Plays on with a clock by which the lease of whoever was killed has run out. */
  private void playOn(Path file) {
    try (SqliteDatabase database = SqliteDatabase.open(file)) {
      SqliteCheckpointStore store = SqliteCheckpointStore.builder(database)
          .clock(Clock.offset(Clock.systemUTC(), Duration.ofMinutes(1)))
          .build();
      DebateSample.play(
              "Something else?",
              Duration.ofMillis(1),
              Keeping.in(store, file),
              new AtTheTerminal(null, written.stream()),
              written.stream())
          .block(PATIENCE);
    }
    written.stream().flush();
  }

  @Test
  @Timeout(60)
  void itGoesOnWhereItWasKilled() throws IOException {
    Path file = directory.resolve("debate.db");
    List<String> before = killedAfter("step 2 committed", file);

    playOn(file);

    assertThat(before).contains("    step 1 committed: messages");
    assertThat(written.text())
        .startsWith("    the debate was left after step 2, and goes on\noptimist: Whoever does it.")
        .doesNotContain("step 1 committed", "step 2 committed")
        .contains("step 3 committed", "step 8 committed")
        .contains("it is kept in debate.db, where another process finds it")
        .contains("      - Should AI be regulated? Yes! Most good things")
        .contains("    topic: Should AI be regulated?\n")
        .contains("    published: true\n");
  }

  @Test
  @Timeout(60)
  void aDebateThatIsOverIsShown() {
    Path file = directory.resolve("debate.db");
    playOn(file);
    String whole = written.text();

    playOn(file);

    assertThat(written.text().substring(whole.length()))
        .startsWith("\nThe final state\n    topic: Something else?\n")
        .doesNotContain("committed");
  }

  @Test
  void anythingElseIsAnsweredWithWhatThereIs() {
    assertThatThrownBy(() -> Keeping.of("--stroe", "x"))
        .hasMessage("The debate takes --store <file>, and not '--stroe'.");
    assertThat(Keeping.of("--store=").words()).contains("memory");
  }
}
