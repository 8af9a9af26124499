package io.superstep.build.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The code of the README is code that a test runs. */
class ReadmeCodeTests {

  private static final Path ROOT = Path.of("..");

  @ParameterizedTest
  @CsvSource({
    "java, reactor/src/test/java/io/superstep/ReadmeTests.java",
    "kotlin, kotlin/src/test/kotlin/io/superstep/kotlin/ReadmeTests.kt"
  })
  void everyLineOfTheReadmesCodeStandsInItsTest(String language, String file) throws IOException {
    String test = Files.readString(ROOT.resolve(file));

    assertThat(lines(language, Files.readString(ROOT.resolve("README.md"))))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(test).contains(line));
  }

  /**
   * The statements in the code blocks of {@code page}, without what ends them and what is said
   * about them.
   */
  private static List<String> lines(String language, String page) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(page)
        .results()
        .flatMap(block -> block.group(1).lines())
        .map(line -> line.replaceFirst(";?\\s*(//.*)?$", "").strip())
        .filter(line -> !line.isEmpty())
        .toList();
  }
}
