package io.superstep.build.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModulesTests {

  @TempDir
  private Path root;

  @BeforeEach
  void makeABuild() throws IOException {
    write(
        "pom.xml",
        "<project><modules><module>bom</module><module>core</module><module>extra</module></modules></project>");
    for (String module : Set.of("bom", "core", "extra")) {
      write(
          module + "/pom.xml",
          "<project><artifactId>superstep-" + module + "</artifactId></project>");
    }
    write("core/src/main/java/io/superstep/Seen.java", "");
    write("extra/src/main/kotlin/org/example/Stray.kt", "");
  }

  @Test
  void namesAModuleOfWhichNoClassWasSeen() {
    assertThat(new Modules(root).escaping(Set.of("superstep-core")))
        .containsExactly("superstep-extra");
  }

  @Test
  void namesASourceOutsideOfTheRootPackage() {
    assertThat(new Modules(root).strayingFrom("io/superstep"))
        .containsExactly(Path.of("org/example/Stray.kt"));
  }

  private void write(String file, String text) throws IOException {
    Files.createDirectories(root.resolve(file).getParent());
    Files.writeString(root.resolve(file), text);
  }
}
