package io.superstep.json;

import io.superstep.state.Effect;
import org.jspecify.annotations.Nullable;

/** What happened to a channel that the schema does not know, kept as the text it was. */
record StrangeEffect(String json) implements Effect.Foreign<@Nullable Object> {

  @Override
  public Object after(@Nullable Object before) {
    if (before != null && !(before instanceof Stranger)) {
      throw new IllegalStateException("The value of the channel was not read as raw text.");
    }
    return (before == null ? Stranger.NEW : (Stranger) before).after(json);
  }

  /** That something happened; never what. */
  @Override
  public String toString() {
    return "something";
  }
}
