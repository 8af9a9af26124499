package io.superstep.build.architecture;

import io.superstep.build.gradle.MavenBuild;
import io.superstep.build.sources.SourceTree;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The modules that every build makes, and what of their code the rules would not see. */
record Modules(Path root) {

  /**
   * The modules with code of which {@code seen}, the modules of the imported classes, lacks all.
   */
  List<String> escaping(Set<String> seen) {
    return MavenBuild.pom(root).getModules().stream()
        .filter(module -> sources(module).findAny().isPresent())
        .map(module -> MavenBuild.pom(root.resolve(module)).getArtifactId())
        .filter(artifact -> !seen.contains(artifact))
        .toList();
  }

  /** The sources that are not below {@code folder}, that of the package the rules start from. */
  List<Path> strayingFrom(String folder) {
    return MavenBuild.pom(root).getModules().stream()
        .flatMap(this::sources)
        .filter(source -> !source.startsWith(folder))
        .toList();
  }

  /** Each source of {@code module}, relative to the folder of its language. */
  private Stream<Path> sources(String module) {
    return Stream.of("src/main/java", "src/main/kotlin")
        .map(root.resolve(module)::resolve)
        .flatMap(folder -> new SourceTree(folder).sources().stream().map(folder::relativize));
  }
}
