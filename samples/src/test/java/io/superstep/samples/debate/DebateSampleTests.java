package io.superstep.samples.debate;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.samples.Written;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

class DebateSampleTests {

  private static final Duration PAUSE = Duration.ofMillis(60);
  private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

  /** What the README says that the demo prints. */
  private static final Pattern PRINTED =
      Pattern.compile("mvn -q -Pdemo\n```\n.*?```\n(.*?)```", Pattern.DOTALL);

  private static final String WAITS = """
      publisher: Publish what the moderator said?
          the run has ended, and its thread waits for an answer; \
      it is kept in memory, so it ends with this process
      """;

  private final Written written = new Written();

  private AtTheTerminal typing(String keys) {
    return new AtTheTerminal(new BufferedReader(new StringReader(keys)), written.stream());
  }

  private Mono<Void> debate() {
    return DebateSample.play("Why?", PAUSE, Keeping.inMemory(), typing("y\n"), written.stream());
  }

  @Test
  void aWordIsSeenWhenItIsSaid() {
    StepVerifier.withVirtualTime(this::debate)
        .then(() -> assertThat(written.text()).isEqualTo("optimist: "))
        .thenAwait(PAUSE)
        .then(() -> assertThat(written.text()).isEqualTo("optimist: Why? "))
        .thenAwait(PAUSE)
        .then(() -> assertThat(written.text()).isEqualTo("optimist: Why? Yes! "))
        .thenCancel()
        .verify();
  }

  @Test
  void aStepIsSeenWhenItIsCommitted() {
    StepVerifier.withVirtualTime(this::debate)
        .thenAwait(PAUSE.multipliedBy(11))
        .then(() -> assertThat(written.text())
            .endsWith("dared.\n    step 1 committed: messages\nskeptic: "))
        .thenAwait(PAUSE.multipliedBy(11))
        .then(() -> assertThat(written.text())
            .endsWith("wrong?\n    step 2 committed: messages, round\noptimist: "))
        .thenCancel()
        .verify();
  }

  @Test
  void threeRoundsAreHeldAndThenTheModeratorConcludesAndSomebodyIsAsked() {
    play("Why?");

    assertThat(written.text().lines())
        .filteredOn(line -> line.matches("\\w+: .*"))
        .extracting(line -> line.substring(0, line.indexOf(':')))
        .containsExactly(
            "optimist",
            "skeptic",
            "optimist",
            "skeptic",
            "optimist",
            "skeptic",
            "moderator",
            "publisher");
  }

  @Test
  void theFinalStateIsShown() {
    play("Why?");

    List<String> said = DebateSample.SCRIPT.stream()
        .map(line -> "      - " + line.formatted("Why?"))
        .toList();
    assertThat(written.text())
        .contains("\nThe final state\n    topic: Why?\n    round: 3\n    messages:\n"
            + String.join("\n", said) + "\n    published: true\n");
  }

  @Test
  void thePersonAtTheTerminalIsAskedUntilItIsAYesOrANo() {
    play("Why?", typing("what?\nN\n"));

    assertThat(written.text())
        .contains(WAITS + "    y/n>     y/n> publisher: answered by you\n    step 8 committed:")
        .contains("\n    published: false\n");
  }

  @Test
  void atTheEndOfWhatIsTypedTheAnswerIsYes() {
    play("Why?", typing(""));

    assertThat(written.text())
        .contains(
            WAITS + "    y/n> \n    nobody is at the terminal to be asked, so the answer is yes\n"
                + "publisher: answered by nobody\n    step 8 committed: published\n")
        .contains("\n    published: true\n");
  }

  @Test
  void withoutATerminalNobodyIsWaitedFor() {
    play("Why?", new AtTheTerminal(null, written.stream()));

    assertThat(written.text())
        .contains(WAITS + "    nobody is at the terminal to be asked, so the answer is yes\n")
        .contains("\n    published: true\n");
  }

  @Test
  void wordsStepsAndTimeAreCounted() {
    play("Why?");

    assertThat(written.text()).endsWith("\n84 tokens, 8 steps, 5.0 s\n");
  }

  @Test
  void theReadmeShowsWhatIsPrinted() throws IOException {
    play("Should AI be regulated?");

    Matcher readme = PRINTED.matcher(Files.readString(Path.of("../README.md")));
    assertThat(readme.find()).isTrue();
    assertThat(written.text()).startsWith(readme.group(1));
  }

  private void play(String topic) {
    play(topic, typing("y\n"));
  }

  private void play(String topic, AtTheTerminal person) {
    StepVerifier.withVirtualTime(
            () -> DebateSample.play(topic, PAUSE, Keeping.inMemory(), person, written.stream()))
        .thenAwait(LONG_ENOUGH)
        .verifyComplete();
    written.stream().flush();
  }
}
