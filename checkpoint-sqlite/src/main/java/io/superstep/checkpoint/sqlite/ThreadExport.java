package io.superstep.checkpoint.sqlite;

import io.superstep.checkpoint.RawRecord;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Emits the stored rows of a thread without decoding them, so that a thread can be saved that
 * cannot be loaded.
 *
 * <p>A row is up to two records: its document, such as {@code checkpoint/12-1}, and its other
 * columns, such as {@code checkpoint/12-1/columns}: one {@code name=value} per line, each value as
 * an SQL literal. The columns of the thread include those of its lease. Pages are read as records
 * are requested.
 */
final class ThreadExport {

  private static final int PAGE = 16;

  private static final Table THREAD = new Table(
      "thread",
      List.of(),
      List.of(
          "id",
          "name",
          "is_idle",
          "owner",
          "fence",
          "until",
          "lost",
          "waiting",
          "shape",
          "skipped",
          "look",
          "is_resume_requested"),
      null);
  private static final Table CHECKPOINT = new Table(
      "checkpoint",
      List.of("sequence", "fence"),
      List.of(
          "sequence",
          "fence",
          "parent",
          "stem",
          "merged",
          "merged_fence",
          "second",
          "nano",
          "span",
          "digest"),
      "entry");
  private static final Table SNAPSHOT =
      new Table("snapshot", List.of("sequence"), List.of("sequence"), "state");
  private static final Table NOTE =
      new Table("note", List.of("sequence", "place"), List.of("sequence", "place"), "note");
  private static final Table INPUT =
      new Table("input", List.of("place"), List.of("id", "place"), "input");

  private final SqliteDatabase database;

  ThreadExport(SqliteDatabase database) {
    this.database = database;
  }

  Flux<RawRecord> export(String thread) {
    String doing = "exporting thread " + SqliteRowException.quoted(thread);
    return database
        .<Long>read(doing, session -> ThreadTable.id(session, thread))
        .flatMapMany(id -> Flux.concat(
                pages(doing, THREAD, "id = ?", id),
                checkpoints(doing, id),
                pages(doing, CHECKPOINT, "thread = ? AND typeof(sequence) <> 'integer'", id),
                pages(doing, SNAPSHOT, "thread = ?", id),
                pages(doing, NOTE, "thread = ?", id),
                pages(doing, INPUT, "thread = ?", id))
            .concatMapIterable(Row::records, 1));
  }

  /** A thread may have many checkpoints, so each page continues by the index. */
  private Flux<Row> checkpoints(String doing, long id) {
    String sql = CHECKPOINT.select()
        + " WHERE thread = ? AND sequence > ? AND typeof(sequence) = 'integer'"
        + " ORDER BY sequence LIMIT " + PAGE;
    return database.pages(
        doing,
        PAGE,
        (last, session) -> session.all(
            sql,
            rows -> CHECKPOINT.read(rows, rows.getLong("sequence")),
            id,
            last == null ? Long.MIN_VALUE : last.position()));
  }

  /** Continues by the number of rows, which works for keys of any type. */
  private Flux<Row> pages(String doing, Table table, String condition, long id) {
    String sql =
        table.select() + " WHERE " + condition + table.order() + " LIMIT " + PAGE + " OFFSET ?";
    return database.pages(doing, PAGE, (last, session) -> {
      long offset = last == null ? 0 : last.position() + 1;
      List<Row> page = new ArrayList<>();
      session.all(sql, rows -> page.add(table.read(rows, offset + page.size())), id, offset);
      return page;
    });
  }

  /** @param position from which the next page continues */
  private record Row(long position, List<RawRecord> records) {}

  /**
   * A table that has rows of threads.
   *
   * @param key columns that tell the rows of one thread apart
   * @param columns all columns but the document
   * @param document null if the table has none
   */
  private record Table(
      String name,
      List<String> key,
      List<String> columns,
      @Nullable String document) {

    String select() {
      StringBuilder sql = new StringBuilder("SELECT ");
      key.forEach(column -> sql.append(column).append(", "));
      columns.forEach(column -> sql.append("quote(").append(column).append("), "));
      return sql.append(document == null ? "NULL, 'null'" : document + ", typeof(" + document + ")")
          .append(" FROM ")
          .append(name)
          .toString();
    }

    String order() {
      return key.isEmpty() ? "" : " ORDER BY " + String.join(", ", key);
    }

    Row read(ResultSet rows, long position) throws SQLException {
      StringBuilder path = new StringBuilder(name);
      for (int at = 1; at <= key.size(); at++) {
        String part = String.valueOf(rows.getString(at));
        String bounded = SqliteRowException.quoted(part);
        path.append(at > 1 && this == CHECKPOINT ? '-' : '/')
            .append(bounded, 1, bounded.length() - 1);
      }
      StringBuilder text = new StringBuilder();
      int column = key.size();
      for (String each : columns) {
        text.append(each).append('=').append(rows.getString(++column)).append('\n');
      }
      byte[] content = rows.getBytes(++column);
      List<RawRecord> records = new ArrayList<>(2);
      if (document != null) {
        text.append(document).append('=').append(rows.getString(++column)).append('\n');
      }
      if (content != null) {
        records.add(new RawRecord(path.toString(), ByteBuffer.wrap(content)));
      }
      byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
      records.add(new RawRecord(path + "/columns", ByteBuffer.wrap(bytes)));
      return new Row(position, records);
    }
  }
}
