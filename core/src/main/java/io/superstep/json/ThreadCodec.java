package io.superstep.json;

import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.LogEntry;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNotes;
import io.superstep.error.SuperstepException;
import io.superstep.state.InvalidUpdateException;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JacksonModule;

/**
 * Writes what a store keeps of a thread as JSON, piece by piece, and reads it back equal: the
 * checkpoints of its log, snapshots of its state, what is known of its tasks, and the inputs that
 * wait.
 *
 * <p>A checkpoint is as long as what changed. Values are typed by {@link Schemas}, as a
 * {@link JsonCodec} has it: nothing that is stored names a class. What the schemas do not know,
 * channels as well as whole graphs inside, is kept and written again as it was; with
 * {@link Schemas#NONE} all of it can be read that is no value, and written back.
 *
 * <p>Immutable and safe for use by many threads. Schemas are prepared once, when they are first
 * seen.
 */
public final class ThreadCodec {

  private final Documents documents;
  private final KnownSchemas known;

  private ThreadCodec(Builder builder) {
    this.documents = new Documents(builder.modules, builder.stages);
    this.known = new KnownSchemas(documents.mapper());
  }

  /** A codec without modules and stages. */
  public static ThreadCodec create() {
    return builder().build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /**
   * Checks that the type of each stored channel of a graph and of its subgraphs can be written.
   *
   * @throws InvalidJsonException with SG-306 for the first channel whose type cannot
   */
  public void requireStorable(Schemas schemas) {
    known.of(schemas.schema());
    schemas.inside().values().forEach(this::requireStorable);
  }

  /**
   * What {@code commit} adds to the log of its thread. Its notes are not part of it: each is
   * encoded {@linkplain #encodeWhole on its own}.
   *
   * @throws InvalidJsonException if it holds a value that cannot be read back
   */
  public byte[] encode(Commit commit, Schemas schemas) {
    return encode(LogEntry.of(commit), schemas);
  }

  /** As {@link #encode(Commit, Schemas)}, of an entry that was read or made a base. */
  public byte[] encode(LogEntry entry, Schemas schemas) {
    EntryText text = new EntryText(known.of(schemas));
    return documents.encode((out, context) -> text.write(entry, out, context));
  }

  /**
   * The entry that was encoded as {@code stored}.
   *
   * @throws InvalidJsonException if {@code stored} is something else
   */
  public LogEntry decodeEntry(byte[] stored, Schemas schemas) {
    return decoded(stored, new EntryText(known.of(schemas))::read);
  }

  /**
   * A snapshot of {@code state}, so that loading need not begin at the beginning.
   *
   * @throws InvalidJsonException if it holds a value that cannot be read back
   */
  public byte[] encode(State state, Schemas schemas) {
    StateText text = known.of(schemas).texts().states();
    return documents.encode((out, context) -> text.write(state, out, context));
  }

  /**
   * The state that was encoded as {@code stored}, as {@link State#stored} leaves it.
   *
   * @throws InvalidJsonException if {@code stored} is something else
   */
  public State decodeState(byte[] stored, Schemas schemas) {
    return decoded(stored, known.of(schemas).texts().states()::readDocument);
  }

  /**
   * A note that is added to those of the same checkpoint. A step of a graph inside is written by
   * what it changed, behind the step before it.
   *
   * @throws InvalidJsonException if it holds a value that cannot be read back
   */
  public byte[] encode(TaskNote note, Schemas schemas) {
    return encode(note, false, schemas);
  }

  /**
   * A note that may be read without those before it, as one that a commit brings along.
   *
   * @throws InvalidJsonException if it holds a value that cannot be read back
   */
  public byte[] encodeWhole(TaskNote note, Schemas schemas) {
    return encode(note, true, schemas);
  }

  private byte[] encode(TaskNote note, boolean whole, Schemas schemas) {
    NoteText text = new NoteText(known.of(schemas));
    return documents.encode((out, context) -> text.write(note, whole, out, context));
  }

  /**
   * What is known of the tasks that are due at a checkpoint, as {@link TaskNotes} has it.
   *
   * @param stored all notes of the checkpoint, in the order in which they were recorded; it does
   *     not matter if one is there twice
   * @throws InvalidJsonException if one of them is something else
   */
  public TaskNotes decodeNotes(List<byte[]> stored, Schemas schemas) {
    NoteText text = new NoteText(known.of(schemas));
    NotedSteps steps = new NotedSteps();
    TaskNotes notes = new TaskNotes(List.of());
    for (byte[] each : stored) {
      Optional<TaskNote> note = decoded(each, document -> text.read(document, steps));
      combined(() -> {
        note.ifPresent(notes::add);
        return notes;
      });
    }
    return notes;
  }

  /**
   * An input that waits.
   *
   * @throws InvalidJsonException if it holds a value that cannot be read back
   */
  public byte[] encode(QueuedInput input, Schemas schemas) {
    InputText text = new InputText(known.of(schemas).texts());
    return documents.encode((out, context) -> text.write(input, out, context));
  }

  /**
   * The input that was encoded as {@code stored}.
   *
   * @throws InvalidJsonException if {@code stored} is something else
   */
  public QueuedInput decodeInput(byte[] stored, Schemas schemas) {
    return decoded(stored, new InputText(known.of(schemas).texts())::read);
  }

  /**
   * A thread at a checkpoint, as {@link io.superstep.checkpoint.CheckpointStore#load} brings it.
   *
   * @param snapshot that of the checkpoint from which the first of {@code entries} starts; null if
   *     that is a base
   * @param entries those that lead to the checkpoint, each the parent of the one behind it, that of
   *     the checkpoint itself being the last
   * @param notes those of the checkpoint, as {@link #decodeNotes} takes them
   * @throws InvalidJsonException if one of them is something else
   */
  public SavedThread decodeThread(
      String thread,
      byte @Nullable [] snapshot,
      List<byte[]> entries,
      List<byte[]> notes,
      Schemas schemas) {
    State state = snapshot == null ? null : decodeState(snapshot, schemas);
    LogEntry last = null;
    for (byte[] each : entries) {
      last = decodeEntry(each, schemas);
      if (state == null && last.base() == null) {
        break;
      }
      LogEntry entry = last;
      State before = state;
      state = combined(() -> entry.after(before));
    }
    if (last == null || state == null) {
      throw Failures.baseless(thread);
    }
    LogEntry at = last;
    State loaded = state;
    List<TaskNote> known = decodeNotes(notes, schemas).inOrder();
    return combined(() -> at.load(thread, loaded, known).as(schemas.schema()));
  }

  /** Makes something of several documents, each of which is valid by itself. */
  private static <T> T combined(Supplier<T> parts) {
    try {
      return parts.get();
    } catch (InvalidUpdateException misfit) {
      throw Failures.reading(misfit);
    } catch (SuperstepException typed) {
      throw typed;
    } catch (RuntimeException invalid) {
      throw Failures.reading(invalid);
    }
  }

  private <D> D decoded(byte[] stored, Function<Document, D> reading) {
    return documents.decode(stored, reading);
  }

  /** Collects modules and stages. */
  public static final class Builder {

    private final List<JacksonModule> modules = new ArrayList<>();
    private final List<ByteStage> stages = new ArrayList<>();

    private Builder() {}

    /** Adds types that Jackson does not know by itself; what it says wins over what we do. */
    public Builder module(JacksonModule module) {
      modules.add(module);
      return this;
    }

    /** Adds a stage behind those before it; reading undoes them in reverse. */
    public Builder stage(ByteStage stage) {
      stages.add(stage);
      return this;
    }

    public ThreadCodec build() {
      return new ThreadCodec(this);
    }
  }
}
