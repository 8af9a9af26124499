package io.superstep.build.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PapersTests {

  static List<Path> pages() {
    return Papers.all();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyLinkLeadsSomewhere(Path page) {
    assertThat(Papers.links(Papers.read(page)))
        .allSatisfy(target -> assertThat(page.resolveSibling(target)).exists());
  }

  @Test
  void theReadmeMapsExactlyTheModulesOfTheBuild() {
    List<String> modules =
        Papers.found("^    <module>(.+)</module>", Papers.read(Papers.ROOT.resolve("pom.xml")));
    List<String> mapped =
        Papers.found("^\\| \\[`([a-z-]+)`\\]", Papers.read(Papers.ROOT.resolve("README.md")));

    assertThat(mapped).containsExactlyInAnyOrderElementsOf(modules);
  }

  @Test
  void everyTestThatAPromiseNamesExists() throws IOException {
    List<String> named =
        Papers.found("`([A-Za-z]+Tests)`", Papers.read(Papers.ROOT.resolve("docs/promises.md")));

    assertThat(sources()).containsAll(named);
  }

  private static List<String> sources() throws IOException {
    try (Stream<Path> files = Files.walk(Papers.ROOT)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("Tests.java"))
          .map(name -> name.substring(0, name.length() - ".java".length()))
          .toList();
    }
  }
}
