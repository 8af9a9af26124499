package io.superstep.reactor;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.Checkpoint.Credit;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.Task;
import io.superstep.state.Changes;
import io.superstep.state.State;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A commit as a log in memory keeps it. Most are those of plain steps, which are told in a few
 * fields; kept as they come, each would be eight more objects for every collection to copy.
 */
sealed interface KeptCommit {

  /** What was written. */
  Commit commit();

  CheckpointId id();

  @Nullable
  CheckpointId parent();

  Cause cause();

  Instant time();

  static KeptCommit of(Commit commit) {
    return PlainStep.isPlain(commit) ? PlainStep.of(commit) : new Whole(commit);
  }

  /** A commit as it came. */
  record Whole(Commit commit) implements KeptCommit {

    @Override
    public CheckpointId id() {
      return commit.id();
    }

    @Override
    public @Nullable CheckpointId parent() {
      return commit.parent();
    }

    @Override
    public Cause cause() {
      return commit.cause();
    }

    @Override
    public Instant time() {
      return commit.time();
    }
  }

  /**
   * The commit of a step in which one task was run, at its first attempt, and after which one is
   * due at most; its parent was written just before it, under the same lease.
   *
   * @param second of its time, and {@code nano} in that second
   * @param ran the node that was run
   * @param due the node that is due; null if none is
   */
  record PlainStep(
      long sequence,
      long fence,
      long second,
      int nano,
      int step,
      String origin,
      String fingerprint,
      String ran,
      @Nullable String due,
      Changes changes,
      State state)
      implements KeptCommit {

    private static PlainStep of(Commit commit) {
      Position at = commit.position();
      Instant time = commit.time();
      return new PlainStep(
          commit.id().sequence(),
          commit.id().fence(),
          time.getEpochSecond(),
          time.getNano(),
          at.step(),
          at.origin(),
          commit.fingerprint(),
          commit.credits().get(0).task().node(),
          at.due().isEmpty() ? null : at.due().get(0).node(),
          commit.changes(),
          at.state());
    }

    private static boolean isPlain(Commit commit) {
      return commit.cause() == Cause.STEP
          && isNext(commit)
          && isPlain(commit.position())
          && commit.credits().size() == 1
          && isPlain(commit.credits().get(0), commit.position())
          && commit.notes().isEmpty()
          && commit.notesSeen() == null
          && commit.taken() == null
          && commit.memories().isEmpty();
    }

    private static boolean isNext(Commit commit) {
      CheckpointId parent = commit.parent();
      return parent != null
          && parent.equals(commit.seen())
          && parent.sequence() == commit.id().sequence() - 1
          && parent.fence() == commit.id().fence();
    }

    private static boolean isPlain(Position at) {
      return at.due().size() <= 1
          && (at.due().isEmpty() || !at.due().get(0).isSend())
          && at.deferred().isEmpty()
          && at.arrivals().isEmpty()
          && at.visits().isEmpty()
          && at.pause().isEmpty();
    }

    private static boolean isPlain(Credit credit, Position at) {
      Task task = credit.task();
      return credit.attempt() == 1
          && credit.answers().isEmpty()
          && task.arguments() == null
          && task.index() == 0
          && task.step() == at.step()
          && task.origin().equals(at.origin());
    }

    @Override
    public CheckpointId id() {
      return new CheckpointId(sequence, fence);
    }

    @Override
    public CheckpointId parent() {
      return new CheckpointId(sequence - 1, fence);
    }

    @Override
    public Cause cause() {
      return Cause.STEP;
    }

    @Override
    public Instant time() {
      return Instant.ofEpochSecond(second, nano);
    }

    @Override
    public Commit commit() {
      CheckpointId parent = parent();
      return new Commit(
          id(),
          parent,
          parent,
          cause(),
          time(),
          fingerprint,
          changes,
          position(),
          List.of(new Credit(new Task(origin, step, 0, ran, null), 1)),
          List.of(),
          null,
          null,
          List.of());
    }

    private Position position() {
      return new Position(
          origin,
          step,
          state,
          due == null ? List.of() : List.of(Due.by(due)),
          List.of(),
          Map.of(),
          Map.of(),
          Pause.NONE);
    }
  }
}
