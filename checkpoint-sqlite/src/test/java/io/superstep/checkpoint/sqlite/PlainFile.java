package io.superstep.checkpoint.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A file as a person with a SQLite shell sees it: without our code, without foreign keys and
 * without {@code NOT NULL}, so that a test can damage stored rows in any way.
 */
final class PlainFile implements AutoCloseable {

  private final Path path;

  /** @param path a file that no store has open */
  PlainFile(Path path) throws SQLException {
    this.path = path;
    try (Connection plain = connected()) {
      execute(plain, "CREATE TABLE kept AS SELECT name, sql FROM sqlite_schema");
      execute(plain, "PRAGMA writable_schema = ON");
      execute(
          plain,
          "UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE type = 'table'"
              + " AND name <> 'kept'");
    }
  }

  static PlainFile of(Path path) throws SQLException {
    return new PlainFile(path);
  }

  private Connection connected() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + path);
  }

  private static void execute(Connection plain, String sql) throws SQLException {
    try (Statement statement = plain.createStatement()) {
      statement.execute(sql);
    }
  }

  Connection open() throws SQLException {
    return connected();
  }

  /** Changes rows; there has to be one. */
  PlainFile change(String sql, Object... values) throws SQLException {
    try (Connection plain = connected();
        PreparedStatement statement = plain.prepareStatement(sql)) {
      for (int at = 0; at < values.length; at++) {
        statement.setObject(at + 1, values[at]);
      }
      if (statement.executeUpdate() == 0) {
        throw new AssertionError("No row was changed by: " + sql);
      }
      return this;
    }
  }

  /** Puts the schema back. */
  @Override
  public void close() throws SQLException {
    try (Connection plain = connected()) {
      execute(plain, "PRAGMA writable_schema = ON");
      execute(
          plain,
          "UPDATE sqlite_schema SET sql = (SELECT k.sql FROM kept k WHERE k.name ="
              + " sqlite_schema.name) WHERE type = 'table' AND name <> 'kept'");
      execute(plain, "PRAGMA writable_schema = RESET");
      execute(plain, "DROP TABLE kept");
    }
  }
}
