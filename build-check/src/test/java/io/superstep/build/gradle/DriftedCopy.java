package io.superstep.build.gradle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A copy of both builds in which one side can be changed behind the other's back. */
record DriftedCopy(Path root) {

  private static final Path ORIGINAL = Path.of("..");

  static DriftedCopy in(Path folder) throws IOException {
    var copy = new DriftedCopy(folder);
    for (String file : List.of("pom.xml", "settings.gradle.kts", "gradle/libs.versions.toml")) {
      copy.copy(ORIGINAL.resolve(file));
    }
    for (String module : MavenBuild.pom(ORIGINAL).getModules()) {
      copy.copy(ORIGINAL.resolve(module + "/pom.xml"));
      copy.copy(ORIGINAL.resolve(module + "/build.gradle.kts"));
    }
    copy.copy(ORIGINAL.resolve("build.gradle.kts"));
    return copy;
  }

  DriftedCopy replacing(String file, String text, String replacement) throws IOException {
    String original = Files.readString(root.resolve(file));
    assertThat(original).as(file).contains(text);
    Files.writeString(root.resolve(file), original.replace(text, replacement));
    return this;
  }

  List<Drift> drifts() {
    return BuildComparison.compare(MavenBuild.read(root), GradleBuild.read(root));
  }

  private void copy(Path file) throws IOException {
    if (Files.exists(file)) {
      Path target = root.resolve(ORIGINAL.relativize(file));
      Files.createDirectories(target.getParent());
      Files.copy(file, target);
    }
  }
}
