package io.superstep.build.gradle;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.maven.model.Dependency;

/** One kind of dependency, under the name each build has for it. */
public enum Bucket {
  COMPILE("scope compile"),
  PROVIDED("scope provided, or optional"),
  RUNTIME("scope runtime"),
  TEST("scope test"),
  CONSTRAINT("dependencyManagement"),
  /** What Gradle can declare and Maven cannot: nothing belongs here. */
  ELSEWHERE("no scope of Maven");

  private final String maven;

  Bucket(String maven) {
    this.maven = maven;
  }

  static Optional<Bucket> of(Dependency dependency) {
    if (dependency.isOptional()) {
      return Optional.of(PROVIDED);
    }
    String scope = dependency.getScope() == null ? "compile" : dependency.getScope();
    return switch (scope) {
      case "compile" -> Optional.of(COMPILE);
      case "provided" -> Optional.of(PROVIDED);
      case "runtime" -> Optional.of(RUNTIME);
      case "test" -> Optional.of(TEST);
      default -> Optional.empty();
    };
  }

  /** The bucket of a Gradle configuration in a module that is {@code published}, or is not. */
  public static Optional<Bucket> of(String configuration, boolean published) {
    return Arrays.stream(values())
        .filter(bucket -> bucket.configurations(published).contains(configuration))
        .findFirst();
  }

  /**
   * The Gradle configurations that together stand for this bucket.
   *
   * <p>{@code implementation} is published as scope runtime; where nothing is published it is just
   * another {@code api}.
   */
  private List<String> configurations(boolean published) {
    return switch (this) {
      case COMPILE -> published ? List.of("api") : List.of("api", "implementation");
      case PROVIDED -> List.of("compileOnly");
      case RUNTIME -> published ? List.of("runtimeOnly", "implementation") : List.of("runtimeOnly");
      case TEST -> List.of("testImplementation", "testRuntimeOnly");
      case CONSTRAINT -> List.of("constraints");
      case ELSEWHERE -> List.of();
    };
  }

  String inMaven() {
    return maven;
  }

  String inGradle(boolean published) {
    return this == ELSEWHERE
        ? "any other configuration"
        : String.join(" or ", configurations(published));
  }
}
