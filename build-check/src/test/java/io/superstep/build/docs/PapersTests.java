package io.superstep.build.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PapersTests {

  @Nested
  class OurPapers {

    private final Papers papers = new Papers(Path.of(".."));

    @Test
    void everyLinkLeadsSomewhere() {
      assertThat(papers.deadLinks()).isEmpty();
    }

    @Test
    void theReadmeMapsExactlyTheModulesOfTheBuild() {
      assertThat(papers.modulesOffTheMap()).isEmpty();
    }

    @Test
    void everyProofOfAPromiseIsATest() {
      assertThat(papers.emptyProofs()).isEmpty();
    }

    @Test
    void everyErrorCodeIsExplainedAndNoOther() {
      assertThat(papers.codesOffTheBooks()).isEmpty();
    }
  }

  /** A small project whose papers are true until a test spoils one. */
  @Nested
  class SpoiltPapers {

    @TempDir
    Path root;

    private Papers papers;

    @BeforeEach
    void writeTruePapers() throws IOException {
      papers = new Papers(root);
      write("pom.xml", """
          <project>
            <modules><module>core</module><module>bom</module></modules>
            <profiles><profile><modules><module>extra</module></modules></profile></profiles>
          </project>""");
      write("core/src/main/java/Graph.java", "throw problem(\"SG-101\");");
      write("core/src/main/java/StoreContract.java", "");
      write("core/src/test/java/GraphTests.java", "");
      write("extra/src/test/kotlin/GraphVerification.kt", "");
      readme("[`core`](core)", "[`bom`](bom), [`extra`](extra)");
      proof("`GraphTests`, `GraphVerification` `StoreContract`");
      write("docs/errors.md", "# Errors\n\n## SG-101 No start\n");
      Files.createDirectories(root.resolve("bom"));
    }

    @Test
    void areTrueAtFirst() {
      assertThat(papers.deadLinks()).isEmpty();
      assertThat(papers.modulesOffTheMap()).isEmpty();
      assertThat(papers.emptyProofs()).isEmpty();
      assertThat(papers.codesOffTheBooks()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
        strings = {"none.md", "errors.md#no-such-heading", "#sg-101-no-start", "../docs/none"})
    void mayHoldADeadLink(String link) throws IOException {
      write("docs/page.md", "[here](" + link + ")");

      assertThat(papers.deadLinks()).singleElement().asString().startsWith("docs/page.md: ");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "errors.md",
          "errors.md#sg-101-no-start",
          "../README.md \"home\"",
          "#the-lock-or-two--more",
          "#again-1",
          "https://example.org/none#at-all"
        })
    void mayHoldALiveOne(String link) throws IOException {
      write(
          "docs/page.md",
          "# The `lock` [or two](errors.md) & more\n# Again\n# Again\n[here](" + link + ")");

      assertThat(papers.deadLinks()).isEmpty();
    }

    @Test
    void haveNoLinksOrHeadingsInCode() throws IOException {
      write("docs/page.md", "```\n# Comment\n[x](none.md)\n```\n[y](#comment)");

      assertThat(papers.deadLinks()).singleElement().asString().contains("comment");
    }

    @Test
    void mayForgetAModuleOfAProfile() throws IOException {
      readme("[`core`](core), [`bom`](bom)");

      assertThat(papers.modulesOffTheMap()).containsExactly("lacks extra");
    }

    @Test
    void mayMapAModuleInASharedRowThatNobodyBuilds() throws IOException {
      readme("[`core`](core)", "[`bom`](bom), [`extra`](extra), [`attic`](attic)");

      assertThat(papers.modulesOffTheMap()).containsExactly("adds attic");
    }

    @Test
    void mayLoseTheirMap() throws IOException {
      write("README.md", "# Superstep");

      assertThatThrownBy(papers::modulesOffTheMap)
          .hasMessageContaining("README.md has no table with the column Module");
    }

    @ParameterizedTest
    @ValueSource(
        strings = {
          "`GraphTest`",
          "`GraphTests`, `NoTests`",
          "`Graph`",
          "GraphTests",
          "`GraphTests` and common sense",
          "see above"
        })
    void mayProveAPromiseByNothing(String proof) throws IOException {
      proof(proof);

      assertThat(papers.emptyProofs()).containsExactly(proof);
    }

    @Test
    void mayLackTheMeaningOfACode() throws IOException {
      write("core/src/main/java/Graph.java", "throw problem(\"SG-101\", \"SG-102\");");

      assertThat(papers.codesOffTheBooks()).containsExactly("lacks SG-102");
    }

    @Test
    void mayExplainACodeThatNobodyRaises() throws IOException {
      write("docs/errors.md", "## SG-101\n### SG-103\nAs in SG-104.");

      assertThat(papers.codesOffTheBooks()).containsExactly("adds SG-103");
    }

    private void readme(String... rows) throws IOException {
      write(
          "README.md",
          "| Module | What |\n|---|---|\n| " + String.join(" | some |\n| ", rows) + " | some |\n");
    }

    private void proof(String proof) throws IOException {
      write(
          "docs/promises.md",
          "| # | Promise | Proof |\n|---|---|---|\n| 1 | a \\| b | " + proof + " |\n| 2 | c | |\n");
    }

    private void write(String file, String text) throws IOException {
      Files.createDirectories(root.resolve(file).getParent());
      Files.writeString(root.resolve(file), text);
    }
  }
}
