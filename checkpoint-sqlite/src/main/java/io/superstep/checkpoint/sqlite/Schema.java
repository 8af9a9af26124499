package io.superstep.checkpoint.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Objects;

/**
 * The tables of a file, by version. A file is brought up to date step by step, each in one
 * transaction, by the first who opens it; steps are never changed, only added.
 */
final class Schema {

  /** What files of ours have in their header, so that no other database is taken for one. */
  private static final int MARK = 0x53_53_54_50;

  /** The steps that there are, {@code schema-1.sql} and so on. */
  static final int VERSION = 4;

  private Schema() {}

  /**
   * Refuses what is not ours, or of a later version. Has to be asked in a transaction.
   *
   * @return whether it is up to date
   */
  static boolean isCurrent(Session session, Path path) throws SQLException {
    long mark = session.number("PRAGMA application_id");
    int version = Math.toIntExact(session.number("PRAGMA user_version"));
    boolean isEmpty = session.number("SELECT count(*) FROM sqlite_schema") == 0;
    if (mark != MARK && !(isEmpty && mark == 0 && version == 0)) {
      throw SqliteFileException.notADatabase(path, null);
    }
    if (version > VERSION) {
      throw SqliteFileException.newer(path, version, VERSION);
    }
    return version == VERSION;
  }

  /** Brings the file up to date, in a transaction of its own for each step. */
  static void migrate(Session session, Path path) throws SQLException {
    while (!session.writing(writing -> isCurrent(writing, path) || isDone(writing))) {
      // one step further
    }
  }

  private static boolean isDone(Session session) throws SQLException {
    long next = session.number("PRAGMA user_version") + 1;
    session.run(script(next));
    session.run("PRAGMA application_id = " + MARK);
    session.run("PRAGMA user_version = " + next);
    return next == VERSION;
  }

  private static String script(long version) {
    try (InputStream script =
        Objects.requireNonNull(Schema.class.getResourceAsStream("schema-" + version + ".sql"))) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
