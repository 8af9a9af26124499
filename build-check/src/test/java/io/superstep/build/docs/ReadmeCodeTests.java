package io.superstep.build.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The code of the README is code that a test runs. */
class ReadmeCodeTests {

  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  @Test
  void everyLineOfTheReadmesCodeStandsInItsTest() throws IOException {
    String tests = test("reactor/src/test/java/io/superstep/ReadmeTests.java")
        + test("checkpoint-redis/src/test/java/io/superstep/RedisReadmeTests.java");

    assertThat(lines(Files.readString(ROOT.resolve("README.md"))))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(tests).contains(line));
  }

  private static String test(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }

  /**
   * The statements in the code blocks of {@code page}, without what ends them and what is said
   * about them.
   */
  private static List<String> lines(String page) {
    return BLOCK
        .matcher(page)
        .results()
        .flatMap(block -> block.group(1).lines())
        .map(line -> line.replaceFirst(";?\\s*(//.*)?$", "").strip())
        .filter(line -> !line.isEmpty())
        .toList();
  }
}
