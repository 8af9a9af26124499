package io.superstep.checkpoint.redis;

import io.superstep.checkpoint.Checkpoint;
import io.superstep.checkpoint.Commit;
import io.superstep.checkpoint.LogEntry;
import io.superstep.checkpoint.QueuedInput;
import io.superstep.checkpoint.SavedThread;
import io.superstep.checkpoint.TaskNote;
import io.superstep.checkpoint.TaskNotes;
import io.superstep.json.ByteStage;
import io.superstep.json.ThreadCodec;
import io.superstep.state.Schemas;
import io.superstep.state.State;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JacksonModule;

/**
 * What is kept of a thread, as bytes. What is written goes through the stages here and not in the
 * codec: a stage may make other bytes of the same each time, and what is repeated has to be
 * recognised by what it says.
 */
final class ThreadBytes {

  private final ThreadCodec writing;
  private final ThreadCodec reading;
  private final List<ByteStage> stages;
  private final long most;

  /** @param most how many bytes are kept in one piece */
  ThreadBytes(List<JacksonModule> modules, List<ByteStage> stages, long most) {
    ThreadCodec.Builder plain = ThreadCodec.builder();
    ThreadCodec.Builder staged = ThreadCodec.builder();
    modules.forEach(plain::module);
    modules.forEach(staged::module);
    stages.forEach(staged::stage);
    this.writing = plain.build();
    this.reading = staged.build();
    this.stages = List.copyOf(stages);
    this.most = most;
  }

  /** Checks that the types of all stored channels can be written. */
  void requireStorable(Schemas schemas) {
    writing.requireStorable(schemas);
  }

  /** Bytes, and the digest of what they say. */
  static final class Digested {

    private final byte[] bytes;
    private final String digest;

    Digested(byte[] bytes, String digest) {
      this.bytes = bytes;
      this.digest = digest;
    }

    byte[] bytes() {
      return bytes;
    }

    String digest() {
      return digest;
    }
  }

  Digested entry(Commit commit, String thread, Schemas schemas) {
    return encoded(thread, () -> {
      LogEntry entry = LogEntry.of(commit);
      byte[] plain = writing.encode(entry, schemas);
      byte[] kept = Line.of(entry).before(sealed(plain));
      return new Digested(required("A checkpoint", thread, kept), RedisScript.sha1(plain));
    });
  }

  byte[] entry(String thread, LogEntry entry, Schemas schemas) {
    return encoded(thread, () -> Line.of(entry).before(sealed(writing.encode(entry, schemas))));
  }

  private LogEntry entry(String thread, StoredEntry stored, Schemas schemas) {
    LogEntry entry = reading.decodeEntry(stored.body(), schemas);
    if (!entry.id().equals(stored.id())) {
      throw Frames.ofThread(thread)
          .invalid("checkpoint " + stored.id(), "its content is that of another checkpoint");
    }
    return entry;
  }

  Checkpoint checkpoint(String thread, StoredEntry stored, Schemas schemas) {
    return decoded(thread, () -> entry(thread, stored, schemas).in(thread));
  }

  /** Null if it is larger than what is kept in one piece. */
  byte @Nullable [] snapshot(String thread, State state, Schemas schemas) {
    byte[] bytes = encoded(thread, () -> sealed(writing.encode(state, schemas)));
    return bytes.length > most ? null : bytes;
  }

  private static <T> T encoded(String thread, Supplier<T> encoding) {
    return Coding.encoded(Frames.ofThread(thread).place(), encoding);
  }

  private static <T> T decoded(String thread, Supplier<T> decoding) {
    return Coding.decoded(Frames.ofThread(thread).place(), decoding);
  }

  /**
   * The thread at the last of {@code entries}.
   *
   * @param snapshot the state that the first of them starts from, or has itself if it is the only
   *     one and {@code isThere}; null if it is a base
   */
  SavedThread thread(
      String thread,
      byte @Nullable [] snapshot,
      boolean isThere,
      List<StoredEntry> entries,
      List<byte[]> notes,
      Schemas schemas) {
    return decoded(thread, () -> savedThread(thread, snapshot, isThere, entries, notes, schemas));
  }

  private SavedThread savedThread(
      String thread,
      byte @Nullable [] snapshot,
      boolean isThere,
      List<StoredEntry> entries,
      List<byte[]> notes,
      Schemas schemas) {
    if (snapshot != null && isThere) {
      return entry(thread, entries.get(0), schemas)
          .load(
              thread,
              reading.decodeState(snapshot, schemas),
              reading.decodeNotes(notes, schemas).inOrder())
          .as(schemas.schema());
    }
    List<byte[]> bodies = new ArrayList<>(entries.size());
    for (StoredEntry each : entries) {
      bodies.add(each.body());
    }
    return reading.decodeThread(thread, snapshot, bodies, notes, schemas);
  }

  /**
   * Adds each of {@code notes} to {@code into}, and brings the digest of what they say.
   *
   * @param whole whether they can be read without those before them
   */
  String notes(
      List<? extends TaskNote> notes,
      boolean whole,
      String thread,
      Schemas schemas,
      List<byte[]> into) {
    return encoded(thread, () -> {
      StringBuilder digests = new StringBuilder();
      for (TaskNote note : notes) {
        byte[] plain = whole ? writing.encodeWhole(note, schemas) : writing.encode(note, schemas);
        digests.append(RedisScript.sha1(plain));
        into.add(required("A note", thread, sealed(plain)));
      }
      return RedisScript.sha1(RedisSpace.bytes(digests.toString()));
    });
  }

  TaskNotes notes(String thread, List<byte[]> stored, Schemas schemas) {
    return decoded(thread, () -> reading.decodeNotes(stored, schemas));
  }

  byte[] input(QueuedInput input, String thread, Schemas schemas) {
    return encoded(
        thread, () -> required("An input", thread, sealed(writing.encode(input, schemas))));
  }

  QueuedInput input(String thread, byte[] stored, Schemas schemas) {
    return decoded(thread, () -> reading.decodeInput(stored, schemas));
  }

  private byte[] required(String what, String thread, byte[] bytes) {
    if (bytes.length > most) {
      throw new EntryTooLargeException(what, thread, bytes.length, most);
    }
    return bytes;
  }

  private byte[] sealed(byte[] plain) {
    byte[] bytes = plain;
    for (ByteStage stage : stages) {
      bytes = stage.apply(bytes);
    }
    return bytes;
  }
}
