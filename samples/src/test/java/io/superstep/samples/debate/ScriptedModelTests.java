package io.superstep.samples.debate;

import io.superstep.message.Message;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;

class ScriptedModelTests {

  private static final Duration PAUSE = Duration.ofMillis(60);

  private final ScriptedModel model = new ScriptedModel(List.of("%s Yes.", "But  no."), PAUSE);

  @Test
  void streamsItsFirstLineWordByWord() {
    StepVerifier.withVirtualTime(() -> model.stream("Why?", List.of()))
        .expectSubscription()
        .expectNoEvent(PAUSE)
        .expectNext("Why? ")
        .expectNoEvent(PAUSE)
        .expectNext("Yes.")
        .verifyComplete();
  }

  @Test
  void answersWithTheLineThatComesNext() {
    StepVerifier.withVirtualTime(
            () -> model.stream("Why?", List.of(Message.ai("Why? Yes."))).reduce(String::concat))
        .thenAwait(PAUSE.multipliedBy(3))
        .expectNext("But  no.")
        .verifyComplete();
  }
}
