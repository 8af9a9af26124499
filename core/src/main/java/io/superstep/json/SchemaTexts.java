package io.superstep.json;

import io.superstep.state.Channel;
import io.superstep.state.StateSchema;
import io.superstep.state.Update;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.json.JsonMapper;

/** All that has values of one schema, in JSON; what the schema does not know is kept. */
record SchemaTexts(StateSchema schema, StateText states, ChangesText changes, UpdateText updates) {

  static SchemaTexts of(StateSchema schema, JsonMapper mapper) {
    ChannelTexts channels = new ChannelTexts(schema.channels(), mapper, true);
    return new SchemaTexts(
        schema,
        new StateText(schema, channels),
        new ChangesText(channels),
        new UpdateText(channels));
  }

  /**
   * Writes {@code update} where a value is due.
   *
   * @throws io.superstep.state.InvalidUpdateException if it does not fit the schema
   */
  void writeUpdate(Update update, JsonGenerator out, SerializationContext context) {
    schema.check(isKnown(update) ? update : update.only(names()), null);
    updates.writeValue(update, out, context);
  }

  private boolean isKnown(Update update) {
    return update.writes().stream().allMatch(write -> schema.has(write.channel()));
  }

  private Set<String> names() {
    return schema.channels().stream().map(Channel::name).collect(Collectors.toSet());
  }
}
