package io.superstep.checkpoint.sqlite;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A small disk of its own, where the system lets us have one; a test without is skipped. */
final class Volume implements AutoCloseable {

  private final Path root;

  private Volume(Path root) {
    this.root = root;
  }

  /** @param directory where it is put; it is made */
  static Volume at(Path directory, int megabytes) throws IOException {
    Files.createDirectory(directory);
    assumeTrue(
        done(
            "mount", "-t", "tmpfs", "-o", "size=" + megabytes + "m", "tmpfs", directory.toString()),
        "nobody but root can have a disk");
    return new Volume(directory);
  }

  Path root() {
    return root;
  }

  void becomeReadOnly() {
    assumeTrue(done("mount", "-o", "remount,ro", root.toString()), "still in use");
  }

  void becomeWritable() {
    assumeTrue(done("mount", "-o", "remount,rw", root.toString()));
  }

  /** Does what the system has a command for; says whether that worked. */
  static boolean done(String... command) {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException unknown) {
      return false;
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  @Override
  public void close() {
    done("umount", root.toString());
  }
}
