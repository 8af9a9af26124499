package io.superstep.checkpoint.sqlite;

import io.superstep.error.SuperstepException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What went wrong with a file, as something that a caller can act on. */
final class SqliteErrors {

  private final Path path;
  private final Duration patience;

  SqliteErrors(Path path, Duration patience) {
    this.path = path;
    this.patience = patience;
  }

  /** @param doing what was asked for, in words */
  Throwable typed(Throwable failure, String doing) {
    if (failure instanceof AccessDeniedException) {
      return SqliteFileException.readOnly(path, failure);
    }
    if (failure instanceof IOException) {
      return unreachable(failure);
    }
    return failure instanceof SQLException refusal ? typed(refusal, doing) : failure;
  }

  private SuperstepException typed(SQLException failure, String doing) {
    SQLiteErrorCode code = failure instanceof SQLiteException known
        ? known.getResultCode()
        : SQLiteErrorCode.SQLITE_ERROR;
    if (code == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE) { // the room for it is taken beforehand
      return SqliteFileException.full(path, failure);
    }
    return switch (primary(code)) {
      case 5, 6 -> new SqliteBusyException(path, doing, patience, failure); // BUSY, LOCKED
      case 13 -> SqliteFileException.full(path, failure);
      case 3, 8, 23 -> SqliteFileException.readOnly(path, failure); // PERM, READONLY, AUTH
      case 26 -> SqliteFileException.notADatabase(path, failure);
      case 11 -> SqliteFileException.corrupt(path, failure);
      case 14 -> unreachable(failure); // CANTOPEN
      default -> SqliteFileException.broken(path, code.name(), failure);
    };
  }

  /** On a volume that can only be read SQLite says of the files beside it that they do not open. */
  private SqliteFileException unreachable(Throwable failure) {
    Path directory = path.getParent();
    boolean isReadOnly = (Files.exists(path) && !Files.isWritable(path))
        || (directory != null && Files.isDirectory(directory) && !Files.isWritable(directory));
    return isReadOnly
        ? SqliteFileException.readOnly(path, failure)
        : SqliteFileException.unreachable(path, failure);
  }

  /** Codes of SQLite have what exactly happened in their upper bits. */
  private static int primary(SQLiteErrorCode code) {
    return code.code & 0xff;
  }

  /** Whether a page of the file is damaged; others may be sound. */
  static boolean isCorrupt(Throwable failure) {
    return failure instanceof SQLiteException known && primary(known.getResultCode()) == 11;
  }

  /** Whether somebody else had the file, so that it may work the next time. */
  static boolean isBusy(Throwable failure) {
    return failure instanceof SQLiteException known
        && (primary(known.getResultCode()) == 5 || primary(known.getResultCode()) == 6);
  }

  /**
   * Whether whatever failed may work again on another connection. With most codes the driver closes
   * the statement, which would then fail for ever.
   */
  static boolean isOfTheConnection(Throwable failure) {
    if (failure instanceof SQLiteException known) {
      return switch (primary(known.getResultCode())) {
        case 5, 6, 19 -> false; // BUSY, LOCKED, CONSTRAINT
        default -> true;
      };
    }
    return failure instanceof SQLException;
  }
}
