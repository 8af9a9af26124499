package io.superstep.checkpoint.sqlite;

import static io.superstep.testkit.Chains.LOG;

import io.superstep.checkpoint.Cause;
import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Due;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.Pause;
import io.superstep.checkpoint.Position;
import io.superstep.state.Contribution;
import io.superstep.state.Schemas;
import io.superstep.state.StateSchema;
import io.superstep.state.Transition;
import io.superstep.state.Update;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Writes to a new thread as a run does, and nothing but that. */
final class Scribe {

  static final Schemas SCHEMAS = Schemas.of(StateSchema.of(LOG));

  private final CheckpointStore store;
  private final Lease lease;
  private @Nullable CheckpointId head;
  private Position position = new Position(
      "t/1-1",
      0,
      SCHEMAS.schema().start(),
      List.of(Due.by("work")),
      List.of(),
      Map.of(),
      Map.of(),
      Pause.NONE);

  private Scribe(CheckpointStore store, Lease lease) {
    this.store = store;
    this.lease = lease;
  }

  static Mono<Scribe> of(CheckpointStore store, String thread) {
    return Mono.from(store.acquire(thread, thread, Duration.ofMinutes(1)))
        .map(lease -> new Scribe(store, lease));
  }

  /** Appends {@code text} in a checkpoint of its own, which is brought when it is safe. */
  Mono<CheckpointId> append(String text) {
    return Mono.defer(() -> {
      Transition transition =
          position.state().fold(List.of(new Contribution("scribe", Update.append(LOG, text))));
      Commit commit = new Commit(
          CheckpointId.after(head, lease.fence()),
          head,
          head,
          Cause.STEP,
          Instant.EPOCH,
          "fingerprint",
          transition.changes(),
          position.with(transition.state()),
          List.of(),
          List.of(),
          null,
          null,
          List.of());
      return Flux.from(store.commit(lease, commit, SCHEMAS)).then(Mono.fromCallable(() -> {
        head = commit.id();
        position = commit.position();
        return commit.id();
      }));
    });
  }
}
