package io.superstep.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another JVM with the same classes, which is told lines and tells figures. */
final class ChildJvm implements AutoCloseable {

  private static final String MARK = "figure ";
  private static final int PATIENCE_SECONDS = 10;

  private final Process process;
  private final BufferedReader told;
  private final Writer orders;

  /**
   * What a child tells.
   *
   * @param name which figures they are
   */
  record Told(String name, Figures figures) {}

  private ChildJvm(Process process) {
    this.process = process;
    this.told = process.inputReader(StandardCharsets.UTF_8);
    this.orders = process.outputWriter(StandardCharsets.UTF_8);
  }

  static ChildJvm start(Class<?> program, List<String> options, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(options);
    command.add("-classpath");
    command.add(System.getProperty("java.class.path"));
    command.add(program.getName());
    command.addAll(arguments);
    try {
      return new ChildJvm(new ProcessBuilder(command)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start());
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Tells the one who listens to this JVM. */
  static void tell(PrintStream out, String name, Figures figures) {
    out.println(
        MARK + name + " " + figures.cost() + " " + figures.wall() + " " + figures.allocated());
    out.flush();
  }

  void order(String line) {
    try {
      orders.write(line + "\n");
      orders.flush();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** Waits for the next figures, and skips whatever else is printed. */
  Told next() {
    return told.lines()
        .filter(line -> line.startsWith(MARK))
        .findFirst()
        .map(ChildJvm::read)
        .orElseThrow(() -> new IllegalStateException("A JVM ended before it was done."));
  }

  /** Waits for all figures until the end. */
  List<Told> all() {
    return told.lines()
        .filter(line -> line.startsWith(MARK))
        .map(ChildJvm::read)
        .toList();
  }

  private static Told read(String line) {
    List<String> words = List.of(line.split(" ", -1));
    return new Told(
        words.get(1),
        Figures.of(
            Double.parseDouble(words.get(2)),
            Double.parseDouble(words.get(3)),
            Double.parseDouble(words.get(4))));
  }

  /** Ends it, and waits for that: it must not be in the way of the next one. */
  @Override
  public void close() {
    try {
      orders.close();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } catch (InterruptedException stopped) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
