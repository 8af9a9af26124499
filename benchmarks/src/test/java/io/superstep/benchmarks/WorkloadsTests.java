package io.superstep.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is compared does the same work")
class WorkloadsTests {

  @Test
  @DisplayName("All chains count to the same number")
  void chains() {
    Chain chain = new Chain();
    chain.steps = 100;
    chain.build();

    assertThat(chain.bare()).isEqualTo(100);
    assertThat(chain.run()).isEqualTo(100);
    assertThat(chain.stream()).isEqualTo(100);
    assertThat(chain.langGraph4j()).isEqualTo(100);
    assertThat(chain.springAiAlibaba()).isEqualTo(100);
  }

  @Test
  @DisplayName("All fan-outs gather what every branch said")
  void fanOuts() {
    FanOut fanOut = new FanOut();
    fanOut.branches = 64;
    fanOut.build();

    assertThat(fanOut.bare()).isEqualTo(65);
    assertThat(fanOut.bareMutable()).isEqualTo(65);
    assertThat(fanOut.run()).isEqualTo(65);
    assertThat(fanOut.langGraph4j()).isEqualTo(65);
    assertThat(fanOut.springAiAlibaba()).isEqualTo(65);
  }
}
