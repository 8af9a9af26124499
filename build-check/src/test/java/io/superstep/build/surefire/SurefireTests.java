package io.superstep.build.surefire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SurefireTests {

  private static final Path ROOT = Path.of("..");

  @Test
  void everyTestIsRun() {
    assertThat(new Surefire(ROOT).overlooked())
        .extracting(TestClass::file)
        .as("tests that nobody runs: name them *Tests, or run them from a test")
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@Test",
        "@org.junit.jupiter.api.Test",
        "@ParameterizedTest",
        "@RepeatedTest(2)",
        "@TestFactory",
        "@TestTemplate"
      })
  void anyKindOfTestIsMissedUnderAnotherName(String annotation, @TempDir Path root)
      throws IOException {
    build(root, "SneakTest.java", "class SneakTest { " + annotation + " void test() {} }");

    assertThat(overlooked(root)).containsExactly("SneakTest");
  }

  @Test
  void aSecondClassOfASourceIsMissedToo(@TempDir Path root) throws IOException {
    build(root, "FirstTests.kt", """
        class FirstTests { @Test fun test() {} }

        internal class Second { @Test fun test() {} }
        """);

    assertThat(overlooked(root)).containsExactly("Second");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SomeTests.java", "SomeTests.kt", "SomeVerification.java"})
  void whatSurefireIncludesIsNotMissed(String file, @TempDir Path root) throws IOException {
    build(root, file, "class " + file.replaceAll("\\..*", "") + " { @Test void test() {} }");

    assertThat(overlooked(root)).isEmpty();
  }

  @Test
  void aContractIsMissedUntilSomebodyExtendsIt(@TempDir Path root) throws IOException {
    build(root, "StoreContract.java", "abstract class StoreContract { @Test void test() {} }");
    assertThat(overlooked(root)).containsExactly("StoreContract");

    write(root, "MapStoreTests.java", "class MapStoreTests extends StoreContract {}");
    assertThat(overlooked(root)).isEmpty();
  }

  @Test
  void aContractThatCouldRunAloneIsMissed(@TempDir Path root) throws IOException {
    build(root, "StoreContract.java", "class StoreContract { @Test void test() {} }");
    write(root, "MapStoreTests.java", "class MapStoreTests extends StoreContract {}");

    assertThat(overlooked(root)).containsExactly("StoreContract");
  }

  @Test
  void aFixtureIsMissedUntilATestRunsIt(@TempDir Path root) throws IOException {
    build(root, "Fails.java", "class Fails { @Test void test() {} }");
    write(root, "FailsTests.java", "class FailsTests { Class<?> fixture = Fails.class; }");
    assertThat(overlooked(root)).containsExactly("Fails");

    write(
        root,
        "FailsTests.java",
        "class FailsTests { void run() { EngineTestKit.run(Fails.class); } }");
    assertThat(overlooked(root)).isEmpty();
  }

  private static List<String> overlooked(Path root) {
    return new Surefire(root).overlooked().stream().map(TestClass::name).toList();
  }

  /** A build with our parent pom, one module of which holds one source. */
  private static void build(Path root, String file, String source) throws IOException {
    Files.copy(ROOT.resolve("pom.xml"), root.resolve("pom.xml"));
    write(root, file, source);
  }

  private static void write(Path root, String file, String source) throws IOException {
    Path folder = Files.createDirectories(root.resolve("core/src/test/java/io/superstep"));
    Files.writeString(folder.resolve(file), source);
  }
}
