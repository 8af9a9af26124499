package io.superstep.checkpoint.sqlite;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Descent;
import io.superstep.checkpoint.UnknownCheckpointException;
import io.superstep.checkpoint.sqlite.ThreadBytes.Digested;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rows of checkpoints and of what belongs to them.
 *
 * <p>Where each checkpoint is the parent of the next they form a stem, and each knows where its
 * stem begins. So the line that leads to a checkpoint is a few ranges of the index, one for each
 * fork on the way, and never a look at another branch or another thread.
 */
final class LogTable {

  private LogTable() {}

  /**
   * From where on each is the parent of the next, up to what {@code commit} makes.
   *
   * @throws UnknownCheckpointException if there is no such parent
   */
  static long stem(Session session, ThreadRow row, Commit commit) throws SQLException {
    CheckpointId parent = commit.parent();
    ThreadRow.Tip tip = row.tip();
    if (parent == null) {
      return commit.id().sequence();
    }
    if (tip != null && parent.equals(tip.id())) {
      return tip.stem();
    }
    if (entry(session, row.id(), parent) == null) {
      throw new UnknownCheckpointException(row.name(), parent);
    }
    return commit.id().sequence();
  }

  /** @param span about how many bytes lead to it */
  static void add(
      Session session, ThreadRow row, Commit commit, long stem, long span, Digested entry)
      throws SQLException {
    CheckpointId merged = Descent.Member.merged(commit.cause());
    Instant time = commit.time();
    session.update(
        "INSERT INTO checkpoint (thread, sequence, fence, parent, stem, merged, merged_fence,"
            + " second, nano, span, digest, entry) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        row.id(),
        commit.id().sequence(),
        commit.id().fence(),
        commit.parent() == null ? null : commit.parent().sequence(),
        stem,
        merged == null ? null : merged.sequence(),
        merged == null ? null : merged.fence(),
        time.getEpochSecond(),
        time.getNano(),
        span,
        entry.digest(),
        entry.bytes());
  }

  /**
   * The ranges of sequences that lead to a checkpoint, the first one first, as far back as a
   * snapshot or a base.
   *
   * @param snapshot the sequence behind which they begin; null if they begin with a base
   */
  private record Way(List<Range> ranges, @Nullable Long snapshot) {}

  private record Range(long start, long end) {}

  /** A parent precedes its child, so each round ends before the one before it. */
  private static Way way(Session session, ThreadRow row, long to) throws SQLException {
    List<Range> ranges = new ArrayList<>();
    Long snapshot = Session.known(session.number(
        "SELECT coalesce(max(sequence), 0) FROM snapshot WHERE thread = ?", row.id()));
    Long end = to;
    while (end != null) {
      long stem = stem(session, row, end);
      if (snapshot != null && snapshot >= stem && snapshot <= end) {
        ranges.add(0, new Range(snapshot + 1, end));
        return new Way(ranges, snapshot);
      }
      ranges.add(0, new Range(stem, end));
      end = parentOfStem(session, row, stem);
    }
    return new Way(ranges, null);
  }

  private static long stem(Session session, ThreadRow row, long sequence) throws SQLException {
    Long stem = session.one(
        "SELECT stem FROM checkpoint WHERE thread = ? AND sequence = ?",
        rows -> Columns.whole(rows, 1),
        row.id(),
        sequence);
    if (stem == null) {
      throw SqliteRowException.missingCheckpoint(row, sequence);
    }
    if (stem < 1 || stem > sequence) {
      throw SqliteRowException.invalidCheckpoint(
          row.name(), sequence, "Column 'stem' is beyond the sequence of the checkpoint.");
    }
    return stem;
  }

  /** About how many bytes loading a checkpoint has to read. */
  static long span(Session session, ThreadRow row, CheckpointId to) throws SQLException {
    long span = 0;
    for (Range range : way(session, row, to.sequence()).ranges()) {
      span += session.number(
          "SELECT coalesce(sum(length(entry)), 0) FROM checkpoint"
              + " WHERE thread = ? AND sequence BETWEEN ? AND ?",
          row.id(),
          range.start(),
          range.end());
    }
    return span;
  }

  /** What is stored of the line that leads to a checkpoint, as far as it has to be read. */
  static final class Line {

    private final CheckpointId id;
    private final byte @Nullable [] snapshot;
    private final byte[] last;
    private final List<byte[]> entries = new ArrayList<>();
    private final List<byte[]> notes;

    private Line(CheckpointId id, byte @Nullable [] snapshot, byte[] last, List<byte[]> notes) {
      this.id = id;
      this.snapshot = snapshot;
      this.last = last;
      this.notes = notes;
    }

    /** The checkpoint. */
    CheckpointId id() {
      return id;
    }

    /** The state from which the first entry starts; null if that is a base. */
    byte @Nullable [] snapshot() {
      return snapshot;
    }

    /** Those that lead from there to the checkpoint; none if the snapshot is its own. */
    List<byte[]> entries() {
      return entries;
    }

    /** The entry of the checkpoint itself. */
    byte[] last() {
      return last;
    }

    /** What is known of the tasks that are due at the checkpoint. */
    List<byte[]> notes() {
      return notes;
    }
  }

  /** Null if the thread has no such checkpoint. */
  static @Nullable Line line(Session session, ThreadRow row, CheckpointId to) throws SQLException {
    byte[] last = entry(session, row.id(), to);
    if (last == null) {
      return null;
    }
    Way way = way(session, row, to.sequence());
    byte[] snapshot = way.snapshot() == null
        ? null
        : session.one(
            "SELECT state FROM snapshot WHERE thread = ?",
            rows -> Columns.bytes(rows, 1),
            row.id());
    Line line = new Line(to, snapshot, last, notes(session, row.id(), to));
    for (Range range : way.ranges()) {
      boolean mayBeginLater = way.snapshot() == null && line.entries.isEmpty(); // what pruning left
      line.entries.addAll(entries(session, row, range, mayBeginLater));
    }
    return line;
  }

  /** The entries of all sequences of a range; none of them may be missing. */
  private static List<byte[]> entries(
      Session session, ThreadRow row, Range range, boolean mayBeginLater) throws SQLException {
    List<StoredEntry> found = session.all(
        "SELECT sequence, entry FROM checkpoint WHERE thread = ? AND sequence BETWEEN ? AND ?"
            + " ORDER BY sequence",
        rows -> new StoredEntry(rows.getLong(1), Columns.bytes(rows, 2)),
        row.id(),
        range.start(),
        range.end());
    List<byte[]> entries = new ArrayList<>(found.size());
    long next = mayBeginLater && !found.isEmpty() ? found.get(0).sequence() : range.start();
    for (StoredEntry stored : found) {
      if (stored.sequence() != next) {
        throw SqliteRowException.missingCheckpoint(row, next);
      }
      entries.add(stored.entry());
      next++;
    }
    if (next <= range.end()) {
      throw SqliteRowException.missingCheckpoint(row, next);
    }
    return entries;
  }

  /** Null if the stem begins with a base: its own beginning, or what pruning has left of it. */
  private static @Nullable Long parentOfStem(Session session, ThreadRow row, long stem)
      throws SQLException {
    Long parent = Session.known(session.number(
        "SELECT coalesce(parent, 0) FROM checkpoint WHERE thread = ? AND sequence >= ?"
            + " ORDER BY sequence LIMIT 1",
        row.id(),
        stem));
    if (parent != null && (parent < 1 || parent >= stem)) {
      throw SqliteRowException.invalidCheckpoint(
          row.name(), stem, "The parent does not precede the checkpoint.");
    }
    return parent;
  }

  static List<byte[]> notes(Session session, long thread, CheckpointId at) throws SQLException {
    return session.all(
        "SELECT note FROM note WHERE thread = ? AND sequence = ? ORDER BY place",
        rows -> Columns.bytes(rows, 1),
        thread,
        at.sequence());
  }

  static void addNotes(Session session, long thread, CheckpointId at, List<byte[]> notes)
      throws SQLException {
    if (notes.isEmpty()) {
      return;
    }
    long place = session.number(
        "SELECT max(place) FROM note WHERE thread = ? AND sequence = ?", thread, at.sequence());
    for (byte[] note : notes) {
      session.update(
          "INSERT INTO note (thread, sequence, place, note) VALUES (?, ?, ?, ?)",
          thread,
          at.sequence(),
          ++place,
          note);
    }
  }

  static void dropNotes(Session session, long thread, CheckpointId at) throws SQLException {
    session.update("DELETE FROM note WHERE thread = ? AND sequence = ?", thread, at.sequence());
  }

  static byte @Nullable [] entry(Session session, long thread, CheckpointId id)
      throws SQLException {
    return session.one(
        "SELECT entry FROM checkpoint WHERE thread = ? AND sequence = ? AND fence = ?",
        rows -> Columns.bytes(rows, 1),
        thread,
        id.sequence(),
        id.fence());
  }

  /** Of what was written as a checkpoint, whatever has become of it since. */
  static byte @Nullable [] digest(Session session, long thread, CheckpointId id)
      throws SQLException {
    return session.one(
        "SELECT digest FROM checkpoint WHERE thread = ? AND sequence = ?",
        rows -> rows.getBytes(1),
        thread,
        id.sequence());
  }

  /** A checkpoint as it is stored. */
  static final class StoredEntry {

    private final long sequence;
    private final byte[] entry;

    private StoredEntry(long sequence, byte[] entry) {
      this.sequence = sequence;
      this.entry = entry;
    }

    long sequence() {
      return sequence;
    }

    byte[] entry() {
      return entry;
    }
  }

  /** Checkpoints below {@code sequence}, the newest first. */
  static List<StoredEntry> before(Session session, String thread, long sequence, int most)
      throws SQLException {
    return session.all(
        "SELECT sequence, entry FROM checkpoint"
            + " WHERE thread = (SELECT id FROM thread WHERE name = ?) AND sequence < ?"
            + " ORDER BY sequence DESC LIMIT ?",
        rows -> new StoredEntry(Columns.whole(rows, 1), Columns.bytes(rows, 2)),
        Names.stored(thread),
        sequence,
        most);
  }

  /** What has to be known of a checkpoint to remove it, or others. */
  record Known(Descent.Member member, Instant time) {

    CheckpointId id() {
      return member.id();
    }
  }

  /** All checkpoints of a thread in the order of their sequence. */
  static List<Known> all(Session session, ThreadRow row) throws SQLException {
    List<Known> known = new ArrayList<>();
    Map<Long, CheckpointId> ids = new HashMap<>();
    session.all(
        "SELECT sequence, fence, parent, merged, merged_fence, second, nano FROM checkpoint"
            + " WHERE thread = ? ORDER BY sequence",
        rows -> {
          CheckpointId id = new CheckpointId(Columns.whole(rows, 1), Columns.whole(rows, 2));
          ids.put(id.sequence(), id);
          Long parent = Columns.wholeOrNull(rows, 3);
          if (parent != null && parent >= id.sequence()) {
            throw SqliteRowException.invalidCheckpoint(
                row.name(), id.sequence(), "The parent does not precede the checkpoint.");
          }
          return known.add(new Known(
              new Descent.Member(id, parent == null ? null : ids.get(parent), merged(rows)),
              Instant.ofEpochSecond(rows.getLong(6), rows.getLong(7))));
        },
        row.id());
    return known;
  }

  private static @Nullable CheckpointId merged(ResultSet rows) throws SQLException {
    Long merged = Session.nullable(rows, 4);
    return merged == null ? null : new CheckpointId(merged, rows.getLong(5));
  }

  static long count(Session session, long thread) throws SQLException {
    return session.number("SELECT count(*) FROM checkpoint WHERE thread = ?", thread);
  }

  /** The first checkpoint that is left; null if there is none. */
  static @Nullable Known first(Session session, long thread) throws SQLException {
    return session.one(
        "SELECT sequence, fence, second, nano FROM checkpoint WHERE thread = ?"
            + " ORDER BY sequence LIMIT 1",
        rows -> new Known(
            new Descent.Member(new CheckpointId(rows.getLong(1), rows.getLong(2)), null, null),
            Instant.ofEpochSecond(rows.getLong(3), rows.getLong(4))),
        thread);
  }

  static void remove(Session session, long thread, CheckpointId id) throws SQLException {
    session.update(
        "DELETE FROM checkpoint WHERE thread = ? AND sequence = ?", thread, id.sequence());
  }

  /** Removes all that were written before {@code first}. */
  static int cutOff(Session session, long thread, CheckpointId first) throws SQLException {
    return session.update(
        "DELETE FROM checkpoint WHERE thread = ? AND sequence < ?", thread, first.sequence());
  }

  static void replaceByBase(Session session, long thread, CheckpointId id, byte[] entry)
      throws SQLException {
    session.update(
        "UPDATE checkpoint SET parent = NULL, entry = ? WHERE thread = ? AND sequence = ?",
        entry,
        thread,
        id.sequence());
  }

  /** Writes a snapshot, unless there is a later one; says whether it did. */
  static boolean snapshot(Session session, long thread, CheckpointId at, byte[] state)
      throws SQLException {
    int written = session.update(
        "INSERT INTO snapshot (thread, sequence, state) VALUES (?, ?, ?) ON CONFLICT (thread)"
            + " DO UPDATE SET sequence = excluded.sequence, state = excluded.state"
            + " WHERE excluded.sequence > sequence",
        thread,
        at.sequence(),
        state);
    return written > 0;
  }
}
