package io.superstep.checkpoint.sqlite;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the file cannot be opened, read or written. The call was not acknowledged; earlier
 * writes that were acknowledged are not affected.
 */
public final class SqliteFileException extends SuperstepException {

  private static final long serialVersionUID = 1L;

  private SqliteFileException(
      String code, String what, Path path, String fix, @Nullable Throwable cause) {
    super(new Problem(code, what, "file " + path.toAbsolutePath(), fix), cause);
  }

  static SqliteFileException full(Path path, Throwable cause) {
    return new SqliteFileException(
        "SG-462",
        "The file cannot grow: the disk is full, or maxSize(...) is reached.",
        path,
        "Free disk space, prune threads with thread.prune(...), or raise maxSize(...), then call"
            + " thread.resume().",
        cause);
  }

  static SqliteFileException readOnly(Path path, Throwable cause) {
    return new SqliteFileException(
        "SG-463",
        "The file or its directory is read-only for this user.",
        path,
        "Grant this user write access to the file and to its directory, in which SQLite creates"
            + " two more files, and check that the volume is not mounted read-only.",
        cause);
  }

  static SqliteFileException notADatabase(Path path, @Nullable Throwable cause) {
    return new SqliteFileException(
        "SG-464",
        "The file is not a database of this library.",
        path,
        "Use the path of a new file, or of a file that a SqliteDatabase created.",
        cause);
  }

  static SqliteFileException newer(Path path, int version, int known) {
    return new SqliteFileException(
        "SG-465",
        "The file has format version " + version + ", and this release supports versions up to "
            + known + ".",
        path,
        "Update superstep-checkpoint-sqlite in all processes that use the file.",
        null);
  }

  static SqliteFileException corrupt(Path path, Throwable cause) {
    return new SqliteFileException(
        "SG-466",
        "The database file is corrupt.",
        path,
        "Stop all processes that use the file, copy it with its -wal and -shm files, and restore a"
            + " backup, or recover the readable data with the sqlite3 command '.recover'.",
        cause);
  }

  static SqliteFileException gone(Path path) {
    return new SqliteFileException(
        "SG-467",
        "The file was deleted, moved or replaced while it was open.",
        path,
        "Restore the file with its -wal and -shm files, and open it again; do not move or delete"
            + " the file while it is open.",
        null);
  }

  static SqliteFileException unreachable(Path path, Throwable cause) {
    SqliteFileException known = unusable(path, cause);
    return known != null
        ? known
        : unreachable("The file cannot be opened.", path, "See the cause.", cause);
  }

  /** Returns the error of a path at which no file can be opened or created; null if one can. */
  static @Nullable SqliteFileException unusable(Path path, @Nullable Throwable cause) {
    Path absolute = path.toAbsolutePath();
    Path directory = absolute.getParent();
    if (Files.isDirectory(absolute)) {
      return unreachable(
          "The path is a directory.", path, "Append the name of a file to the path.", cause);
    }
    if (Files.isSymbolicLink(absolute) && !Files.exists(absolute)) {
      return unreachable(
          "The path is a symbolic link, and its target does not exist.",
          path,
          "Correct or remove the link.",
          cause);
    }
    if (directory == null || Files.isDirectory(directory)) {
      return null;
    }
    return Files.exists(directory)
        ? unreachable(
            "The parent of the path is not a directory.", path, "Correct the path.", cause)
        : unreachable(
            "The directory of the file does not exist, or may not be accessed.",
            path,
            "Create the directory, or correct the path: directories are not created.",
            cause);
  }

  private static SqliteFileException unreachable(
      String what, Path path, String fix, @Nullable Throwable cause) {
    return new SqliteFileException("SG-468", what, path, fix, cause);
  }

  static SqliteFileException broken(Path path, String code, Throwable cause) {
    return new SqliteFileException(
        "SG-469",
        "SQLite failed with " + code + ".",
        path,
        "See the message of SQLite in the cause, check the disk and the system log, then call"
            + " thread.resume().",
        cause);
  }
}
