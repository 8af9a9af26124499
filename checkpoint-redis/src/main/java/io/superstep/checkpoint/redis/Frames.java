package io.superstep.checkpoint.redis;

import io.superstep.checkpoint.CheckpointId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parser of everything that Redis returns and a codec does not decode: numbers, ids, times, the
 * lines before checkpoints, packed notes, queued inputs and stream entries.
 *
 * <p>Stored data is not trusted. A frame that is not exactly what a store writes is refused with
 * {@link InvalidRecordException}, which names the place and quotes no bytes. Lengths are compared
 * with the bytes that are there before anything is allocated, and a parent precedes its child, so
 * that a walk along parents ends.
 *
 * @param place the place for errors, such as {@code thread 't'}
 */
record Frames(String place) {

  /** Scripts calculate with floating-point numbers, which are exact up to here. */
  static final long MAX_NUMBER = 1L << 53;

  private static final String NONE = "-";

  /** A line has two ids, a time, and the id of a merge at most: each of two numbers. */
  private static final int MAX_LINE = 8 * 20;

  static Frames ofThread(String thread) {
    return new Frames("thread '" + ThreadNames.shown(thread) + "'");
  }

  /** Returns the error for {@code part} of the place. */
  InvalidRecordException invalid(String part, String problem) {
    return InvalidRecordException.frame(place + ", " + part, problem);
  }

  /** Returns a bulk string. */
  byte[] bytes(@Nullable Object reply, String part) {
    if (reply instanceof byte[] bytes) {
      return bytes;
    }
    throw invalid(part, reply == null ? "it is missing" : "it is not a string");
  }

  /** Returns an array. */
  List<?> list(@Nullable Object reply, String part) {
    if (reply instanceof List<?> list) {
      return list;
    }
    throw invalid(part, "it is not a list");
  }

  /** Returns an array of bulk strings. */
  List<byte[]> allBytes(@Nullable Object reply, String part) {
    List<?> list = list(reply, part);
    List<byte[]> all = new ArrayList<>(list.size());
    for (Object each : list) {
      all.add(bytes(each, part));
    }
    return all;
  }

  /** Returns the text of a bulk string; bytes that are not UTF-8 are replaced. */
  String text(@Nullable Object reply, String part) {
    return new String(bytes(reply, part), StandardCharsets.UTF_8);
  }

  /** Returns a whole number from 0 to {@link #MAX_NUMBER}. */
  long number(@Nullable Object reply, String part) {
    byte[] digits = bytes(reply, part);
    return number(digits, 0, digits.length, part);
  }

  private long number(byte[] digits, int from, int to, String part) {
    if (from >= to || to - from > 16) {
      throw invalid(part, "a number has " + (from >= to ? "no" : "too many") + " digits");
    }
    long number = 0;
    for (int at = from; at < to; at++) {
      int digit = digits[at] - '0';
      if (digit < 0 || digit > 9) {
        throw invalid(part, "a number has other characters than digits");
      }
      number = number * 10 + digit;
    }
    if (number > MAX_NUMBER) {
      throw invalid(part, "a number is too large");
    }
    return number;
  }

  /** Returns an id; null if the string is empty. */
  @Nullable
  CheckpointId idOrNone(@Nullable Object reply, String part) {
    byte[] id = bytes(reply, part);
    return id.length == 0 ? null : id(id, 0, id.length, part);
  }

  CheckpointId id(@Nullable Object reply, String part) {
    byte[] id = bytes(reply, part);
    return id(id, 0, id.length, part);
  }

  private CheckpointId id(byte[] text, int from, int to, String part) {
    int dash = indexOf(text, '-', from, to);
    if (dash < 0) {
      throw invalid(part, "a checkpoint id is not <sequence>-<fence>");
    }
    long sequence = number(text, from, dash, part);
    long fence = number(text, dash + 1, to, part);
    if (sequence < 1 || fence < 1) {
      throw invalid(part, "a checkpoint id is not <sequence>-<fence>, both from 1");
    }
    return new CheckpointId(sequence, fence);
  }

  Instant time(@Nullable Object reply, String part) {
    byte[] text = bytes(reply, part);
    return time(text, 0, text.length, part);
  }

  private Instant time(byte[] text, int from, int to, String part) {
    boolean isNegative = from < to && text[from] == '-';
    int start = isNegative ? from + 1 : from;
    int dot = indexOf(text, '.', start, to);
    if (dot < 0) {
      throw invalid(part, "a time is not <seconds>.<nanoseconds>");
    }
    long seconds = number(text, start, dot, part);
    long nanos = number(text, dot + 1, to, part);
    if (nanos > 999_999_999 || seconds > -Instant.MIN.getEpochSecond()) {
      throw invalid(part, "a time is out of range");
    }
    long epoch = isNegative ? -seconds : seconds;
    if (epoch > Instant.MAX.getEpochSecond()) {
      throw invalid(part, "a time is out of range");
    }
    return Instant.ofEpochSecond(epoch, nanos);
  }

  /** Returns the number of milliseconds since the epoch as a time. */
  Instant millis(@Nullable Object reply, String part) {
    return Instant.ofEpochMilli(number(reply, part));
  }

  /**
   * Returns a checkpoint of the log; null if it was removed.
   *
   * @param sequence its place in the log
   */
  @Nullable
  StoredEntry entry(@Nullable Object reply, long sequence) {
    String part = "checkpoint " + sequence;
    byte[] stored = bytes(reply, part);
    if (stored.length == 0) {
      return null;
    }
    int end = indexOf(stored, '\n', 0, Math.min(stored.length, MAX_LINE));
    if (end < 0) {
      throw invalid(part, "it has no header line");
    }
    return new StoredEntry(line(stored, 0, end, sequence, part), stored, end + 1);
  }

  private Line line(byte[] text, int from, int to, long sequence, String part) {
    int first = indexOf(text, ' ', from, to);
    int second = first < 0 ? -1 : indexOf(text, ' ', first + 1, to);
    int third = second < 0 ? -1 : indexOf(text, ' ', second + 1, to);
    if (third < 0) {
      throw invalid(part, "the line does not have four parts");
    }
    CheckpointId id = id(text, from, first, part);
    if (id.sequence() != sequence) {
      throw invalid(part, "the line is that of another checkpoint");
    }
    CheckpointId parent = idOrDash(text, first + 1, second, part);
    Instant time = time(text, second + 1, third, part);
    CheckpointId merged = idOrDash(text, third + 1, to, part);
    if (parent != null && parent.sequence() >= sequence) {
      throw invalid(part, "its parent does not precede it");
    }
    if (merged != null && merged.sequence() >= sequence) {
      throw invalid(part, "the checkpoint that it merges does not precede it");
    }
    return new Line(id, parent, time, merged);
  }

  private @Nullable CheckpointId idOrDash(byte[] text, int from, int to, String part) {
    return to - from == NONE.length() && text[from] == '-' ? null : id(text, from, to, part);
  }

  /**
   * Returns the size and the line of a checkpoint, as the script {@code lines} brings them; null if
   * the checkpoint was removed.
   */
  Lineage.@Nullable Known known(@Nullable Object reply, long sequence) {
    String part = "checkpoint " + sequence;
    byte[] text = bytes(reply, part);
    if (text.length == 0) {
      return null;
    }
    int size = indexOf(text, ' ', 0, text.length);
    if (size < 0) {
      throw invalid(part, "it has no line");
    }
    return new Lineage.Known(
        line(text, size + 1, text.length, sequence, part), number(text, 0, size, part));
  }

  /** Returns notes that a commit has packed, each behind its length in four bytes. */
  List<byte[]> notes(@Nullable Object reply, String part) {
    ByteBuffer rest = ByteBuffer.wrap(bytes(reply, part));
    List<byte[]> notes = new ArrayList<>();
    while (rest.hasRemaining()) {
      int length = rest.remaining() < Integer.BYTES ? -1 : rest.getInt();
      if (length < 0 || length > rest.remaining()) {
        throw invalid(part, "the length of a note is not that of the bytes that follow");
      }
      byte[] note = new byte[length];
      rest.get(note);
      notes.add(note);
    }
    return notes;
  }

  /** Returns queued inputs, each of which is stored behind its place in the queue, in order. */
  List<byte[]> queue(@Nullable Object reply) {
    List<Queued> inputs = new ArrayList<>();
    for (byte[] stored : allBytes(reply, "queue")) {
      int end = indexOf(stored, ' ', 0, Math.min(stored.length, 20));
      if (end < 0) {
        throw invalid("queue", "an input has no place");
      }
      inputs.add(new Queued(
          number(stored, 0, end, "queue"), Arrays.copyOfRange(stored, end + 1, stored.length)));
    }
    inputs.sort(Comparator.comparingLong(Queued::place));
    return inputs.stream().map(Queued::input).toList();
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Queued(long place, byte[] input) {}

  /** Returns how far the outboxes of a thread were applied: a fence and a sequence. */
  long[] marker(@Nullable Object reply) {
    byte[] text = bytes(reply, "marker");
    int space = indexOf(text, ' ', 0, text.length);
    if (space < 0) {
      throw invalid("marker", "it is not <fence> <sequence>");
    }
    long fence = number(text, 0, space, "marker");
    long sequence = number(text, space + 1, text.length, "marker");
    if (fence < 1 || sequence < 1) {
      throw invalid("marker", "it is not <fence> <sequence>, both from 1");
    }
    return new long[] {fence, sequence};
  }

  /** Returns an entry of the stream of events. */
  StreamEntry streamEntry(@Nullable Object reply) {
    List<?> entry = list(reply, "events");
    if (entry.size() != 2) {
      throw invalid("events", "an entry of the stream is incomplete");
    }
    List<?> fields = list(entry.get(1), "events");
    if (fields.size() != 2) {
      throw invalid("events", "an entry of the stream does not have one field");
    }
    return new StreamEntry(
        streamId(entry.get(0)), text(fields.get(0), "events"), bytes(fields.get(1), "events"));
  }

  /** Returns the id of an entry of a stream. */
  StreamId streamId(@Nullable Object reply) {
    byte[] text = bytes(reply, "events");
    int dash = indexOf(text, '-', 0, text.length);
    if (dash < 0) {
      throw invalid("events", "the id of an entry is not <number>-<place>");
    }
    return new StreamId(
        number(text, 0, dash, "events"), number(text, dash + 1, text.length, "events"));
  }

  /**
   * An entry of the stream of events.
   *
   * @param kind {@code k} for a key frame, {@code f} for another fact, {@code c} for a chunk
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record StreamEntry(StreamId id, String kind, byte[] event) {}

  /**
   * The id of an entry of the stream of events.
   *
   * @param number that of a fact
   * @param place 0 for the fact, and from 1 for chunks behind it
   */
  record StreamId(long number, long place) implements Comparable<StreamId> {

    static final StreamId START = new StreamId(0, 0);

    @Override
    public int compareTo(StreamId other) {
      int byNumber = Long.compare(number, other.number);
      return byNumber == 0 ? Long.compare(place, other.place) : byNumber;
    }

    @Override
    public String toString() {
      return number + "-" + place;
    }
  }

  private static int indexOf(byte[] text, char wanted, int from, int to) {
    for (int at = from; at < to; at++) {
      if (text[at] == wanted) {
        return at;
      }
    }
    return -1;
  }
}
