package io.superstep.checkpoint.sqlite;

import io.superstep.error.SuperstepException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;

/**
 * One connection to the file, and the statements that were prepared on it. Used by one JVM thread
 * at a time, which waits for the disk.
 */
final class Session implements AutoCloseable {

  private static final Pattern TABLE = Pattern.compile("FROM (\\w+)");

  private final Connection connection;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  /** What happens when the transaction that is under way was committed. */
  private final List<Runnable> afterwards = new ArrayList<>();

  /** How long others are waited for, in milliseconds. */
  private long patience;

  /** @param patience how long others are waited for at the beginning */
  Session(Connection connection, Duration patience) {
    this.connection = connection;
    this.patience = patience.toMillis();
  }

  /** Says how long others are waited for from now on, in nanoseconds. */
  void waitAtMost(long time) throws SQLException {
    long millis = TimeUnit.NANOSECONDS.toMillis(time + 999_999);
    if (millis != patience) {
      run("PRAGMA busy_timeout = " + millis);
      patience = millis;
    }
  }

  /** Makes something of the row at which {@code rows} stands. */
  interface Row<T> {
    T read(ResultSet rows) throws SQLException;
  }

  /** Something to be done in a transaction. */
  interface Work<T extends @Nullable Object> {
    T in(Session session) throws SQLException;
  }

  private PreparedStatement statement(String sql, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    for (int at = 0; at < values.length; at++) {
      statement.setObject(at + 1, values[at]);
    }
    return statement;
  }

  /** The driver closes a statement that failed in most ways, so it must be prepared anew. */
  private void forget(String sql) {
    PreparedStatement failed = prepared.remove(sql);
    try {
      if (failed != null) {
        failed.close();
      }
    } catch (SQLException broken) {
      // the failure that made it necessary is reported
    }
  }

  /** Changes something, and says how many rows. */
  int update(String sql, @Nullable Object... values) throws SQLException {
    try {
      return statement(sql, values).executeUpdate();
    } catch (SQLException failure) {
      forget(sql);
      throw failure;
    }
  }

  /** The first row; null if there is none. */
  <T> @Nullable T one(String sql, Row<T> row, @Nullable Object... values) throws SQLException {
    try (ResultSet rows = statement(sql, values).executeQuery()) {
      return rows.next() ? read(row, rows, sql) : null;
    } catch (SQLException failure) {
      forget(sql);
      throw failure;
    }
  }

  /** Only stored data can make a row unreadable. */
  private static <T> T read(Row<T> row, ResultSet rows, String sql) throws SQLException {
    try {
      return row.read(rows);
    } catch (SuperstepException refused) {
      throw refused;
    } catch (RuntimeException invalid) {
      Matcher table = TABLE.matcher(sql);
      throw SqliteRowException.invalid(
          "The row has a value that is not allowed there: " + invalid.getClass().getSimpleName()
              + ".",
          table.find() ? "table '" + table.group(1) + "'" : "the file");
    }
  }

  /** The number in the first row; 0 if there is none. */
  long number(String sql, @Nullable Object... values) throws SQLException {
    Long number = one(sql, rows -> rows.getLong(1), values);
    return number == null ? 0 : number;
  }

  <T> List<T> all(String sql, Row<T> row, @Nullable Object... values) throws SQLException {
    try (ResultSet rows = statement(sql, values).executeQuery()) {
      List<T> all = new ArrayList<>();
      while (rows.next()) {
        all.add(read(row, rows, sql));
      }
      return all;
    } catch (SQLException failure) {
      forget(sql);
      throw failure;
    }
  }

  /** Does what is said once only, or has no result that matters; it may be many statements. */
  void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  /**
   * Lets something happen as soon as the transaction that is under way was committed, whether
   * anybody still waits for that or not. It must not wait for anything.
   */
  void afterwards(Runnable what) {
    afterwards.add(what);
  }

  /** What a connection has seen of others; another one whenever one of them has committed. */
  record Seen(Session by, long version) {}

  Seen seen() throws SQLException {
    return new Seen(this, number("PRAGMA data_version"));
  }

  /** A number that a row has, or null. */
  static @Nullable Long nullable(ResultSet rows, int column) throws SQLException {
    long number = rows.getLong(column);
    return rows.wasNull() ? null : number;
  }

  /** Null for 0, which no row has. */
  static @Nullable Long known(long number) {
    return number == 0 ? null : number;
  }

  <T extends @Nullable Object> T reading(Work<T> work) throws SQLException {
    return transaction("BEGIN", work);
  }

  <T extends @Nullable Object> T writing(Work<T> work) throws SQLException {
    return transaction("BEGIN IMMEDIATE", work);
  }

  private <T extends @Nullable Object> T transaction(String begin, Work<T> work)
      throws SQLException {
    statement(begin).execute();
    boolean isDone = false;
    try {
      T result = work.in(this);
      statement("COMMIT").execute();
      isDone = true;
      afterwards.forEach(what -> Unheard.safely(Context.empty(), what));
      return result;
    } finally {
      afterwards.clear();
      if (!isDone) {
        rollback();
      }
    }
  }

  /** After some failures SQLite has done it already, and then it complains. */
  private void rollback() {
    try {
      run("ROLLBACK");
    } catch (SQLException nothingToRollBack) {
      // what made it necessary is on its way to whoever asked
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException broken) {
      // nothing was under way on it, or whoever asked for that hears why it failed
    }
  }
}
