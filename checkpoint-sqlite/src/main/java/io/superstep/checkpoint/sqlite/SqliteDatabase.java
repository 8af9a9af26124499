package io.superstep.checkpoint.sqlite;

import static io.superstep.error.Option.once;

import io.superstep.checkpoint.sqlite.Session.Work;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * One file of SQLite, which may hold threads, their events and memory together. It is opened, and
 * made if there is none, when it is first used.
 *
 * <p>SQLite makes its callers wait, so all of it happens on JVM threads of its own: one at a time
 * writes, for all who want something written at the same time together, and a few read beside it.
 *
 * <p>Safe for use by many threads. Several processes of one machine may use one file. Without
 * options a commit survives that the power fails, and another process is waited for up to 5
 * seconds.
 *
 * <p>Results are delivered on threads of the file that are marked
 * {@link reactor.core.scheduler.NonBlocking}, so that {@code block()} there is refused at once.
 */
public final class SqliteDatabase implements AutoCloseable {

  private static final int READERS = 4;

  /** How many pages are given back at a time. */
  private static final int SHRINK = 1_000;

  private final Gate gate;
  private final SqliteErrors errors;
  private final StoreThreads threads;
  private final Scheduler scheduler;
  private final Scheduler timer;
  private final Writer writer;
  private final Reader reader;
  private final Bells bells;

  /** What goes on by itself until this is closed. */
  private final Disposable.Composite running = Disposables.composite();

  private boolean isReleased;

  private SqliteDatabase(Builder builder) {
    Duration patience = builder.busyTimeout == null ? Duration.ofSeconds(5) : builder.busyTimeout;
    SqliteFile file = new SqliteFile(
        builder.path,
        patience,
        builder.synchronous == null ? Synchronous.FULL : builder.synchronous,
        builder.maxSize);
    this.errors = new SqliteErrors(file.path(), patience);
    this.gate = new Gate(file.path());
    this.threads = StoreThreads.of(READERS);
    this.scheduler = builder.scheduler == null ? threads.handing() : builder.scheduler;
    this.timer = builder.scheduler == null ? threads.writer() : builder.scheduler;
    this.writer = new Writer(
        file, errors, gate, new Patience(patience, System::nanoTime), threads, scheduler);
    this.reader =
        new Reader(file, errors, gate, threads.readers(), writer.delivery(), opening(writer));
    this.bells = new Bells(writer.delivery());
  }

  /** The file at {@code path}, without options. */
  public static SqliteDatabase open(Path path) {
    return builder(path).open();
  }

  public static Builder builder(Path path) {
    return new Builder(path);
  }

  /** Runs background work that does not block. */
  Scheduler scheduler() {
    return scheduler;
  }

  /** Runs the timers of the file; a task there must return at once. */
  Scheduler timer() {
    return timer;
  }

  SqliteErrors errors() {
    return errors;
  }

  Bells bells() {
    return bells;
  }

  /**
   * Changes something, in a transaction; brings nothing where {@code work} does.
   *
   * @param doing what that is, in words, for whoever hears that it failed
   */
  <T> Mono<T> write(String doing, Work<? extends @Nullable T> work) {
    return writer.write(doing, work);
  }

  /** As {@link #write}, of what may be lost when the machine goes down. */
  <T> Mono<T> writeLightly(String doing, Work<? extends @Nullable T> work) {
    return writer.writeLightly(doing, work);
  }

  /** Looks at the file as it stands when it is subscribed to; brings nothing where work does. */
  <T> Mono<T> read(String doing, Work<? extends @Nullable T> work) {
    return reader.read(doing, work, found -> found);
  }

  /**
   * As {@link #read}, and makes something of what was found.
   *
   * @param decoding done beside the file, and not by whoever hands results on
   */
  <S, T> Mono<T> read(String doing, Work<? extends @Nullable S> work, Function<S, T> decoding) {
    return reader.read(doing, work, decoding);
  }

  private static Mono<Void> opening(Writer writer) {
    return writer.<Void>write("opening", session -> {
      return null; // by then it is open
    });
  }

  /** The next part of a list. */
  interface Page<T> {

    /**
     * What comes behind {@code last}.
     *
     * @param last of the part before; null if this is the first
     */
    List<T> behind(@Nullable T last, Session session) throws SQLException;
  }

  /**
   * A list that is read in parts, as far as it is asked for.
   *
   * @param size how many are in a part; one that has less is the last
   */
  <T> Flux<T> pages(String doing, int size, Page<T> page) {
    return Flux.defer(() -> {
      AtomicReference<@Nullable T> last = new AtomicReference<>();
      AtomicReference<Boolean> more = new AtomicReference<>(true);
      return this.<List<T>>read(doing, session -> page.behind(last.get(), session))
          .doOnNext(part -> {
            more.set(part.size() == size);
            last.set(part.isEmpty() ? null : part.get(part.size() - 1));
          })
          .repeat(more::get)
          .concatMapIterable(part -> part, 1);
    });
  }

  /**
   * As {@link Mono#defer}, but signals every error, also those that Reactor would rethrow to the
   * caller of {@code subscribe}: codecs call code of the application.
   */
  static <T> Mono<T> deferred(Supplier<Mono<T>> supplier) {
    return Mono.defer(() -> supplied(supplier));
  }

  /** Declared here so that {@link SqliteBlockHoundIntegration} can name it. */
  private static <T> Mono<T> supplied(Supplier<Mono<T>> supplier) {
    try {
      return supplier.get();
    } catch (Throwable failure) {
      return Mono.error(failure);
    }
  }

  /** Runs {@code work} in the background; the caller is not affected if that cannot begin. */
  void behind(Mono<?> work) {
    Unheard.safely(Context.empty(), () -> work.subscribe(new Unheard(this)));
  }

  /** As {@code work}, but what goes wrong with it is told to Reactor, so that more can follow. */
  <T> Mono<T> unheard(Mono<T> work) {
    Unheard unheard = new Unheard(this);
    return work.onErrorResume(failure -> {
      unheard.hookOnError(failure);
      return Mono.empty();
    });
  }

  /** Lets {@code work} go on until this is closed. */
  Disposable untilClosed(Flux<?> work) {
    Unheard unheard = new Unheard(this);
    running.add(unheard);
    work.subscribe(unheard);
    return () -> {
      running.remove(unheard);
      unheard.dispose();
    };
  }

  /** What is another whenever another process has changed the file, or may have done so unseen. */
  Mono<Session.Seen> changes() {
    return writer.writeAlone("looking for changes", Session::seen);
  }

  /** Gives a part of what is not used of the file back to the disk. */
  Mono<Void> shrink() {
    return write("shrinking", session -> {
      session.run("PRAGMA incremental_vacuum(" + SHRINK + ")");
      return null;
    });
  }

  /**
   * Lets go what is not used of the file, which SQLite otherwise keeps for what comes. It writes
   * the file anew, needs as much room once more, and everybody else waits meanwhile.
   */
  public Mono<Void> vacuum() {
    return writer.writeAlone("vacuuming", session -> {
      session.run("VACUUM");
      return null;
    });
  }

  /** How many transactions have written up to now. */
  long transactions() {
    return writer.transactions();
  }

  /** How many transactions have read up to now. */
  long reads() {
    return reader.reads();
  }

  boolean isClosed() {
    return gate.isClosed();
  }

  /**
   * Accepts nothing more, and waits until what was accepted is done, whether it writes or reads.
   * What is asked for afterwards is refused with a {@link SqliteClosedException}, and so is what
   * has no end of its own or has not come to it: lists that are read in parts, and followers of
   * events.
   */
  @Override
  public void close() {
    gate.close();
    Unheard.safely(Context.empty(), running::dispose);
    bells.ringAll(); // behind the gate: whoever this wakes must not get in once more
    gate.awaitEmpty(writer::drain); // a result that is told on the thread that writes may close
    release();
  }

  /** Done by the first of those who close; the others go on when it is done. */
  private synchronized void release() {
    if (!isReleased) {
      Unheard.safely(Context.empty(), threads::shutDown);
      reader.closeSessions();
      writer.closeSession();
      isReleased = true;
    }
  }

  /** Collects what a file is told; each option can be set once. */
  public static final class Builder {

    private final Path path;
    private @Nullable Duration busyTimeout;
    private @Nullable Synchronous synchronous;
    private @Nullable Long maxSize;
    private @Nullable Scheduler scheduler;

    private Builder(Path path) {
      this.path = path;
    }

    /** How long a call waits for other processes that hold the file before it is refused. */
    public Builder busyTimeout(Duration most) {
      if (most.toMillis() < 1 || most.toMillis() > Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            "busyTimeout must be at least a millisecond, and was " + most + ".");
      }
      busyTimeout = once("busyTimeout", busyTimeout, most);
      return this;
    }

    /** What a commit has to survive before it counts. */
    public Builder synchronous(Synchronous what) {
      synchronous = once("synchronous", synchronous, what);
      return this;
    }

    /** How many bytes the file may have; as many as the disk has by default. */
    public Builder maxSize(long most) {
      if (most < 1 << 20) {
        throw new IllegalArgumentException("maxSize must be at least 1 MB, and was " + most + ".");
      }
      maxSize = once("maxSize", maxSize, most);
      return this;
    }

    /**
     * Delivers results on {@code handing} in place of the threads of the file. Operators and
     * subscribers that choose no scheduler of their own run there too. If it allows blocking, it
     * must never be exhausted by calls that block for a result of the same file.
     */
    public Builder scheduler(Scheduler handing) {
      scheduler = once("scheduler", scheduler, handing);
      return this;
    }

    /**
     * Returns the database. The path is checked; the file is opened or created by the first call.
     *
     * @throws SqliteFileException if no file can be opened or created at the path (SG-468)
     */
    public SqliteDatabase open() {
      SqliteFileException unusable = SqliteFileException.unusable(path, null);
      if (unusable != null) {
        throw unusable;
      }
      return new SqliteDatabase(this);
    }
  }
}
