package io.superstep.checkpoint.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** An input that waits, as it is stored: its place among the others, and what the codec wrote. */
final class Waiting {

  private final long place;
  private final byte[] input;

  private Waiting(long place, byte[] input) {
    this.place = place;
    this.input = input;
  }

  private static Waiting read(byte[] stored) {
    int end = 0;
    while (stored[end] != ' ') {
      end++;
    }
    long place = Long.parseLong(new String(stored, 0, end, StandardCharsets.US_ASCII));
    return new Waiting(place, Arrays.copyOfRange(stored, end + 1, stored.length));
  }

  /** All of them, the first one first. */
  static List<Waiting> inOrder(List<?> stored) {
    return stored.stream()
        .map(each -> read((byte[]) each))
        .sorted(Comparator.comparingLong(each -> each.place))
        .toList();
  }

  byte[] input() {
    return input;
  }
}
