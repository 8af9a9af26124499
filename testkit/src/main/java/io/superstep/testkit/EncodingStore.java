package io.superstep.testkit;

import io.superstep.checkpoint.CheckpointId;
import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.Lease;
import io.superstep.checkpoint.LogEntry;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.Task;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNote.Advanced;
import io.superstep.json.ThreadCodec;
import io.superstep.state.Channel;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A store in whose threads nothing lives that could not be stored: all that it is given goes to
 * JSON and back before another store gets it, as a store on disk would have it.
 *
 * <p>Tests of a graph take it around a store in memory. A value that no durable store could keep
 * fails the run where it is first written, with an {@link io.superstep.json.InvalidJsonException}
 * that names its channel, and nothing is written of that call; and what is loaded is what was read
 * back, never the very object that a node made: a step is what its changes make of the step before.
 */
public final class EncodingStore extends StoreAround {

  /** Tests make many stores, and a codec takes time and room to prepare. */
  private static final ThreadCodec CODEC = ThreadCodec.create();

  private final CheckpointStore store;
  private final ThreadCodec codec;

  /** A store that keeps in {@code store} what it has read back. */
  public EncodingStore(CheckpointStore store) {
    this(store, CODEC);
  }

  /** As {@link #EncodingStore(CheckpointStore)}, with modules and stages. */
  public EncodingStore(CheckpointStore store, ThreadCodec codec) {
    super(store);
    this.store = store;
    this.codec = codec;
  }

  @Override
  public void requireStorable(Schemas schemas) {
    codec.requireStorable(schemas);
    store.requireStorable(schemas);
  }

  @Override
  public Publisher<Void> commit(Lease lease, Commit commit, Schemas schemas) {
    return Flux.defer(() -> {
      State live = commit.position().state();
      LogEntry written = LogEntry.of(commit);
      LogEntry alone = written.base() == null ? written : written.withBase(without(live));
      LogEntry entry = codec.decodeEntry(codec.encode(alone, schemas), schemas);
      List<TaskNote> notes = new ArrayList<>();
      commit.notes().forEach(note -> notes.add(readBack(note, null, schemas)));
      Mono<State> state = entry.base() == null
          ? parent(lease.thread(), commit, schemas)
              .map(parent -> as(live.schema(), entry.after(parent)))
              .defaultIfEmpty(live)
          : Mono.just(with(entry.base(), live.strangers()));
      return state.flatMapMany(
          folded -> super.commit(lease, readBack(commit, entry, folded, notes), schemas));
    });
  }

  /** The state from which {@code commit} starts; empty if there is no such checkpoint. */
  private Mono<State> parent(String thread, Commit commit, Schemas schemas) {
    CheckpointId parent = Objects.requireNonNull(commit.parent());
    return Mono.from(store.load(thread, parent, Schemas.of(stored(schemas.schema()))))
        .map(saved -> saved.position().state());
  }

  /** Without what lives as long as a run: nobody is asked for the start of that. */
  private static StateSchema stored(StateSchema schema) {
    return StateSchema.of(schema.channels().stream()
        .filter(channel -> channel.lifetime().isStored())
        .toArray(Channel<?>[]::new));
  }

  private static Commit readBack(Commit commit, LogEntry entry, State state, List<TaskNote> notes) {
    return new Commit(
        entry.id(),
        commit.seen(),
        entry.parent(),
        entry.cause(),
        entry.time(),
        entry.fingerprint(),
        entry.changes(),
        entry.position().with(state),
        entry.credits(),
        notes,
        commit.notesSeen(),
        commit.taken(),
        entry.memories());
  }

  /** What the schema does not know is left out: the store in memory keeps it as values. */
  private static State without(State state) {
    return state.strangers().isEmpty() ? state : with(state, Map.of());
  }

  private static State with(State state, Map<String, Object> strangers) {
    return state.strangers().equals(strangers) ? state : as(state.schema(), state, strangers);
  }

  private static State as(StateSchema schema, State state) {
    return as(schema, state, state.strangers());
  }

  private static State as(StateSchema schema, State state, Map<String, Object> strangers) {
    Map<String, Object> values = new HashMap<>();
    Map<String, Integer> versions = new HashMap<>();
    for (Channel<?> channel : state.schema().channels()) {
      Object value = channel.lifetime().isStored() ? state.get(channel) : null;
      if (value != null) {
        values.put(channel.name(), value);
      }
      versions.put(channel.name(), state.version(channel));
    }
    return schema.restoreStored(values, versions, strangers);
  }

  @Override
  public Publisher<Void> record(
      Lease lease, CheckpointId head, List<TaskNote> notes, Schemas schemas) {
    return Flux.defer(() -> Mono.from(store.load(lease.thread(), head, Schemas.NONE))
        .map(SavedThread::notes)
        .defaultIfEmpty(List.of())
        .flatMapMany(known -> super.record(lease, head, readBack(notes, known, schemas), schemas)));
  }

  private List<TaskNote> readBack(List<TaskNote> notes, List<TaskNote> known, Schemas schemas) {
    Map<Task, Advanced> steps = new HashMap<>();
    known.forEach(note -> see(note, steps));
    List<TaskNote> read = new ArrayList<>();
    for (TaskNote note : notes) {
      TaskNote back = readBack(note, steps.get(note.task()), schemas);
      see(back, steps);
      read.add(back);
    }
    return read;
  }

  private static void see(TaskNote note, Map<Task, Advanced> steps) {
    if (note instanceof Advanced step) {
      steps.put(step.task(), step);
    }
  }

  /**
   * @param before the last step that is known of the graph inside the task; null if there is none
   */
  private TaskNote readBack(TaskNote note, @Nullable Advanced before, Schemas schemas) {
    List<byte[]> stored = new ArrayList<>();
    if (note instanceof Advanced step && before != null && isBehind(step, before)) {
      stored.add(codec.encodeWhole(before, schemas));
      stored.add(codec.encode(note, schemas));
    } else {
      stored.add(codec.encodeWhole(note, schemas));
    }
    List<TaskNote> read = codec.decodeNotes(stored, schemas).inOrder();
    // the record of a resume voids others, and is not kept
    return note instanceof TaskNote.Resumed ? note : read.get(read.size() - 1);
  }

  private static boolean isBehind(Advanced step, Advanced before) {
    return step.attempt() == before.attempt()
        && step.position().step() == before.position().step() + 1;
  }

  @Override
  public Publisher<Void> answer(
      String thread, CheckpointId head, TaskNote.Answered answer, Schemas schemas) {
    return Flux.defer(() ->
        super.answer(thread, head, (TaskNote.Answered) readBack(answer, null, schemas), schemas));
  }

  @Override
  public Publisher<Void> enqueue(String thread, QueuedInput input, Schemas schemas) {
    return Flux.defer(() ->
        super.enqueue(thread, codec.decodeInput(codec.encode(input, schemas), schemas), schemas));
  }
}
