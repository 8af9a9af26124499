package io.superstep.build.gradle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class GradleBuildTests {

  @Test
  void theGradleBuildSaysWhatTheMavenBuildSays() {
    Path root = Path.of("..");

    assertThat(BuildComparison.compare(MavenBuild.read(root), GradleBuild.read(root)))
        .isEmpty();
  }
}
