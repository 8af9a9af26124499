package io.superstep.checkpoint.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a folder has to be looked into. */
class FolderTests {

  @TempDir
  private Path directory;

  private Folder folder;

  @BeforeEach
  void open() {
    folder = new Folder(directory);
  }

  private void changedAt(Instant time) throws IOException {
    Files.setLastModifiedTime(directory, FileTime.from(time));
  }

  @Test
  @DisplayName("a folder that nobody touches has to be looked into once")
  void untouched() throws IOException {
    changedAt(Instant.now().minusSeconds(60));

    assertThat(folder.hasChanged()).isTrue();
    assertThat(folder.hasChanged()).isFalse();
    assertThat(folder.hasChanged()).isFalse();
  }

  @Test
  @DisplayName("what is added to it or removed from it is noticed")
  void touched() throws IOException {
    changedAt(Instant.now().minusSeconds(60));
    folder.hasChanged();

    Path file = Files.createFile(directory.resolve("file"));
    assertThat(folder.hasChanged()).isTrue();
    changedAt(Instant.now().minusSeconds(60));
    folder.hasChanged();
    assertThat(folder.hasChanged()).isFalse();
    Files.delete(file);
    assertThat(folder.hasChanged()).isTrue();
  }

  @Test
  @DisplayName("a change that was just now may hide another one")
  void justNow() throws IOException {
    changedAt(Instant.now().plusSeconds(60)); // as a clock may say that was set back

    assertThat(folder.hasChanged()).isTrue();
    assertThat(folder.hasChanged()).isTrue();
  }

  @Test
  @DisplayName("where only seconds are counted, a change hides others for longer")
  void coarse() throws IOException {
    changedAt(Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(1));
    assertThat(folder.hasChanged()).isTrue();
    assertThat(folder.hasChanged()).isTrue();

    changedAt(Instant.now().minusSeconds(1).with(ChronoField.NANO_OF_SECOND, 5_000_000));
    assertThat(folder.hasChanged()).isTrue();
    assertThat(folder.hasChanged()).isFalse();
  }
}
