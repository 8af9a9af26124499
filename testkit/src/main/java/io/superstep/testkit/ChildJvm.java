package io.superstep.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Another process, for tests of what is left when it is killed or frozen. */
public final class ChildJvm implements AutoCloseable {

  private static final String END = "(it has ended)";

  private final Process process;
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private ChildJvm(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "child-jvm");
    reader.setDaemon(true);
    reader.start();
  }

  /** Runs {@code main} with our class path, on a JVM that is quick to start. */
  public static ChildJvm start(Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-cp",
        System.getProperty("java.class.path"),
        main.getName()));
    command.addAll(List.of(arguments));
    return start(command);
  }

  /** Runs {@code command}. */
  public static ChildJvm start(List<String> command) {
    try {
      return new ChildJvm(new ProcessBuilder(command)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private void read() {
    try (BufferedReader out = new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        lines.add(line);
      }
    } catch (IOException killed) {
      // what was not said is not heard
    }
    lines.add(END);
  }

  /** Waits until it says something that begins with one of {@code starts}, and brings that. */
  public String hears(String... starts) {
    List<String> heard = new ArrayList<>();
    try {
      while (true) {
        String line = lines.poll(30, TimeUnit.SECONDS);
        if (line == null || line.equals(END)) {
          throw new AssertionError("It never said " + List.of(starts) + ", but " + heard);
        }
        for (String start : starts) {
          if (line.startsWith(start)) {
            return line;
          }
        }
        heard.add(line);
      }
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  /** Waits until it has ended by itself. */
  public void ends() {
    process.onExit().join();
  }

  /** Sends SIGTERM: its shutdown hooks run. */
  public void terminate() {
    signal("TERM"); // destroy() would close the output, too
  }

  /** Waits until it has ended, and returns the lines that were not read before. */
  public List<String> remaining() {
    List<String> read = new ArrayList<>();
    try {
      String line = lines.poll(30, TimeUnit.SECONDS);
      while (line != null && !line.equals(END)) {
        read.add(line);
        line = lines.poll(30, TimeUnit.SECONDS);
      }
      if (line == null) {
        throw new AssertionError("The process did not end after " + read);
      }
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
    return read;
  }

  /** With SIGKILL: it can do nothing more. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** It stands still until it is thawed. */
  public void freeze() {
    signal("STOP");
  }

  /** It goes on. */
  public void thaw() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      int result = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
          .start()
          .waitFor();
      if (result != 0) {
        throw new AssertionError("kill -" + name + " said " + result);
      }
    } catch (IOException | InterruptedException failed) {
      throw new AssertionError(failed);
    }
  }

  @Override
  public void close() {
    kill();
  }
}
