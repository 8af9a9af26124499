package io.superstep.build.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoverageTests {

  private static final String HEADER =
      "GROUP,PACKAGE,CLASS,INSTRUCTION_MISSED,INSTRUCTION_COVERED,BRANCH_MISSED,BRANCH_COVERED,LINE_MISSED,LINE_COVERED";

  @TempDir
  Path root;

  @Test
  void addsUpTheClassesOfEachModule() throws IOException {
    table("reactor", "g,p,A,0,9,1,3,1,4", "g,p,B,0,9,0,0,0,3");
    table("core", "g,p,C,0,9,0,2,0,10");

    assertThat(Coverage.below(root))
        .containsExactly(new Coverage("core", 10, 10, 2, 2), new Coverage("reactor", 8, 7, 4, 3));
  }

  @Test
  void printsOneLinePerModule() {
    assertThat(new Coverage("reactor", 8, 7, 4, 3))
        .hasToString("coverage  reactor             87.5 % of 8 lines,  75.0 % of 4 branches");
  }

  @Test
  void callsAModuleWithoutBranchesCovered() {
    assertThat(new Coverage("core", 1, 1, 0, 0).toString()).contains("100.0 % of 0 branches");
  }

  private void table(String module, String... rows) throws IOException {
    Path folder = Files.createDirectories(root.resolve(module).resolve("target/site/jacoco"));
    Files.writeString(folder.resolve("jacoco.csv"), HEADER + "\n" + String.join("\n", rows) + "\n");
  }
}
