package io.superstep.samples.debate;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.samples.Written;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

class DebateSampleTests {

  private static final Duration PAUSE = Duration.ofMillis(60);
  private static final Duration LONG_ENOUGH = Duration.ofMinutes(1);

  /** What the README says that the demo prints. */
  private static final Pattern PRINTED =
      Pattern.compile("mvn -q -Pdemo\n```\n.*?```\n(.*?)```", Pattern.DOTALL);

  private final Written written = new Written();

  @Test
  void aWordIsSeenWhenItIsSaid() {
    StepVerifier.withVirtualTime(() -> DebateSample.play("Why?", PAUSE, written.stream()))
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
    StepVerifier.withVirtualTime(() -> DebateSample.play("Why?", PAUSE, written.stream()))
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
  void threeRoundsAreHeldAndThenTheModeratorConcludes() {
    play("Why?");

    assertThat(written.text().lines())
        .filteredOn(line -> line.matches("\\w+: .*"))
        .extracting(line -> line.substring(0, line.indexOf(':')))
        .containsExactly(
            "optimist", "skeptic", "optimist", "skeptic", "optimist", "skeptic", "moderator");
  }

  @Test
  void theFinalStateIsShown() {
    play("Why?");

    List<String> said = DebateSample.SCRIPT.stream()
        .map(line -> "      - " + line.formatted("Why?"))
        .toList();
    assertThat(written.text())
        .contains("\nThe final state\n    topic: Why?\n    round: 3\n    messages:\n"
            + String.join("\n", said) + "\n");
  }

  @Test
  void wordsStepsAndTimeAreCounted() {
    play("Why?");

    assertThat(written.text()).endsWith("\n84 tokens, 7 steps, 5.0 s\n");
  }

  @Test
  void theReadmeShowsWhatIsPrinted() throws IOException {
    play("Should AI be regulated?");

    Matcher readme = PRINTED.matcher(Files.readString(Path.of("../README.md")));
    assertThat(readme.find()).isTrue();
    assertThat(written.text()).startsWith(readme.group(1));
  }

  private void play(String topic) {
    StepVerifier.withVirtualTime(() -> DebateSample.play(topic, PAUSE, written.stream()))
        .thenAwait(LONG_ENOUGH)
        .verifyComplete();
  }
}
