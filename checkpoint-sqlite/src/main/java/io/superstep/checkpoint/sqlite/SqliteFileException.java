package io.superstep.checkpoint.sqlite;

import io.superstep.error.Problem;
import io.superstep.error.SuperstepException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Something is wrong with the file, or with where it lies. What was asked for was not acknowledged;
 * what was acknowledged before is as safe as it was.
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
        "Make room, prune threads, or raise maxSize(...); the thread goes on with resume().",
        cause);
  }

  static SqliteFileException readOnly(Path path, Throwable cause) {
    return new SqliteFileException(
        "SG-463",
        "The file, or its directory, cannot be written to.",
        path,
        "Let this user write to the file and to its directory, in which SQLite keeps two more"
            + " files; see that the volume is not mounted read-only.",
        cause);
  }

  static SqliteFileException notADatabase(Path path, @Nullable Throwable cause) {
    return new SqliteFileException(
        "SG-464",
        "The file is something else than a store of ours.",
        path,
        "Give the path of a file that does not exist yet, or of one that was made here.",
        cause);
  }

  static SqliteFileException newer(Path path, int version, int known) {
    return new SqliteFileException(
        "SG-465",
        "The file has version " + version + ", and this one knows versions up to " + known + ".",
        path,
        "Update superstep-checkpoint-sqlite: a newer one has written to the file.",
        null);
  }

  static SqliteFileException corrupt(Path path, Throwable cause) {
    return new SqliteFileException(
        "SG-466",
        "The file is damaged.",
        path,
        "Stop all that use it, keep a copy of the file and of those beside it (-wal, -shm), and put"
            + " back a backup, or rescue what can be read with the sqlite3 command '.recover'.",
        cause);
  }

  static SqliteFileException gone(Path path) {
    return new SqliteFileException(
        "SG-467",
        "The file was deleted, moved or replaced while it was in use.",
        path,
        "Put it back if you can, with those beside it (-wal, -shm), and open it anew; never touch"
            + " the file while somebody uses it.",
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
        "The cause has the words of SQLite; look at the disk and at the log of the system. The"
            + " thread goes on with resume() when it is put right.",
        cause);
  }
}
