package io.superstep.checkpoint.sqlite;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Descent;
import io.superstep.checkpoint.LogEntry;
import io.superstep.checkpoint.Retention;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.ThreadSummary;
import io.superstep.checkpoint.sqlite.LogTable.Known;
import io.superstep.state.Schemas;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Removes checkpoints. What goes, and what becomes a base, is decided where it keeps nobody from
 * writing; it is done in one transaction if nothing but steps has happened meanwhile to the very
 * thread, and else decided anew.
 */
final class Pruning {

  /** Far more than other processes cause; rows that contradict each other would never end. */
  private static final int MAX_ATTEMPTS = 100;

  private final SqliteDatabase database;
  private final ThreadBytes bytes;
  private final ThreadStatuses statuses;
  private final InstantSource clock;

  Pruning(
      SqliteDatabase database, ThreadBytes bytes, ThreadStatuses statuses, InstantSource clock) {
    this.database = database;
    this.bytes = bytes;
    this.statuses = statuses;
    this.clock = clock;
  }

  /** As {@link io.superstep.checkpoint.CheckpointStore#delete(String, CheckpointId, boolean)}. */
  Mono<Boolean> remove(String thread, CheckpointId id, boolean cascade) {
    return database.write("removing a checkpoint of thread '" + thread + "'", session -> {
      ThreadRow row = ThreadTable.find(session, thread);
      if (row == null) {
        return false;
      }
      List<Descent.Member> members =
          LogTable.all(session, row).stream().map(Known::member).toList();
      Set<CheckpointId> doomed = new Descent(row.head(), members).doomed(thread, id, cascade);
      for (CheckpointId each : doomed) {
        LogTable.remove(session, row.id(), each);
      }
      ThreadTable.reshaped(session, row);
      return !doomed.isEmpty();
    });
  }

  /** As {@link io.superstep.checkpoint.CheckpointStore#prune}. */
  Mono<Long> prune(String thread, Retention retention, Instant now) {
    return prune(thread, retention, now, MAX_ATTEMPTS);
  }

  /** @param attempts how many plans may fail because the thread has changed meanwhile */
  private Mono<Long> prune(String thread, Retention retention, Instant now, int attempts) {
    if (attempts == 0) {
      return Mono.error(SqliteRowException.invalid(
          "The checkpoints cannot be pruned: rows of the pruning plan are missing.",
          "table 'checkpoint', thread " + SqliteRowException.quoted(thread)));
    }
    String doing = "pruning thread '" + thread + "'";
    return database
        .<Plan>read(doing, session -> plan(session, thread, retention, now))
        .flatMap(plan -> database
            .<Long>write(doing, session -> done(session, thread, plan, retention, now))
            .switchIfEmpty(Mono.defer(() -> prune(thread, retention, now, attempts - 1))))
        .defaultIfEmpty(0L);
  }

  /**
   * What is to be done.
   *
   * @param shape that of the thread, which must not have changed
   * @param first the first checkpoint that stays; null if the whole thread goes
   * @param bases what takes the place of checkpoints that lose their parents
   */
  private record Plan(long shape, @Nullable CheckpointId first, Map<CheckpointId, byte[]> bases) {}

  /** Null if all of it stays. */
  private @Nullable Plan plan(Session session, String thread, Retention retention, Instant now)
      throws SQLException {
    ThreadRow row = ThreadTable.find(session, thread);
    if (row == null || row.head() == null) {
      return null;
    }
    if (isForgotten(session, row, retention, now)) {
      return new Plan(ThreadTable.shape(session, row), null, Map.of());
    }
    List<Known> all = LogTable.all(session, row);
    int gone = outdated(all, retention, now);
    if (gone == 0) {
      return null;
    }
    CheckpointId first = all.get(gone).id();
    Map<CheckpointId, byte[]> bases = new LinkedHashMap<>();
    for (Known each : all.subList(gone, all.size())) {
      CheckpointId parent = each.member().parent();
      if (parent != null && parent.compareTo(first) < 0) {
        bases.put(each.id(), base(session, row, each.id()));
      }
    }
    return new Plan(ThreadTable.shape(session, row), first, bases);
  }

  private boolean isForgotten(Session session, ThreadRow row, Retention retention, Instant now)
      throws SQLException {
    if (retention.done() == null) {
      return false;
    }
    ThreadSummary summary = statuses.of(session, row, clock.instant());
    return summary != null && retention.forgets(summary.status(), summary.time(), now);
  }

  private static int outdated(List<Known> all, Retention retention, Instant now) {
    int index = 0;
    while (!retention.keeps(all.size() - 1L - index, all.get(index).time(), now)) {
      index++;
    }
    return index;
  }

  private byte[] base(Session session, ThreadRow row, CheckpointId id) throws SQLException {
    LogTable.Line line = LogTable.line(session, row, id);
    if (line == null) {
      throw SqliteRowException.missingCheckpoint(row, id.sequence());
    }
    SavedThread saved = bytes.thread(row.name(), line, Schemas.NONE);
    LogEntry entry = bytes.entry(line.last(), Schemas.NONE);
    return bytes.entry(entry.asBase(saved.position().state()), Schemas.NONE);
  }

  /** How many checkpoints went; null if the plan no longer fits. */
  private @Nullable Long done(
      Session session, String thread, Plan plan, Retention retention, Instant now)
      throws SQLException {
    ThreadRow row = ThreadTable.find(session, thread);
    if (row == null || ThreadTable.shape(session, row) != plan.shape()) {
      return null;
    }
    CheckpointId first = plan.first();
    if (first != null) {
      if (LogTable.entry(session, row.id(), first) == null) {
        return null; // another thread of that name: ids of rows come again, fences never do
      }
      for (Map.Entry<CheckpointId, byte[]> base : plan.bases().entrySet()) {
        LogTable.replaceByBase(session, row.id(), base.getKey(), base.getValue());
      }
      ThreadTable.reshaped(session, row);
      return (long) LogTable.cutOff(session, row.id(), first);
    }
    if (!isForgotten(session, row, retention, now)) {
      return null;
    }
    long count = LogTable.count(session, row.id());
    ThreadTable.delete(session, row);
    return count;
  }
}
