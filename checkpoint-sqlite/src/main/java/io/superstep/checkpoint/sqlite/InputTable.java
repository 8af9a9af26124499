package io.superstep.checkpoint.sqlite;

import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of inputs: those that wait, and the names of the last that have begun. */
final class InputTable {

  /** How many inputs that have begun are known when they come once more. */
  private static final int REMEMBERED = 1_000;

  private InputTable() {}

  /** Adds an input, unless one of that name waits or has begun. */
  static void add(Session session, ThreadRow row, String id, byte[] input) throws SQLException {
    int added = session.update(
        "INSERT INTO input (thread, id, place, input)"
            + " SELECT ?1, ?2, coalesce(max(place), 0) + 1, ?3 FROM input WHERE thread = ?1"
            + " ON CONFLICT DO NOTHING",
        row.id(),
        Names.stored(id),
        input);
    count(session, row, added);
  }

  private static void count(Session session, ThreadRow row, int more) throws SQLException {
    if (more != 0) {
      session.update("UPDATE thread SET waiting = waiting + ? WHERE id = ?", more, row.id());
    }
  }

  /** The input of that name waits no more, if it did. */
  static void take(Session session, ThreadRow row, @Nullable String id) throws SQLException {
    if (id == null) {
      return;
    }
    int taken = session.update(
        "UPDATE input SET input = NULL,"
            + " place = (SELECT max(place) + 1 FROM input WHERE thread = ?1)"
            + " WHERE thread = ?1 AND id = ?2 AND input IS NOT NULL",
        row.id(),
        Names.stored(id));
    count(session, row, -taken);
    session.update(
        "DELETE FROM input WHERE thread = ?1 AND input IS NULL AND place <="
            + " (SELECT place FROM input WHERE thread = ?1 AND input IS NULL"
            + " ORDER BY place DESC LIMIT 1 OFFSET " + REMEMBERED + ")",
        row.id());
  }

  /** Those that wait, the first one first. */
  static List<byte[]> waiting(Session session, ThreadRow row) throws SQLException {
    return session.all(
        "SELECT input FROM input WHERE thread = ? AND input IS NOT NULL ORDER BY place",
        rows -> Columns.bytes(rows, 1),
        row.id());
  }
}
