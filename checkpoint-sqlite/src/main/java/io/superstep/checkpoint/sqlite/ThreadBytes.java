package io.superstep.checkpoint.sqlite;

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
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
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

  ThreadBytes(List<JacksonModule> modules, List<ByteStage> stages) {
    ThreadCodec.Builder plain = ThreadCodec.builder();
    ThreadCodec.Builder staged = ThreadCodec.builder();
    modules.forEach(plain::module);
    modules.forEach(staged::module);
    stages.forEach(staged::stage);
    this.writing = plain.build();
    this.reading = staged.build();
    this.stages = List.copyOf(stages);
  }

  /** Checks that the types of all stored channels can be written. */
  void requireStorable(Schemas schemas) {
    writing.requireStorable(schemas);
  }

  /** Bytes, and the digest of what they say. */
  static final class Digested {

    private final byte[] bytes;
    private final byte[] digest;

    private Digested(byte[] bytes, byte[] digest) {
      this.bytes = bytes;
      this.digest = digest;
    }

    byte[] bytes() {
      return bytes;
    }

    byte[] digest() {
      return digest;
    }
  }

  Digested entry(Commit commit, Schemas schemas) {
    byte[] plain = writing.encode(commit, schemas);
    return new Digested(sealed(plain), digest(plain));
  }

  private static byte[] digest(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError(impossible); // every JDK has it
    }
  }

  byte[] entry(LogEntry entry, Schemas schemas) {
    return sealed(writing.encode(entry, schemas));
  }

  LogEntry entry(byte[] stored, Schemas schemas) {
    return Decoding.decoded(() -> reading.decodeEntry(stored, schemas));
  }

  byte[] snapshot(State state, Schemas schemas) {
    return sealed(writing.encode(state, schemas));
  }

  /** @throws io.superstep.error.SuperstepException if the line cannot be decoded */
  SavedThread thread(String thread, LogTable.Line line, Schemas schemas) {
    SavedThread saved = Decoding.decoded(() -> decoded(thread, line, schemas));
    if (!saved.checkpoint().id().equals(line.id())) {
      throw SqliteRowException.invalidCheckpoint(
          thread, line.id().sequence(), "The entry is that of another checkpoint.");
    }
    return saved;
  }

  private SavedThread decoded(String thread, LogTable.Line line, Schemas schemas) {
    byte[] snapshot = line.snapshot();
    if (snapshot != null && line.entries().isEmpty()) {
      return entry(line.last(), schemas)
          .load(
              thread,
              reading.decodeState(snapshot, schemas),
              notes(line.notes(), schemas).inOrder())
          .as(schemas.schema());
    }
    return reading.decodeThread(thread, snapshot, line.entries(), line.notes(), schemas);
  }

  List<byte[]> newNotes(List<? extends TaskNote> notes, Schemas schemas) {
    return notes.stream().map(note -> sealed(writing.encode(note, schemas))).toList();
  }

  /** Notes that can be read without others before them. */
  List<byte[]> wholeNotes(List<? extends TaskNote> notes, Schemas schemas) {
    return notes.stream()
        .map(note -> sealed(writing.encodeWhole(note, schemas)))
        .toList();
  }

  TaskNotes notes(List<byte[]> stored, Schemas schemas) {
    return Decoding.decoded(() -> reading.decodeNotes(stored, schemas));
  }

  byte[] input(QueuedInput input, Schemas schemas) {
    return sealed(writing.encode(input, schemas));
  }

  QueuedInput input(byte[] stored, Schemas schemas) {
    return Decoding.decoded(() -> reading.decodeInput(stored, schemas));
  }

  private byte[] sealed(byte[] plain) {
    byte[] bytes = plain;
    for (ByteStage stage : stages) {
      bytes = stage.apply(bytes);
    }
    return bytes;
  }
}
