package io.superstep.checkpoint.sqlite;

import io.superstep.event.EventLog;
import io.superstep.testkit.EventLogContract;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteEventLogTests extends EventLogContract {

  private final List<SqliteDatabase> files = new ArrayList<>();

  @TempDir
  private Path directory;

  @Override
  protected EventLog log() {
    SqliteDatabase file = SqliteDatabase.open(directory.resolve(files.size() + ".db"));
    files.add(file);
    return SqliteEventLog.of(file);
  }

  @AfterEach
  void close() {
    files.forEach(SqliteDatabase::close);
  }
}
