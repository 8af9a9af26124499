package io.superstep.build.gradle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The text of one Gradle script, and the few questions it can answer without Gradle.
 *
 * <p>It understands the plain form our scripts are kept in: one declaration a line, literal values.
 * What it does not understand it refuses, so that nothing escapes the comparison.
 */
final class GradleScript {

  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m:(^|\\s)//[^\\n]*$)");
  private static final Pattern DECLARATION = Pattern.compile("(\\w+)\\((.+)\\)");
  private static final Pattern PLUGIN =
      Pattern.compile("(?:id\\(\"|alias\\()?`?([\\w.-]+)`?(?:\"?\\))?");
  private static final Pattern LITERAL = Pattern.compile("\"([^\"]*)\"");

  private final String file;
  private final String text;

  GradleScript(String file, String text) {
    this.file = file;
    this.text = COMMENT.matcher(text).replaceAll("");
  }

  /** One line of {@code dependencies { }}: {@code configuration(notation)}. */
  record Declaration(String configuration, String notation) {}

  static GradleScript read(Path root, String file) {
    try {
      return new GradleScript(file, Files.readString(root.resolve(file)));
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException(
          file + " does not exist; every module that settings.gradle.kts includes has one.", e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is assigned to {@code property}, once and as a literal. */
  String assigned(String property) {
    Pattern assignment =
        Pattern.compile("(?m)^\\s*" + Pattern.quote(property) + " = \"?([^\"\\s]+)\"?$");
    List<MatchResult> assignments = matches(assignment, text).toList();
    if (assignments.size() != 1) {
      throw unreadable("'%s = ...' comes %d times".formatted(property, assignments.size()));
    }
    return assignments.get(0).group(1);
  }

  /** Refuses all that is outside of the blocks of these names. */
  void mustHoldOnly(String... names) {
    String rest = text;
    for (String name : names) {
      rest = without(name, rest);
    }
    if (!rest.isBlank()) {
      throw unreadable("'" + rest.strip() + "'");
    }
  }

  /** The literal arguments of every call of {@code function}. */
  List<String> arguments(String function) {
    return matches(Pattern.compile("(?s)\\b" + function + "\\(([^)]*)\\)"), text)
        .flatMap(call -> matches(LITERAL, call.group(1)))
        .map(argument -> argument.group(1))
        .toList();
  }

  List<String> plugins() {
    return lines(block("plugins", text).orElse(""))
        .map(line -> line(PLUGIN, line).group(1))
        .toList();
  }

  /** The declarations directly below {@code dependencies { }}. */
  List<Declaration> dependencies() {
    return declarations(without("constraints", block("dependencies", text).orElse("")));
  }

  /** The declarations below {@code dependencies { constraints { } }}. */
  List<Declaration> constraints() {
    return declarations(
        block("dependencies", text).flatMap(all -> block("constraints", all)).orElse(""));
  }

  Optional<String> find(Pattern pattern) {
    return matches(pattern, text).map(match -> match.group(1)).findFirst();
  }

  IllegalArgumentException unreadable(String what) {
    return new IllegalArgumentException(
        "%s cannot be compared with the Maven build: %s.%n    fix Write %s."
            .formatted(
                file,
                what,
                "configuration(libs.name) or configuration(project(\":superstep-name\")) on a line"
                    + " of its own, and literals elsewhere"));
  }

  private List<Declaration> declarations(String block) {
    return lines(block)
        .map(line -> {
          MatchResult declaration = line(DECLARATION, line);
          return new Declaration(declaration.group(1), declaration.group(2));
        })
        .toList();
  }

  private MatchResult line(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    if (!matcher.matches()) {
      throw unreadable("'" + line + "'");
    }
    return matcher.toMatchResult();
  }

  private static Stream<String> lines(String block) {
    return block.lines().map(String::strip).filter(line -> !line.isEmpty());
  }

  private String without(String name, String text) {
    return block(name, text)
        .map(block -> text.replaceFirst("\\b" + name + "\\s*\\{" + Pattern.quote(block) + "}", ""))
        .orElse(text);
  }

  /** What is between the braces that follow {@code name}. */
  private Optional<String> block(String name, String text) {
    List<MatchResult> openings =
        matches(Pattern.compile("\\b" + name + "\\s*\\{"), text).toList();
    if (openings.isEmpty()) {
      return Optional.empty();
    }
    if (openings.size() > 1) {
      throw unreadable("'" + name + " {' comes twice");
    }
    int start = openings.get(0).end();
    int depth = 1;
    for (int end = start; end < text.length(); end++) {
      depth += text.charAt(end) == '{' ? 1 : text.charAt(end) == '}' ? -1 : 0;
      if (depth == 0) {
        return Optional.of(text.substring(start, end));
      }
    }
    throw unreadable("'" + name + " {' is never closed");
  }

  private static Stream<MatchResult> matches(Pattern pattern, String text) {
    return pattern.matcher(text).results();
  }
}
