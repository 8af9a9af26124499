package io.superstep.build.surefire;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One class of the test sources, as the text from its name to that of the next class.
 *
 * @param file its source, relative to the root of the build
 */
record TestClass(Path file, String name, String text) {

  private static final Pattern DECLARATION =
      Pattern.compile("(?m)^(?:\\w+ )*(?:class|interface|record|object) (\\w+)");

  private static final Pattern TEST = Pattern.compile(
      "@(?:[\\w.]+\\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\\b");

  /** All classes of one source; both formatters keep their declarations at the margin. */
  static Stream<TestClass> in(Path file, String source) {
    List<MatchResult> declarations = DECLARATION.matcher(source).results().toList();
    return IntStream.range(0, declarations.size()).mapToObj(index -> {
      MatchResult declaration = declarations.get(index);
      int end =
          index + 1 < declarations.size() ? declarations.get(index + 1).start() : source.length();
      return new TestClass(file, declaration.group(1), source.substring(declaration.start(), end));
    });
  }

  boolean holdsTests() {
    return TEST.matcher(text).find();
  }

  /** Whether this is a suite that {@code other} extends. */
  boolean isContractOf(TestClass other) {
    return name.endsWith("Contract")
        && text.matches("(?s)(.*\\babstract class|.*\\binterface) " + name + "\\b.*")
        && other.matches("(?:extends|implements|[:,])\\s+" + name + "\\b");
  }

  /** Whether {@code other} runs this class itself, as a test of what happens in tests does. */
  boolean isFixtureOf(TestClass other) {
    return other.matches("\\bEngineTestKit\\b")
        && other.matches("\\b" + name + "(?:\\.|::)class\\b");
  }

  private boolean matches(String pattern) {
    return Pattern.compile(pattern).matcher(text).find();
  }
}
