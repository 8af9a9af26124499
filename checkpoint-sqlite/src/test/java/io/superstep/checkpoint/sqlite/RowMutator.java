package io.superstep.checkpoint.sqlite;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Damages stored values at random, and repeats it for the same seed. */
final class RowMutator implements AutoCloseable {

  private static final int MAX_TRIES = 100;

  private static final List<String> TABLES = List.of(
      "thread",
      "checkpoint",
      "checkpoint",
      "checkpoint",
      "snapshot",
      "note",
      "note",
      "input",
      "log",
      "event",
      "event",
      "event",
      "item",
      "item",
      "marker",
      "fence");

  private final Random random;
  private final Connection plain;

  RowMutator(Path file, long seed) throws SQLException {
    this.random = new Random(seed);
    this.plain = DriverManager.getConnection("jdbc:sqlite:" + file);
    execute("PRAGMA synchronous = OFF");
    plain.setAutoCommit(false);
  }

  @Override
  public void close() throws SQLException {
    plain.commit();
    plain.close();
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = plain.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Changes one value, or removes one row; returns a description. */
  String mutate() throws SQLException {
    for (int tries = 0; tries < MAX_TRIES; tries++) {
      String table = TABLES.get(random.nextInt(TABLES.size()));
      long count = number("SELECT count(*) FROM " + table);
      if (count == 0) {
        continue;
      }
      long row = Math.floorMod(random.nextLong(), count);
      List<String> columns = columns(table);
      String column = columns.get(random.nextInt(columns.size()));
      try {
        if (random.nextInt(12) == 0) {
          update("DELETE FROM " + table + at(table), null, row, false);
          return "DELETE " + table + " " + row;
        }
        Object before = value("SELECT " + column + " FROM " + table + " LIMIT 1 OFFSET " + row);
        long other = Math.floorMod(random.nextLong(), count);
        Object after = random.nextInt(6) == 0
            ? value("SELECT " + columns.get(random.nextInt(columns.size())) + " FROM " + table
                + " LIMIT 1 OFFSET " + other)
            : mutated(before);
        update(
            "UPDATE " + table + " SET " + column + " = "
                + (after instanceof Text ? "CAST(? AS TEXT)" : "?") + at(table),
            after instanceof Text text ? text.bytes : after,
            row,
            true);
        return table + "." + column + " of row " + row;
      } catch (SQLException constraint) {
        // the mutation is not possible there; the next one may be
      }
    }
    return "nothing";
  }

  /** Bytes to be stored as text, which need not be UTF-8. */
  private static final class Text {

    private final byte[] bytes;

    Text(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  private @Nullable Object mutated(@Nullable Object value) {
    return switch (random.nextInt(8)) {
      case 0 -> null;
      case 1 ->
        List.<Object>of(0, -1, 1, 2, Long.MAX_VALUE, Long.MIN_VALUE, 1.5, 1L << 40)
            .get(random.nextInt(8));
      case 2 -> List.of("", "x", "%zz", "1", "-1", "a".repeat(1_000)).get(random.nextInt(6));
      default -> changed(value);
    };
  }

  private Object changed(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return mutated(bytes);
    }
    if (value instanceof String text) {
      byte[] bytes = mutated(text.getBytes(StandardCharsets.UTF_8));
      return random.nextInt(4) > 0 ? new Text(bytes) : bytes;
    }
    if (value instanceof Number number) {
      return random.nextBoolean()
          ? number.longValue() + random.nextInt(7) - 3
          : number.longValue() ^ (1L << random.nextInt(63));
    }
    return random.nextLong();
  }

  private byte[] mutated(byte[] bytes) {
    return switch (bytes.length == 0 ? 3 : random.nextInt(6)) {
      case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length));
      case 1 -> Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(50));
      case 2 -> doubled(bytes, random.nextInt(bytes.length));
      case 3 -> noise(random.nextInt(200));
      default -> flipped(bytes);
    };
  }

  private static byte[] doubled(byte[] bytes, int from) {
    byte[] doubled = Arrays.copyOf(bytes, bytes.length * 2 - from);
    System.arraycopy(bytes, from, doubled, bytes.length, bytes.length - from);
    return doubled;
  }

  private byte[] noise(int length) {
    byte[] noise = new byte[length];
    random.nextBytes(noise);
    return noise;
  }

  /** Changes some bytes, half of them to characters of JSON. */
  private byte[] flipped(byte[] bytes) {
    byte[] flipped = bytes.clone();
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      int at = random.nextInt(flipped.length);
      flipped[at] = random.nextBoolean()
          ? (byte) (flipped[at] ^ (1 << random.nextInt(8)))
          : (byte) "{}[]\",:0123456789-e.nullxT".charAt(random.nextInt(26));
    }
    return flipped;
  }

  private static String at(String table) {
    String key = switch (table) {
      case "note" -> "(thread, sequence, place)";
      case "input" -> "(thread, id)";
      case "event" -> "(log, number, riding)";
      case "item" -> "(namespace, key)";
      case "marker" -> "(thread)";
      default -> "(rowid)";
    };
    String columns = key.substring(1, key.length() - 1);
    return " WHERE " + key + " IN (SELECT " + columns + " FROM " + table + " LIMIT 1 OFFSET ?)";
  }

  private List<String> columns(String table) throws SQLException {
    List<String> columns = new ArrayList<>();
    try (Statement statement = plain.createStatement();
        ResultSet rows = statement.executeQuery("PRAGMA table_info(" + table + ")")) {
      while (rows.next()) {
        columns.add(rows.getString("name"));
      }
    }
    return columns;
  }

  private long number(String sql) throws SQLException {
    try (Statement statement = plain.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.getLong(1);
    }
  }

  private @Nullable Object value(String sql) throws SQLException {
    try (Statement statement = plain.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getObject(1) : null;
    }
  }

  private void update(String sql, @Nullable Object value, long row, boolean hasValue)
      throws SQLException {
    try (PreparedStatement statement = plain.prepareStatement(sql)) {
      if (hasValue) {
        statement.setObject(1, value);
      }
      statement.setObject(hasValue ? 2 : 1, row);
      statement.executeUpdate();
    }
  }
}
