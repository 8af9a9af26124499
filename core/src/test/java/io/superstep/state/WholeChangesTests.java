package io.superstep.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WholeChangesTests {

  private static final ListChannel<String> LOG = Channel.list("log", String.class);
  private static final Channel<@Nullable String> NAME = Channel.value("name", String.class);
  private static final Channel<Integer> ROUND =
      Channel.value("round", Integer.class).startingAt(7).writeOnce();
  private static final Channel<String> SEEN =
      Channel.value("seen", String.class).startingAt("").ephemeral();
  private static final Channel<@Nullable String> CLIENT =
      Channel.value("client", String.class).runtimeOnly();
  private static final StateSchema SCHEMA = StateSchema.of(LOG, NAME, ROUND, SEEN, CLIENT);

  private static State fold(State state, Update update) {
    return state.fold(List.of(new Contribution("node", update))).state();
  }

  @Test
  @DisplayName("S2.37 the changes of a base lead from the start to the whole state")
  void wholeState() {
    State one = fold(SCHEMA.start(), Update.append(LOG, "a").and(NAME, "x").and(CLIENT, "c"));
    State state = fold(one, Update.append(LOG, "b").and(NAME, null).and(SEEN, "once"));

    Changes whole = Changes.whole(state);

    assertThat(SCHEMA.start().apply(whole)).isEqualTo(state.stored());
    assertThat(whole.effects()).containsOnlyKeys("log", "name", "seen");
  }

  @Test
  @DisplayName("S2.37 what was never written is not written by a base either")
  void neverWritten() {
    State state = SCHEMA.start().apply(Changes.whole(fold(SCHEMA.start(), Update.of(NAME, "x"))));

    assertThat(fold(state, Update.of(ROUND, 8)).get(ROUND)).isEqualTo(8);
    assertThat(Changes.whole(SCHEMA.start()).isEmpty()).isTrue();
  }
}
