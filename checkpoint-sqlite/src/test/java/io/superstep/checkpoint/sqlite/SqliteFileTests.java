package io.superstep.checkpoint.sqlite;

import static io.superstep.testkit.Chains.LOG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.ThreadStatus;
import io.superstep.error.SuperstepException;
import io.superstep.graph.Graph;
import io.superstep.reactor.GraphRunner;
import io.superstep.reactor.GraphThread;
import io.superstep.state.Schemas;
import io.superstep.state.Update;
import io.superstep.testkit.Chains;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What can be wrong with a file, and what is said of it. */
class SqliteFileTests {

  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration LEASE = Duration.ofSeconds(30);

  @TempDir
  private Path directory;

  private Path file() {
    return directory.resolve("threads.db");
  }

  private static Graph chain() {
    return Chains.chain(node -> {});
  }

  private static GraphThread thread(SqliteCheckpointStore store, String name) {
    return GraphRunner.builder(chain()).checkpoints(store).build().thread(name);
  }

  private static void run(SqliteCheckpointStore store, String name) {
    thread(store, name).run(Update.append(LOG, "in")).block(PATIENCE);
  }

  private static List<String> log(SqliteCheckpointStore store, String name) {
    return Objects.requireNonNull(thread(store, name).state().block(PATIENCE))
        .position()
        .state()
        .get(LOG);
  }

  private static void assertRefused(Mono<?> call, Class<?> type, String code) {
    assertThatThrownBy(() -> call.block(PATIENCE)).isInstanceOfSatisfying(type, refused -> {
      SuperstepException error = (SuperstepException) refused;
      assertThat(error.code()).isEqualTo(code);
      assertThat(error.getMessage())
          .contains("fix")
          .doesNotContain(error.getClass().getName());
    });
  }

  private Statement plain() throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
    return connection.createStatement();
  }

  @Test
  @DisplayName("S2.9 the file is made on first use, and only its owner can read it")
  void made() throws IOException {
    assumeTrue(directory.getFileSystem().supportedFileAttributeViews().contains("posix"));
    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file())) {
      assertThat(file()).doesNotExist();

      run(store, "t");

      for (String name : List.of("threads.db", "threads.db-wal", "threads.db-shm")) {
        assertThat(PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve(name))))
            .as(name)
            .isEqualTo("rw-------");
      }
    }
    assertThat(directory).isDirectoryContaining("glob:**threads.db");
    assertThat(directory.resolve("threads.db-wal")).doesNotExist();
    try (SqliteCheckpointStore again = SqliteCheckpointStore.open(file())) {
      assertThat(log(again, "t")).containsExactly("in", "a", "b", "c");
    }
  }

  @Test
  @DisplayName("of several who make the file at the same time each can use it")
  void madeByMany() {
    for (int round = 0; round < 60; round++) {
      Path file = directory.resolve(round + ".db");
      List<SqliteDatabase> all =
          Stream.generate(() -> SqliteDatabase.open(file)).limit(4).toList();
      List<Long> fences = Flux.fromIterable(all)
          .flatMap(
              database -> SqliteCheckpointStore.of(database)
                  .acquire("t" + all.indexOf(database), "me", LEASE)
                  .map(Lease::fence),
              all.size())
          .collectList()
          .block(PATIENCE);
      all.forEach(SqliteDatabase::close);

      assertThat(fences).containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
    }
  }

  @Test
  @DisplayName("a path may have characters that mean something in an address")
  void oddPath() {
    Path odd = directory.resolve("a b?mode=ro#c%20d&.db");
    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(odd)) {
      run(store, "t");
    }

    assertThat(odd).exists();
  }

  @Test
  @DisplayName("a file of an older version is brought up to date, and keeps what is in it")
  void migrated() throws IOException, SQLException {
    try (Statement old = plain();
        InputStream script = Schema.class.getResourceAsStream("schema-1.sql")) {
      old.executeUpdate(new String(script.readAllBytes(), StandardCharsets.UTF_8));
      old.executeUpdate("PRAGMA application_id = " + 0x53_53_54_50);
      old.executeUpdate("PRAGMA user_version = 1");
      old.executeUpdate("UPDATE fence SET last = 41");
      old.getConnection().close();
    }

    try (SqliteDatabase database = SqliteDatabase.open(file())) {
      SqliteCheckpointStore store = SqliteCheckpointStore.of(database);
      assertThat(store.acquire("t", "me", LEASE).map(Lease::fence).block(PATIENCE))
          .isEqualTo(42);
      assertThat(SqliteEventLog.of(database).open("t", 42).block(PATIENCE)).isZero();
    }
    try (Statement now = plain()) {
      assertThat(now.executeQuery("PRAGMA user_version").getInt(1)).isEqualTo(Schema.VERSION);
      now.getConnection().close();
    }
  }

  @Test
  @DisplayName("SG-465 a file of a newer version is left as it is")
  void newer() throws SQLException {
    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file())) {
      run(store, "t");
    }
    try (Statement later = plain()) {
      later.executeUpdate("PRAGMA user_version = " + (Schema.VERSION + 1));
      later.getConnection().close();
    }

    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file())) {
      assertRefused(store.load("t", Schemas.NONE), SqliteFileException.class, "SG-465");
    }
  }

  @Test
  @DisplayName("SG-464 a file that is not a database, or that of somebody else, is left as it is")
  void notADatabase() throws IOException, SQLException {
    byte[] poem = "Tyger Tyger, burning bright, in the forests of the night"
        .repeat(100)
        .getBytes(StandardCharsets.UTF_8);
    Files.write(file(), poem);
    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file())) {
      assertRefused(store.load("t", Schemas.NONE), SqliteFileException.class, "SG-464");
    }
    assertThat(file()).hasBinaryContent(poem);

    Files.delete(file());
    try (Statement theirs = plain()) {
      theirs.executeUpdate("CREATE TABLE customer (name TEXT)");
      theirs.getConnection().close();
    }
    byte[] before = Files.readAllBytes(file());
    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file())) {
      assertRefused(store.acquire("t", "me", LEASE), SqliteFileException.class, "SG-464");
    }
    assertThat(file()).hasBinaryContent(before);
  }

  @Test
  @DisplayName("SG-466 a damaged page is told, and other threads can still be read")
  void corrupted() throws IOException, SQLException {
    Path file = file();
    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file)) {
      for (int number = 0; number < 50; number++) {
        run(store, "t" + number);
      }
    }
    long page;
    try (Statement look = plain()) {
      page = look.executeQuery(
              "SELECT pageno FROM dbstat WHERE name = 'checkpoint' AND pagetype = 'leaf'"
                  + " ORDER BY pageno DESC LIMIT 1")
          .getLong(1);
      look.getConnection().close();
    }
    try (RandomAccessFile damage = new RandomAccessFile(file.toFile(), "rw")) {
      damage.seek((page - 1) * 4096);
      damage.write("scribble".repeat(512).getBytes(StandardCharsets.UTF_8));
    }

    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file)) {
      assertRefused(
          store.threads(EnumSet.allOf(ThreadStatus.class)).then(),
          SqliteFileException.class,
          "SG-466");
      assertThat(log(store, "t0")).containsExactly("in", "a", "b", "c");
    }
  }

  @Test
  @DisplayName("SG-467 a file that is deleted under us is told at once, and nothing acknowledged")
  void deleted() throws IOException {
    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file())) {
      run(store, "t");
      Files.delete(file());

      assertRefused(store.acquire("u", "me", LEASE), SqliteFileException.class, "SG-467");
      assertRefused(store.load("t", Schemas.NONE), SqliteFileException.class, "SG-467");
      assertThat(file()).doesNotExist();
    }
  }

  @Test
  @DisplayName(
      "SG-467 a log that is deleted under us is told with the next commit, and with all behind it")
  void logDeleted() throws IOException {
    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file())) {
      run(store, "t");
      settle();
      run(store, "u"); // from now on only the folder is looked at
      Files.delete(directory.resolve("threads.db-wal"));

      for (int again = 0; again < 3; again++) {
        assertRefused(store.acquire("v", "me", LEASE), SqliteFileException.class, "SG-467");
        settle();
      }
    }
  }

  /** Lets the folder look as if nothing had happened in it for long. */
  private void settle() throws IOException {
    settle(Instant.now().minusSeconds(3_600));
  }

  private void settle(Instant time) throws IOException {
    Files.setLastModifiedTime(directory, FileTime.from(time));
  }

  @Test
  @DisplayName(
      "SG-467 what was written to a log that is found gone when it is cut is not" + " acknowledged")
  void logGoneWhenCut() throws IOException {
    Instant time = Instant.parse("2026-01-02T03:04:05.678Z");
    try (SqliteDatabase database = SqliteDatabase.open(file())) {
      database.vacuum().block(PATIENCE);
      settle(time);
      database.vacuum().block(PATIENCE);
      Files.delete(directory.resolve("threads.db-wal"));
      settle(time); // so that the folder does not tell it

      assertRefused(database.vacuum(), SqliteFileException.class, "SG-467");
    }
  }

  @Test
  @DisplayName("SG-468 a log that cannot be looked at is looked at again, until it can")
  void logUnseen() throws IOException {
    Instant time = Instant.parse("2026-01-02T03:04:05.678Z");
    Path log = directory.resolve("threads.db-wal");
    Path aside = directory.resolve("aside");
    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file())) {
      run(store, "t");
      Files.move(log, aside);
      Files.createSymbolicLink(log, log);
      settle(time);

      for (int again = 0; again < 3; again++) {
        assertRefused(store.acquire("u", "me", LEASE), SqliteFileException.class, "SG-468");
      }

      Files.move(aside, log, StandardCopyOption.REPLACE_EXISTING);
      assertThat(store.acquire("v", "me", LEASE).block(PATIENCE)).isNotNull();
      assertThat(log(store, "t")).containsExactly("in", "a", "b", "c");
    }
  }

  @Test
  @DisplayName("whatever goes wrong while the file is opened, the connection is closed")
  void openedInVain() throws IOException, SQLException {
    new SqliteFile(file(), PATIENCE, Synchronous.FULL, null)
        .openToWrite(PATIENCE::toNanos)
        .close();
    SqliteFile file = new SqliteFile(file(), PATIENCE, Synchronous.FULL, null);
    AtomicInteger asked = new AtomicInteger();

    assertThatThrownBy(() -> file.openToWrite(() -> {
          if (asked.incrementAndGet() == 2) { // when the file was read, and so has its log
            assertThat(directory.resolve("threads.db-shm")).exists();
            throw new StackOverflowError("broken");
          }
          return PATIENCE.toNanos();
        }))
        .hasMessage("broken");

    assertThat(directory.resolve("threads.db-shm")).doesNotExist();
  }

  @Test
  @DisplayName("SG-467 a file that is replaced under us is not written to")
  void replaced() throws IOException {
    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file())) {
      run(store, "t");
      Files.move(file(), directory.resolve("elsewhere.db"));
      Files.createFile(file());

      assertRefused(store.acquire("u", "me", LEASE), SqliteFileException.class, "SG-467");
      assertThat(file()).isEmptyFile();
    }
  }

  @Test
  @DisplayName("SG-468 a directory that does not exist is not made")
  void noDirectory() {
    Path nowhere = directory.resolve("no/such/directory.db");
    assertUnusable(nowhere, "directory of the file does not exist");
    assertThat(directory.resolve("no")).doesNotExist();
  }

  @Test
  @DisplayName("a link opens the file that it leads to")
  void link() throws IOException {
    Path target = Files.createDirectory(directory.resolve("elsewhere")).resolve("target.db");
    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(target)) {
      run(store, "t");
    }
    Files.createSymbolicLink(file(), target);

    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file())) {
      assertThat(log(store, "t")).containsExactly("in", "a", "b", "c");
      run(store, "u");
      assertThat(target.resolveSibling("target.db-wal")).exists();
    }
    assertThat(file()).isSymbolicLink();
    assertThat(directory.resolve("threads.db-wal")).doesNotExist();
  }

  @Test
  @DisplayName("SG-467 a link that is turned to another file under us is told")
  void linkTurned() throws IOException {
    Path first = directory.resolve("first.db");
    Path second = directory.resolve("second.db");
    for (Path target : List.of(first, second)) {
      try (SqliteCheckpointStore store = SqliteCheckpointStore.open(target)) {
        run(store, "t");
      }
    }
    Files.createSymbolicLink(file(), first);

    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file())) {
      run(store, "u");
      Files.delete(file());
      Files.createSymbolicLink(file(), second);

      assertRefused(store.acquire("v", "me", LEASE), SqliteFileException.class, "SG-467");
      assertRefused(store.load("t", Schemas.NONE), SqliteFileException.class, "SG-467");
    }
  }

  @Test
  @DisplayName("SG-468 a link that leads nowhere, or in a circle, and a directory are told")
  void noFile() throws IOException {
    Path nowhere = Files.createSymbolicLink(directory.resolve("a.db"), directory.resolve("no.db"));
    Path circle = Files.createSymbolicLink(directory.resolve("b.db"), directory.resolve("b.db"));
    Path folder = Files.createDirectory(directory.resolve("c.db"));
    Path below = Files.createFile(directory.resolve("file")).resolve("d.db");

    assertUnusable(nowhere, "symbolic link, and its target does not exist");
    assertUnusable(circle, "symbolic link, and its target does not exist");
    assertUnusable(folder, "is a directory");
    assertUnusable(below, "parent of the path is not a directory");
    assertUnusable(directory.getRoot(), "is a directory");
    assertThat(directory.resolve("no.db")).doesNotExist();
  }

  /** Opening fails with one cause and the absolute path. */
  private static void assertUnusable(Path path, String cause) {
    assertThatThrownBy(() -> SqliteCheckpointStore.open(path))
        .isInstanceOfSatisfying(SqliteFileException.class, error -> {
          assertThat(error.code()).isEqualTo("SG-468");
          assertThat(error.problems().get(0).what()).contains(cause);
          assertThat(error.problems().get(0).where()).isEqualTo("file " + path.toAbsolutePath());
        });
  }

  @Test
  @DisplayName("SG-468 a directory that is removed before the first use is reported by the call")
  void directoryRemoved() throws IOException {
    Path later = Files.createDirectory(directory.resolve("later"));
    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(later.resolve("t.db"))) {
      Files.delete(later);
      assertRefused(store.acquire("t", "me", LEASE), SqliteFileException.class, "SG-468");
      assertRefused(store.load("t", Schemas.NONE), SqliteFileException.class, "SG-468");
    }
  }

  @Test
  @DisplayName("SG-462 when there is no room left nothing acknowledged is lost, and it goes on")
  void full() {
    String large = java.util.HexFormat.of()
        .formatHex(new java.util.Random(1)
            .ints(100_000)
            .collect(
                java.io.ByteArrayOutputStream::new,
                (bytes, next) -> bytes.write(next),
                (one, other) -> {})
            .toByteArray());
    int written = 0;
    SqliteDatabase small = SqliteDatabase.builder(file()).maxSize(1 << 20).open();
    try (SqliteCheckpointStore store = SqliteCheckpointStore.of(small)) {
      SuperstepException refusal = null;
      while (refusal == null) {
        try {
          thread(store, "t" + written).run(Update.append(LOG, large)).block(PATIENCE);
          written++;
        } catch (SuperstepException full) {
          refusal = full;
        }
      }
      assertThat(refusal.code()).isEqualTo("SG-462");
      assertThat(written).isBetween(1, 100);
      for (int number = 0; number < written; number++) {
        assertThat(log(store, "t" + number)).containsExactly(large, "a", "b", "c");
      }
    }

    try (SqliteCheckpointStore roomy = SqliteCheckpointStore.open(file())) {
      for (int number = 0; number < written; number++) {
        assertThat(log(roomy, "t" + number)).containsExactly(large, "a", "b", "c");
      }
      run(roomy, "more");
    }
  }

  @Test
  @DisplayName("SG-461 another who holds the file is waited for, within a bound")
  void busy() throws SQLException {
    SqliteDatabase impatient =
        SqliteDatabase.builder(file()).busyTimeout(Duration.ofMillis(50)).open();
    try (SqliteCheckpointStore store = SqliteCheckpointStore.of(impatient);
        SqliteCheckpointStore patient = SqliteCheckpointStore.open(file())) {
      run(store, "t");
      try (Statement other = plain()) {
        other.execute("BEGIN IMMEDIATE");

        assertRefused(store.acquire("u", "me", LEASE), SqliteBusyException.class, "SG-461");
        assertThat(log(store, "t")).containsExactly("in", "a", "b", "c");
        Mono<Lease> waiting = patient.acquire("u", "me", LEASE).cache();
        waiting.subscribe();
        assertRefused(store.acquire("u", "me", LEASE), SqliteBusyException.class, "SG-461");
        other.execute("COMMIT");

        assertThat(waiting.block(PATIENCE)).isNotNull();
        other.getConnection().close();
      }
      assertThat(store.acquire("v", "me", LEASE).block(PATIENCE)).isNotNull();
    }
  }

  @Test
  @DisplayName("SG-461 the bound is that of a call, however many wait in front of it")
  void busyForAll() throws SQLException {
    Duration patience = Duration.ofMillis(200);
    try (SqliteDatabase impatient =
            SqliteDatabase.builder(file()).busyTimeout(patience).open();
        Statement other = plain()) {
      impatient.vacuum().block(PATIENCE);
      other.execute("BEGIN IMMEDIATE");
      long start = System.nanoTime();

      List<String> told = Flux.range(0, 50) // none of which goes into one transaction with others
          .flatMap(
              number -> impatient
                  .vacuum()
                  .cast(String.class)
                  .onErrorResume(busy -> Mono.just(((SuperstepException) busy).code())),
              50)
          .collectList()
          .block(PATIENCE.multipliedBy(2));

      assertThat(told).hasSize(50).containsOnly("SG-461");
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isBetween(patience, patience.multipliedBy(10));
      other.execute("COMMIT");
      other.getConnection().close();
    }
  }

  @Test
  @DisplayName("SG-463 a file that cannot be written to is told")
  void readOnly() throws SQLException {
    SqliteErrors errors = new SqliteErrors(file(), PATIENCE);
    try (Statement one = plain()) {
      one.execute("CREATE TABLE t (x)");
      one.execute("PRAGMA query_only = ON");
      assertThatThrownBy(() -> one.execute("INSERT INTO t VALUES (1)"))
          .satisfies(refusal -> assertThat(errors.typed(refusal, "writing"))
              .isInstanceOfSatisfying(
                  SqliteFileException.class,
                  typed -> assertThat(typed.code()).isEqualTo("SG-463")));
      one.getConnection().close();
    }
  }

  @Test
  @DisplayName(
      "SG-463 a file that this user may only read is read, and goes on when it may be written")
  void noRight() throws IOException {
    assumeTrue(directory.getFileSystem().supportedFileAttributeViews().contains("posix"));
    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file())) {
      run(store, "t");
    }
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("r--------"));
    boolean isRoot = Files.isWritable(file());
    if (isRoot) { // whom nothing but this keeps from writing
      assumeTrue(Volume.done("chattr", "+i", file().toString()));
    }

    try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file())) {
      assertRefused(store.acquire("t", "me", LEASE), SqliteFileException.class, "SG-463");
      assertThat(log(store, "t")).containsExactly("in", "a", "b", "c");

      if (isRoot) {
        assertThat(Volume.done("chattr", "-i", file().toString())).isTrue();
      }
      Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-------"));
      run(store, "u");
    } finally {
      Volume.done("chattr", "-i", file().toString());
    }
  }

  @Test
  @DisplayName("SG-463 a volume that can only be read is told, whether the file is there or not")
  void readOnlyVolume() throws IOException {
    try (Volume volume = Volume.at(directory.resolve("volume"), 8)) {
      Path file = volume.root().resolve("threads.db");
      try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file)) {
        run(store, "t");
      }
      volume.becomeReadOnly();

      for (String name : List.of("threads.db", "new.db")) {
        try (SqliteCheckpointStore store =
            SqliteCheckpointStore.open(volume.root().resolve(name))) {
          assertRefused(store.acquire("t", "me", LEASE), SqliteFileException.class, "SG-463");
          assertRefused(store.load("t", Schemas.NONE), SqliteFileException.class, "SG-463");
        }
      }

      volume.becomeWritable();
      try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file)) {
        assertThat(log(store, "t")).containsExactly("in", "a", "b", "c");
      }
    }
  }

  @Test
  @DisplayName(
      "SG-462 when the disk is full nothing acknowledged is lost, and it goes on with room")
  void fullVolume() throws IOException {
    try (Volume volume = Volume.at(directory.resolve("volume"), 3)) {
      Path file = volume.root().resolve("threads.db");
      Path other = Files.write(volume.root().resolve("other"), new byte[1 << 20]);
      int written = 0;
      try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file)) {
        SuperstepException refusal = null;
        while (refusal == null) {
          try {
            run(store, "t" + written);
            written++;
          } catch (SuperstepException full) {
            refusal = full;
          }
        }
        assertThat(refusal.code()).isEqualTo("SG-462");
        assertThat(written).isPositive();
        for (int number = 0; number < written; number++) {
          assertThat(log(store, "t" + number)).containsExactly("in", "a", "b", "c");
        }

        Files.delete(other);
        run(store, "more");
      }
      try (SqliteCheckpointStore store = SqliteCheckpointStore.open(file)) {
        for (int number = 0; number < written; number++) {
          assertThat(log(store, "t" + number)).containsExactly("in", "a", "b", "c");
        }
        assertThat(log(store, "more")).containsExactly("in", "a", "b", "c");
      }
    }
  }

  @Test
  @DisplayName("SG-462 a file cannot be made on a full disk, and can when there is room")
  void alreadyFullVolume() throws IOException {
    try (Volume volume = Volume.at(directory.resolve("volume"), 1)) {
      Path other = volume.root().resolve("other");
      assertThatThrownBy(() -> Files.write(other, new byte[2 << 20]))
          .isInstanceOf(IOException.class);
      try (SqliteCheckpointStore store =
          SqliteCheckpointStore.open(volume.root().resolve("threads.db"))) {
        assertRefused(store.acquire("t", "me", LEASE), SqliteFileException.class, "SG-462");
        assertRefused(store.load("t", Schemas.NONE), SqliteFileException.class, "SG-462");

        Files.delete(other);
        run(store, "t");
      }
    }
  }
}
