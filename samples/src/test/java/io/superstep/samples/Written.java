package io.superstep.samples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** What a sample has written, in place of a terminal. */
public final class Written {

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream stream = new PrintStream(bytes, false, StandardCharsets.UTF_8);

  public PrintStream stream() {
    return stream;
  }

  /** All that was written and flushed, with the line ends of this machine made plain. */
  public String text() {
    return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }
}
