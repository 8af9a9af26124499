package io.superstep.checkpoint.sqlite;

import io.superstep.memory.MemoryStore;
import io.superstep.testkit.MemoryStoreContract;
import io.superstep.testkit.MovingClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteMemoryTests extends MemoryStoreContract {

  private final MovingClock clock = new MovingClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final List<SqliteDatabase> files = new ArrayList<>();

  @TempDir
  private Path directory;

  @Override
  protected MemoryStore store() {
    SqliteDatabase file = SqliteDatabase.open(directory.resolve(files.size() + ".db"));
    files.add(file);
    return SqliteMemory.builder(file).clock(clock).build();
  }

  @Override
  protected void pass(Duration time) {
    clock.pass(time);
  }

  @Override
  protected Instant now() {
    return clock.instant();
  }

  @AfterEach
  void close() {
    files.forEach(SqliteDatabase::close);
  }
}
