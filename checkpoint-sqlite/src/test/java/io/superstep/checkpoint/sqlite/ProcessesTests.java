package io.superstep.checkpoint.sqlite;

import static io.superstep.testkit.Chains.LOG;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.checkpoint.SavedThread;
import io.superstep.event.GraphEvent;
import io.superstep.reactor.GraphThread;
import io.superstep.reactor.Resume;
import io.superstep.reactor.RunResult;
import io.superstep.testkit.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** Two processes on one file; this is the second one, and its clock is an hour ahead. */
class ProcessesTests {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir
  private static Path directory;

  private static Launcher launcher;
  private static int files;

  private Path file;
  private Worker here;

  @BeforeAll
  static void prepare() throws IOException {
    launcher = Launcher.in(directory);
  }

  @BeforeEach
  void open() {
    file = directory.resolve(files++ + ".db");
    here = new Worker(file, 1);
  }

  @AfterEach
  void close() {
    here.close();
  }

  private List<String> log(GraphThread thread) {
    return thread.state().block(PATIENCE).position().state().get(LOG);
  }

  @Test
  @DisplayName("S1.20 S2.9 one pauses and is killed, another has the same question and state")
  void pausesHereAndResumesThere() throws IOException {
    SavedThread saved;
    GraphThread thread = here.runner(here.approval()).thread("t");
    try (ChildJvm other = launcher.start(file, 0, "ask")) {
      assertThat(other.hears("paused")).isEqualTo("paused INTERRUPTED [in, draft]");
      saved = thread.state().block(PATIENCE);
    }

    assertThat(thread.state().block(PATIENCE)).isEqualTo(saved);
    assertThat(thread.questions().collectList().block(PATIENCE))
        .singleElement()
        .satisfies(asked -> {
          assertThat(asked.key()).isEqualTo("publish");
          assertThat(asked.prompt().shown()).containsEntry("draft", "text");
        });
    RunResult.of(thread.resume(Resume.answer("publish", true).by("ada"))).block(PATIENCE);
    assertThat(log(thread)).containsExactly("in", "draft", "published");
    assertThat(Worker.journalOf(file)).containsExactly("run model");
  }

  @Test
  @DisplayName("S2.9 one is frozen past its lease and wakes: its late writes are refused")
  void frozen() throws IOException {
    try (ChildJvm other = launcher.start(file, 0, "wait")) {
      other.hears("middle");
      other.freeze();
      GraphThread thread = here.runner(here.chain()).thread("t");
      RunResult.of(thread.resume()).block(PATIENCE);
      assertThat(log(thread)).containsExactly("a", "b", "c");

      Files.createFile(Worker.go(file));
      other.thaw();

      assertThat(other.hears("refused", "finished")).isEqualTo("refused SG-401");
      assertThat(thread.history().collectList().block(PATIENCE)).hasSize(4);
      assertThat(log(thread)).containsExactly("a", "b", "c");
    }
    assertThat(Worker.journalOf(file)).filteredOn(line -> line.endsWith("/c")).hasSize(1);
  }

  @Test
  @DisplayName("X.19 X.20 what another process tells is heard here")
  void followedElsewhere() {
    GraphThread thread = here.runner(here.chain()).thread("t");
    Mono<List<GraphEvent>> following = thread
        .attach(0)
        .filter(event -> !(event instanceof GraphEvent.Provisional))
        .takeUntil(event -> event instanceof GraphEvent.RunCompleted)
        .collectList()
        .cache();
    following.subscribe();

    try (ChildJvm other = launcher.start(file, 0, "tell")) {
      List<GraphEvent> all = following.block(PATIENCE);

      other.hears("finished");
      assertThat(all).isNotEmpty();
      assertThat(all.get(0).sequence()).isEqualTo(1);
      assertThat(all).extracting(GraphEvent::sequence).isSorted().doesNotHaveDuplicates();
    }
  }
}
