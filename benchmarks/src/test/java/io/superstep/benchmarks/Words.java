package io.superstep.benchmarks;

import java.util.stream.IntStream;

/** What is said in a conversation: 100 characters at a time, and never the same again. */
@FunctionalInterface
interface Words {

  String TEXT = "0123456789".repeat(9);

  /** Made when they are said, so that they count to what a conversation keeps. */
  Words NEW = number -> TEXT + (1_000_000_000 + number);

  /** Made before, so that nobody's time is spent on making them. */
  static Words prepared(int most) {
    String[] texts = IntStream.range(0, most).mapToObj(NEW::at).toArray(String[]::new);
    return number -> texts[number];
  }

  /** What is said as message {@code number}. */
  String at(int number);
}
