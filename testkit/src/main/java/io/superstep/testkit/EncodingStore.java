package io.superstep.testkit;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.Position;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.state.StateSchema;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import tools.jackson.databind.JacksonModule;

/**
 * A store in whose threads nothing lives that could not be stored: all that it is given goes to
 * JSON and back before another store gets it.
 *
 * <p>Tests of a graph take it around a store in memory. A value that no durable store could keep
 * fails the run where it is first written, with an {@link io.superstep.json.InvalidJsonException}
 * that names its channel, and nothing is written of that call; and what is loaded is what was read
 * back, never the very object that a node made. It costs what the whole state is long, at every
 * step.
 *
 * <p>What tasks inside a subgraph said is looked at from the first step on that the subgraph has
 * taken; before, nobody has told of what schema it is.
 */
public final class EncodingStore extends StoreAround {

  private final Map<StateSchema, RoundTrip> bySchema = new ConcurrentHashMap<>();

  /** By origin of a line of steps, of what schema its state is: notes come without one. */
  private final Map<String, RoundTrip> byOrigin = new ConcurrentHashMap<>();

  /** By origin of a line of steps inside a task, that of the line which the task belongs to. */
  private final Map<String, String> around = new ConcurrentHashMap<>();

  private final List<JacksonModule> modules;

  /**
   * A store that keeps in {@code store} what it has read back.
   *
   * @param modules for values that Jackson does not know by itself
   */
  public EncodingStore(CheckpointStore store, JacksonModule... modules) {
    super(store);
    this.modules = List.of(modules);
  }

  private RoundTrip seen(Position position) {
    RoundTrip trip = bySchema.computeIfAbsent(
        position.state().schema(), schema -> new RoundTrip(schema, modules));
    byOrigin.put(position.origin(), trip);
    return trip;
  }

  /** @param task that is a graph of its own, which stands at {@code position} */
  private RoundTrip seen(Task task, Position position) {
    around.put(position.origin(), task.origin());
    return seen(position);
  }

  private List<TaskNote> readBack(List<TaskNote> notes) {
    return notes.stream().map(this::readBack).toList();
  }

  /** What a task says is of the schema around it, and what a graph inside does of its own. */
  private TaskNote readBack(TaskNote note) {
    RoundTrip inside =
        note instanceof TaskNote.Advanced step ? seen(step.task(), step.position()) : null;
    String origin = note.task().origin();
    RoundTrip trip = byOrigin.get(origin);
    String outside = around.get(origin);
    return trip == null
        ? note
        : trip.of(note, inside, outside == null ? null : byOrigin.get(outside));
  }

  @Override
  public Publisher<SavedThread> load(String thread, StateSchema schema) {
    return seen(super.load(thread, schema));
  }

  @Override
  public Publisher<SavedThread> load(String thread, CheckpointId id, StateSchema schema) {
    return seen(super.load(thread, id, schema));
  }

  private Publisher<SavedThread> seen(Publisher<SavedThread> loaded) {
    return Flux.from(loaded).doOnNext(saved -> {
      seen(saved.position());
      saved.inside().forEach(this::seen);
    });
  }

  @Override
  public Publisher<Void> commit(Lease lease, Commit commit) {
    return Flux.defer(() ->
        super.commit(lease, seen(commit.position()).of(commit, readBack(commit.notes()))));
  }

  @Override
  public Publisher<Void> record(Lease lease, CheckpointId head, List<TaskNote> notes) {
    return Flux.defer(() -> super.record(lease, head, readBack(notes)));
  }
}
