package io.superstep.checkpoint.sqlite;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.testkit.CheckpointStoreContract;
import io.superstep.testkit.MovingClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteCheckpointStoreTests extends CheckpointStoreContract {

  private final MovingClock clock = new MovingClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final List<SqliteDatabase> files = new ArrayList<>();

  @TempDir
  private Path directory;

  @Override
  protected CheckpointStore store() {
    SqliteDatabase file = SqliteDatabase.open(directory.resolve(files.size() + ".db"));
    files.add(file);
    return SqliteCheckpointStore.builder(file).clock(clock).build();
  }

  @Override
  protected void pass(Duration time) {
    clock.pass(time);
  }

  @AfterEach
  void close() {
    files.forEach(SqliteDatabase::close);
  }
}
