package io.superstep;

import static org.assertj.core.api.Assertions.assertThat;

import io.superstep.message.Message;
import io.superstep.state.Channel;
import io.superstep.state.Contribution;
import io.superstep.state.ListChannel;
import io.superstep.state.State;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The code of the README, as it stands there. */
class ReadmeTests {

  // spotless:off
  static final ListChannel<Message> MESSAGES = Channel.messages("messages");
  static final Channel<Integer> ROUND = Channel.value("round", Integer.class).startingAt(0);
  static final Channel<Integer> TOKENS = Channel.sum("tokens", Integer.class);
  // spotless:on

  @Test
  void twoNodesFoldTheirUpdatesIntoOneState() {
    // spotless:off
    State start = StateSchema.of(MESSAGES, ROUND, TOKENS).start();
    Update optimist = Update.append(MESSAGES, Message.ai("Yes.")).and(TOKENS, 12);
    Update skeptic = Update.append(MESSAGES, Message.ai("No.")).and(TOKENS, 30).and(ROUND, start.get(ROUND) + 1);

    State next = start.fold(List.of(new Contribution("optimist", optimist), new Contribution("skeptic", skeptic))).state();
    // spotless:on

    assertThat(next.get(TOKENS)).isEqualTo(42);
    assertThat(next.get(ROUND)).isEqualTo(1);
    assertThat(next.get(MESSAGES)).extracting(Message::content).containsExactly("Yes.", "No.");
    assertThat(start.get(TOKENS)).isZero();
  }
}
