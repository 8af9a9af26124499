package io.superstep.checkpoint.sqlite;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/**
 * Where the file lies, and how connections to it are opened. SQLite goes on writing to a file that
 * was deleted, so that nobody would ever find it again; therefore this one remembers which file it
 * was, and can look.
 */
final class SqliteFile {

  /** Held while a file is made, by whichever store of this process. */
  private static final Object MAKING = new Object();

  private final Path path;
  private final Duration patience;
  private final Synchronous synchronous;
  private final @Nullable Long maxSize;

  /**
   * Where the file lies if the path is a link, as SQLite sees it too; the path before it is open.
   */
  private volatile Path real;

  /** What tells the file from any other at the same path; null before it is open. */
  private volatile @Nullable Identity identity;

  /** The same of its log, which SQLite removes with the last connection. */
  private @Nullable Identity logIdentity;

  /**
   * Whether it was found that the log is gone. What it had is lost, and so is what is written now.
   */
  private boolean isLogGone;

  /** Where both lie; null before it is open to be written. */
  private @Nullable Folder folder;

  /** @param key null where the system has none, and lets nobody remove a file that is open */
  private record Identity(@Nullable Object key) {

    static Identity of(Path file) throws IOException {
      return of(Files.readAttributes(file, BasicFileAttributes.class));
    }

    static Identity of(BasicFileAttributes file) {
      return new Identity(file.fileKey());
    }
  }

  SqliteFile(Path path, Duration patience, Synchronous synchronous, @Nullable Long maxSize) {
    this.path = path.toAbsolutePath();
    this.real = this.path;
    this.patience = patience;
    this.synchronous = synchronous;
    this.maxSize = maxSize;
  }

  Path path() {
    return path;
  }

  /** Whether it was there, with all its tables. */
  boolean isOpen() {
    return identity != null;
  }

  /**
   * A connection that writes. The first one makes the file, and brings its tables up to date.
   *
   * @param left how long others may be waited for now, in nanoseconds
   */
  Session openToWrite(LongSupplier left) throws SQLException, IOException {
    if (isOpen()) {
      requireThere();
    } else {
      create();
      real = path.toRealPath();
    }
    Session session = connected();
    try {
      prepare(session, left);
      folder = new Folder(Objects.requireNonNull(real.getParent()));
      logIdentity = Identity.of(log());
      identity = isOpen() ? identity : Identity.of(path);
      return session;
    } catch (Throwable failure) {
      session.close();
      throw failure;
    }
  }

  /** SQLite keeps it beside the file, wherever the link to that lies. */
  private Path log() {
    return real.resolveSibling(real.getFileName() + "-wal");
  }

  /**
   * SQLite gives its other files the rights of this one. Nobody here may open it before it is
   * closed behind whoever made it: with any of its handles a process loses all locks on a file.
   */
  private void create() throws IOException {
    synchronized (MAKING) {
      try {
        Files.createFile(path, rights());
      } catch (FileAlreadyExistsException known) {
        // it is looked at when it is opened; so is a link, even if it leads nowhere
      }
    }
  }

  private FileAttribute<?>[] rights() {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  private void prepare(Session session, LongSupplier left) throws SQLException {
    session.waitAtMost(left.getAsLong());
    // in one go: another process may be about to make the tables
    boolean isCurrent = session.reading(in -> Schema.isCurrent(in, path));
    session.waitAtMost(left.getAsLong());
    if (!Objects.equals(session.one("PRAGMA journal_mode", rows -> rows.getString(1)), "wal")) {
      session.run("PRAGMA auto_vacuum = INCREMENTAL"); // which has no effect on a file with tables
      session.run("PRAGMA journal_mode = WAL");
    }
    sync(session, synchronous);
    if (maxSize != null) {
      session.run("PRAGMA max_page_count = " + maxSize / session.number("PRAGMA page_size"));
    }
    if (!isCurrent) {
      session.waitAtMost(left.getAsLong());
      Schema.migrate(session, path);
    }
    session.number("SELECT count(*) FROM sqlite_schema"); // so that the log is there
  }

  /** Says what the next commits wait for. */
  void sync(Session session, Synchronous what) throws SQLException {
    session.run("PRAGMA synchronous = " + what);
  }

  Synchronous synchronous() {
    return synchronous;
  }

  /** A connection that never writes; the file has to be open. */
  Session openToRead() throws SQLException, IOException {
    requireThere();
    Session session = connected();
    try {
      session.run("PRAGMA query_only = ON");
      return session;
    } catch (Throwable failure) {
      session.close();
      throw failure;
    }
  }

  private Session connected() throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.resetOpenMode(SQLiteOpenMode.CREATE); // a file that has gone is not made anew
    config.setOpenMode(SQLiteOpenMode.OPEN_URI);
    config.setBusyTimeout(Math.toIntExact(patience.toMillis()));
    config.enforceForeignKeys(true);
    config.setGetGeneratedKeys(false); // it would look for them after each insert
    return new Session(config.createConnection("jdbc:sqlite:" + real.toUri()), patience);
  }

  /** Refuses to go on if the file at the path is no longer the one that was opened. */
  void requireThere() throws IOException {
    require(identity, path);
  }

  /**
   * The same for whoever has written, which goes to the log at first. The log is looked at only if
   * something was added to its folder or removed from it: a system that was asked for the times of
   * a file writes them down exactly with the next change, which makes a commit wait half as long
   * again.
   */
  void requireLogThere() throws IOException {
    requireThere();
    if (Objects.requireNonNull(folder).hasChanged()) {
      requireLog();
    }
  }

  /** Refuses to write once the log was found gone: nobody would find that again. */
  void requireLogKept() {
    if (isLogGone) {
      throw SqliteFileException.gone(path);
    }
  }

  /** How long the log is; not asked after each commit, for the same reason. */
  long logSize() throws IOException {
    return requireLog().size();
  }

  private BasicFileAttributes requireLog() throws IOException {
    boolean isSeen = false;
    try {
      BasicFileAttributes found = require(logIdentity, log());
      isSeen = true;
      return found;
    } catch (SqliteFileException gone) {
      isLogGone = true;
      throw gone;
    } finally {
      if (!isSeen) {
        Objects.requireNonNull(folder).forget(); // whoever writes next has to look once more
      }
    }
  }

  private BasicFileAttributes require(@Nullable Identity known, Path file) throws IOException {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      if (!Identity.of(found).equals(known)) {
        throw SqliteFileException.gone(path);
      }
      return found;
    } catch (NoSuchFileException deleted) {
      throw SqliteFileException.gone(path);
    }
  }
}
