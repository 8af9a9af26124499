package io.superstep.graph;

import static io.superstep.graph.Graph.END;
import static io.superstep.graph.Graph.START;
import static io.superstep.graph.Graph.all;
import static io.superstep.graph.Graph.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.state.Channel;
import io.superstep.state.ListChannel;
import io.superstep.state.Update;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The graphs of docs/graphs.md, as they stand there. */
class GraphPageTests {

  private static final Path PAGE = Path.of("../docs/graphs.md");
  private static final Path THIS = Path.of("src/test/java/io/superstep/graph/GraphPageTests.java");

  private static final Channel<Integer> ROUND = Channel.sum("round", Integer.class);
  private static final ListChannel<String> CHAPTERS = Channel.list("chapters", String.class);
  private static final Channel<@Nullable String> CHAPTER =
      Channel.value("chapter", String.class).argument();
  private static final ListChannel<String> NOTES = Channel.list("notes", String.class);

  private final Graph debate = Graph.builder("debate")
      .channels(ROUND)
      .compute("optimist", state -> Update.NOTHING)
      .compute("skeptic", state -> Update.of(ROUND, 1))
      .compute("moderator", state -> Update.NOTHING)
      .sequence(START, "optimist", "skeptic")
      .route(
          "skeptic",
          to("optimist", "moderator"),
          state -> state.get(ROUND) < 3 ? "optimist" : "moderator")
      .edge("moderator", END)
      .build();

  private final Graph summary = Graph.builder("summary")
      .channels(CHAPTERS, CHAPTER, NOTES)
      .compute("split", state -> Update.NOTHING)
      .compute("summarise", state -> Update.append(NOTES, "About " + state.get(CHAPTER)))
      .compute("combine", state -> Update.NOTHING)
      .compute("index", state -> Update.NOTHING)
      .compute("print", state -> Update.NOTHING)
      .edge(START, "split")
      .edge(START, "index")
      .fanOut(
          "split",
          to("summarise"),
          state -> state.get(CHAPTERS).stream()
              .map(chapter -> Send.to("summarise", CHAPTER, chapter))
              .toList())
      .edge("summarise", "combine")
      .defer("combine")
      .join(all("combine", "index"), "print")
      .edge("print", END)
      .build();

  private final Graph web = Graph.builder("web")
      .channels(NOTES)
      .compute("search", state -> Update.NOTHING)
      .compute("read", state -> Update.append(NOTES, "A page"))
      .sequence(START, "search", "read")
      .route("read", to("search", END), state -> state.get(NOTES).size() < 5 ? "search" : END)
      .build();

  private final Graph research = Graph.builder("research")
      .channels(NOTES)
      .compute("plan", state -> Update.NOTHING)
      .subgraph("web", web)
      .compute("review", state -> Command.goTo(state.get(NOTES).size() < 20 ? "plan" : "publish"))
      .compute("publish", state -> Update.NOTHING)
      .sequence(START, "plan", "web", "review")
      .mayGoTo("review", "plan", "publish")
      .maxVisits("plan", 3, "publish")
      .interruptBefore("publish")
      .edge("publish", END)
      .build();

  @Test
  @DisplayName("E26 the page of drawings shows what its graphs draw")
  void thePageShowsWhatItsGraphsDraw() throws IOException {
    assertThat(blocks("mermaid"))
        .containsExactly(
            debate.mermaid(),
            summary.mermaid(),
            research.mermaid(),
            research.mermaid(List.of("web/search")));
  }

  @Test
  void thePageShowsWhatItsGraphTells() throws IOException {
    assertThat(blocks("text")).containsExactly(research.describe());
  }

  @Test
  void everyLineOfThePagesCodeStandsInThisTest() throws IOException {
    String test = Files.readString(THIS);

    assertThat(blocks("java").stream().flatMap(String::lines).map(GraphPageTests::statement))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(test).contains(line));
  }

  private static String statement(String line) {
    return line.replaceFirst(";?\\s*(//.*)?$", "").strip();
  }

  private static List<String> blocks(String language) throws IOException {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(PAGE))
        .results()
        .map(block -> block.group(1))
        .toList();
  }
}
