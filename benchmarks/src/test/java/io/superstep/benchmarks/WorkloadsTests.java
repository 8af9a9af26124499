package io.superstep.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.benchmarks.Contender.Timed;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;

@DisplayName("What is compared does the same work")
class WorkloadsTests {

  /** Made once: what a run leaves behind must not become part of the next one. */
  private static final Chain CHAIN = chain(1);

  private static final Chain WIDE = chain(1_000);

  private static final FanOut FAN_OUT = fanOut();

  private static final Sends SENDS = sends();

  private static final Conversation CONVERSATION = conversation();

  private static final Tokens TOKENS = tokens();

  private static final Concurrent CONCURRENT = concurrent();

  private static final History HISTORY = history();

  private static Chain chain(int channels) {
    Chain chain = new Chain();
    chain.steps = 100;
    chain.channels = channels;
    chain.build();
    return chain;
  }

  private static FanOut fanOut() {
    FanOut fanOut = new FanOut();
    fanOut.branches = 64;
    fanOut.build();
    return fanOut;
  }

  private static Sends sends() {
    Sends sends = new Sends();
    sends.sends = 1_000;
    sends.build();
    return sends;
  }

  private static Conversation conversation() {
    Conversation conversation = new Conversation();
    conversation.steps = 100;
    conversation.build();
    return conversation;
  }

  private static Tokens tokens() {
    Tokens tokens = new Tokens();
    tokens.chunks = 1_000;
    tokens.build();
    return tokens;
  }

  private static Concurrent concurrent() {
    Concurrent concurrent = new Concurrent();
    concurrent.runs = 100;
    concurrent.steps = 10;
    concurrent.build();
    return concurrent;
  }

  private static History history() {
    History history = new History();
    history.steps = 100;
    history.build();
    return history;
  }

  @RepeatedTest(3)
  @DisplayName("All chains count to the same number, time and again")
  void chains() {
    assertThat(CHAIN.bare()).isEqualTo(100);
    assertThat(CHAIN.run()).isEqualTo(100);
    assertThat(CHAIN.langGraph4j()).isEqualTo(100);
    assertThat(CHAIN.springAiAlibaba()).isEqualTo(100);
  }

  @RepeatedTest(3)
  @DisplayName("All chains that are streamed count to the same number, time and again")
  void streamedChains() {
    assertThat(CHAIN.stream()).isEqualTo(100);
    assertThat(CHAIN.langGraph4jStream()).isEqualTo(100);
    assertThat(CHAIN.springAiAlibabaStream()).isEqualTo(100);
  }

  @Test
  @DisplayName("A chain tells five events per step, and its beginning and its end")
  void eventsOfAChain() {
    assertThat(CHAIN.events()).isEqualTo(5 * 100 + 2);
  }

  @RepeatedTest(3)
  @DisplayName("All chains among a thousand channels count to the same number, time and again")
  void wideChains() {
    assertThat(WIDE.bare()).isEqualTo(100);
    assertThat(WIDE.run()).isEqualTo(100);
    assertThat(WIDE.langGraph4j()).isEqualTo(100);
    assertThat(WIDE.springAiAlibaba()).isEqualTo(100);
  }

  @Test
  @DisplayName("All wide states hold a thousand channels")
  void wideStates() {
    assertThat(WIDE.widths()).containsOnly(1_000);
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
  @DisplayName("All sends gather what every task said, time and again")
  void sent() {
    assertThat(SENDS.bare()).isEqualTo(1_001);
    assertThat(SENDS.bareMutable()).isEqualTo(1_001);
    assertThat(SENDS.run()).isEqualTo(1_001);
  }

  @RepeatedTest(3)
  @DisplayName("All conversations come to the same number of messages, time and again")
  void conversations() {
    assertThat(CONVERSATION.bare()).isEqualTo(100);
    assertThat(CONVERSATION.run()).isEqualTo(100);
    assertThat(CONVERSATION.thread()).isEqualTo(100);
    assertThat(LangGraph4j.conversation(100, Words.NEW).run().get("said"))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .hasSize(100)
        .doesNotHaveDuplicates();
    assertThat(SpringAiAlibaba.conversation(100, Words.NEW).run().get("said"))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .hasSize(100)
        .doesNotHaveDuplicates();
  }

  @RepeatedTest(3)
  @DisplayName("All subscribers hear every token, time and again")
  void chunks() {
    assertThat(TOKENS.bare()).isEqualTo(1_000);
    assertThat(TOKENS.bareMap()).isEqualTo(1_000);
    assertThat(TOKENS.stream()).isEqualTo(1_000);
    assertThat(TOKENS.langGraph4j()).isEqualTo(1_000);
    assertThat(TOKENS.springAiAlibaba()).isEqualTo(1_000);
  }

  @RepeatedTest(3)
  @DisplayName("All runs at once come to their end, time and again")
  void runsAtOnce() {
    assertThat(CONCURRENT.bare()).isEqualTo(100);
    assertThat(CONCURRENT.run()).isEqualTo(100);
    assertThat(CONCURRENT.threads()).isEqualTo(100);
    assertThat(CONCURRENT.springAiAlibaba()).isEqualTo(100);
  }

  @RepeatedTest(3)
  @DisplayName("All who look at a conversation that is over see the same, time and again")
  void histories() {
    assertThat(HISTORY.bareLatest()).isEqualTo(100);
    assertThat(HISTORY.latest()).isEqualTo(100);
    assertThat(HISTORY.bareList()).isEqualTo(100);
    assertThat(HISTORY.bareWalk()).isEqualTo(100);
    assertThat(HISTORY.list()).isEqualTo(100);
  }

  @Test
  @DisplayName("All who write to a file and read from it do the same")
  void files() throws Exception {
    InAFile file = new InAFile();
    file.threads = 3;
    file.commits = 5;
    file.messages = 100;
    file.build();
    try {
      assertThat(file.bareInsert()).isEqualTo(15);
      assertThat(file.commit()).isEqualTo(15);
      assertThat(file.bareLoad()).isEqualTo(100);
      assertThat(file.load()).isEqualTo(100);
    } finally {
      file.close();
    }
  }

  @Test
  @DisplayName("Words are 100 characters, prepared or not")
  void words() {
    assertThat(Words.NEW.at(7)).hasSize(100).isEqualTo(Words.prepared(10).at(7));
  }

  @Test
  @DisplayName("Every contender that is timed is a benchmark")
  void timedContendersExist() {
    Set<String> benchmarks = timed()
        .map(Timed::type)
        .distinct()
        .flatMap(type -> Arrays.stream(type.getMethods()))
        .filter(method -> method.isAnnotationPresent(Benchmark.class))
        .map(method -> method.getDeclaringClass().getName() + "." + method.getName())
        .collect(Collectors.toSet());

    assertThat(timed().map(each -> each.type().getName() + "." + each.method()))
        .isSubsetOf(benchmarks);
  }

  private static Stream<Timed> timed() {
    return Workloads.ALL.stream()
        .flatMap(workload -> workload.rows().stream())
        .flatMap(row -> row.contenders().stream())
        .filter(Timed.class::isInstance)
        .map(Timed.class::cast);
  }
}
