package io.superstep.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;

@DisplayName("What is compared does the same work")
class WorkloadsTests {

  /** Made once: what a run leaves behind must not become part of the next one. */
  private static final Chain CHAIN = chain();

  private static final FanOut FAN_OUT = fanOut();

  private static final Conversation CONVERSATION = conversation();

  private static Chain chain() {
    Chain chain = new Chain();
    chain.steps = 100;
    chain.build();
    return chain;
  }

  private static FanOut fanOut() {
    FanOut fanOut = new FanOut();
    fanOut.branches = 64;
    fanOut.build();
    return fanOut;
  }

  private static Conversation conversation() {
    Conversation conversation = new Conversation();
    conversation.steps = 100;
    conversation.build();
    return conversation;
  }

  @RepeatedTest(3)
  @DisplayName("All chains count to the same number, time and again")
  void chains() {
    assertThat(CHAIN.bare()).isEqualTo(100);
    assertThat(CHAIN.run()).isEqualTo(100);
    assertThat(CHAIN.stream()).isEqualTo(100);
    assertThat(CHAIN.langGraph4j()).isEqualTo(100);
    assertThat(CHAIN.springAiAlibaba()).isEqualTo(100);
  }

  @RepeatedTest(3)
  @DisplayName("All fan-outs gather what every branch said, time and again")
  void fanOuts() {
    assertThat(FAN_OUT.bare()).isEqualTo(65);
    assertThat(FAN_OUT.bareMutable()).isEqualTo(65);
    assertThat(FAN_OUT.run()).isEqualTo(65);
    assertThat(FAN_OUT.langGraph4j()).isEqualTo(65);
    assertThat(FAN_OUT.springAiAlibaba()).isEqualTo(65);
  }

  @RepeatedTest(3)
  @DisplayName("All conversations come to the same number of messages, time and again")
  void conversations() {
    assertThat(CONVERSATION.bare()).isEqualTo(100);
    assertThat(CONVERSATION.run()).isEqualTo(100);
    assertThat(CONVERSATION.thread()).isEqualTo(100);
  }
}
