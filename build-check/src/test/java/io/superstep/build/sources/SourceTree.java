package io.superstep.build.sources;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The files below one folder, in alphabetical order; none where there is no such folder.
 *
 * @param depth how many levels down they are looked for
 */
public record SourceTree(Path folder, int depth) {

  /** All levels. */
  public SourceTree(Path folder) {
    this(folder, Integer.MAX_VALUE);
  }

  /** The Java and Kotlin sources. */
  public List<Path> sources() {
    return files("java", "kt");
  }

  /** The files whose names end in one of {@code extensions}. */
  public List<Path> files(String... extensions) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(folder, depth)) {
      return files
          .filter(
              file -> Stream.of(extensions).anyMatch(end -> file.toString().endsWith("." + end)))
          .sorted()
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  public static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
