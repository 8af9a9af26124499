package io.superstep.checkpoint.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Reads columns that must have a value of their declared type. SQLite stores values of any type in
 * any column, and its driver converts them silently.
 */
final class Columns {

  private Columns() {}

  /** @throws SqliteRowException if the column is no whole number */
  static long whole(ResultSet rows, int column) throws SQLException {
    Long value = wholeOrNull(rows, column);
    if (value == null) {
      throw invalid(rows, column, "has no value");
    }
    return value;
  }

  /** @throws SqliteRowException if the column is neither null nor a whole number */
  static @Nullable Long wholeOrNull(ResultSet rows, int column) throws SQLException {
    Object value = rows.getObject(column);
    if (value == null || value instanceof Long) {
      return (Long) value;
    }
    if (value instanceof Integer small) {
      return small.longValue();
    }
    throw invalid(rows, column, "is not a whole number");
  }

  /** @throws SqliteRowException if the column is null */
  static byte[] bytes(ResultSet rows, int column) throws SQLException {
    byte[] value = rows.getBytes(column);
    if (value == null) {
      throw invalid(rows, column, "has no value");
    }
    return value;
  }

  private static SqliteRowException invalid(ResultSet rows, int column, String what)
      throws SQLException {
    String name = rows.getMetaData().getColumnName(column);
    String table = rows.getMetaData().getTableName(column);
    return SqliteRowException.invalid(
        "Column '" + name + "' " + what + ".",
        table == null || table.isEmpty() ? "the file" : "table '" + table + "'");
  }
}
