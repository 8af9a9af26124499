package io.superstep.build.gradle;

import java.util.Arrays;
import java.util.List;
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

  static Bucket of(Dependency dependency) {
    if (dependency.isOptional()) {
      return PROVIDED;
    }
    String scope = dependency.getScope() == null ? "compile" : dependency.getScope();
    return switch (scope) {
      case "compile" -> COMPILE;
      case "provided" -> PROVIDED;
      case "runtime" -> RUNTIME;
      case "test" -> TEST;
      default ->
        throw new IllegalArgumentException("%s has scope %s, which has no counterpart in Gradle."
            .formatted(dependency.getManagementKey(), scope));
    };
  }

  static Bucket of(String configuration) {
    return Arrays.stream(values())
        .filter(bucket -> bucket.configurations().contains(configuration))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException(
            "%s has no counterpart in Maven; use one of %s, or teach Bucket what it means."
                .formatted(
                    configuration, Arrays.stream(values()).map(Bucket::inGradle).toList())));
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
