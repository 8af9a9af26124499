package io.superstep.build.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Markdown pages of the project, and what can be read off them. */
final class Papers {

  /** Surefire runs in the module's folder; the pages stand one above. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");

  private Papers() {}

  static List<Path> all() {
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      return Stream.concat(top, docs)
          .filter(path -> path.toString().endsWith(".md"))
          .sorted()
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static String read(Path page) {
    try {
      return Files.readString(page);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The targets of a page's links to files of the project. */
  static List<String> links(String page) {
    return LINK.matcher(page)
        .results()
        .map(found -> found.group(1))
        .filter(target -> !target.contains(":"))
        .toList();
  }

  /** The first group of each match of {@code pattern}, in order. */
  static List<String> found(String pattern, String page) {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(page)
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }
}
