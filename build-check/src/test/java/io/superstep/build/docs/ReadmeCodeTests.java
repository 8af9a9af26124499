package io.superstep.build.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The code of the README is code that a test runs. */
class ReadmeCodeTests {

  private static final Path ROOT = Path.of("..");

  private static final Path JAVA = Path.of("src/test/java/io/superstep");

  static Stream<Arguments> tests() {
    return Stream.of(
        arguments(
            "java",
            List.of(
                Path.of("reactor").resolve(JAVA).resolve("ReadmeTests.java"),
                Path.of("checkpoint-redis").resolve(JAVA).resolve("RedisReadmeTests.java"),
                Path.of("checkpoint-sqlite").resolve(JAVA).resolve("SqliteReadmeTests.java"))),
        arguments(
            "kotlin",
            List.of(Path.of("kotlin/src/test/kotlin/io/superstep/kotlin/ReadmeTests.kt"))));
  }

  @ParameterizedTest
  @MethodSource("tests")
  void everyLineOfTheReadmesCodeStandsInItsTest(String language, List<Path> files)
      throws IOException {
    StringBuilder tests = new StringBuilder();
    for (Path file : files) {
      tests.append(Files.readString(ROOT.resolve(file)));
    }

    assertThat(lines(language, Files.readString(ROOT.resolve("README.md"))))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(tests).contains(line));
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
