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
  CONSTRAINT("dependencyManagement");

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

  static Optional<Bucket> of(String configuration) {
    return Arrays.stream(values())
        .filter(bucket -> bucket.configurations().contains(configuration))
        .findFirst();
  }

  /** The Gradle configurations that together stand for this bucket. */
  public List<String> configurations() {
    return switch (this) {
      case COMPILE -> List.of("api", "implementation");
      case PROVIDED -> List.of("compileOnly");
      case RUNTIME -> List.of("runtimeOnly");
      case TEST -> List.of("testImplementation", "testRuntimeOnly");
      case CONSTRAINT -> List.of("constraints");
    };
  }

  String inMaven() {
    return maven;
  }

  String inGradle() {
    return String.join(" or ", configurations());
  }
}
