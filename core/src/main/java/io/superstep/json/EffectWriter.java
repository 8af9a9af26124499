package io.superstep.json;

import io.superstep.state.Effect;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;

/**
 * Writes what happened to a channel: an object whose only property says what, such as
 * {@code {"append":["a"]}}, or an array of such objects where one thing happened after the other.
 */
record EffectWriter(ChannelText channel, JsonGenerator out, SerializationContext context) {

  static final String SET = "set";
  static final String NOTHING = "nothing";
  static final String ADD = "add";
  static final String JOIN = "join";
  static final String APPEND = "append";
  static final String UNION = "union";
  static final String MERGE = "merge";
  static final String MERGE_DEEP = "merge-deep";
  static final String EDIT = "edit";
  static final String REMOVED = "removed";
  static final String REPLACED = "replaced";
  static final String INSERTED = "inserted";

  void write(Effect<?> effect) {
    if (effect instanceof Effect.Sequence<?> sequence) {
      out.writeStartArray();
      sequence.effects().forEach(this::write);
      out.writeEndArray();
    } else {
      out.writeStartObject();
      writeOne(effect);
      out.writeEndObject();
    }
  }

  private void writeOne(Effect<?> effect) {
    if (effect instanceof Effect.Replace<?> replace) {
      out.writeName(SET);
      channel.write(replace.value(), out, context);
    } else if (effect instanceof Effect.Add<?> add) {
      out.writeName(ADD);
      channel.write(add.amount(), out, context);
    } else if (effect instanceof Effect.Join join) {
      out.writeStringProperty(JOIN, join.text());
    } else if (effect instanceof Effect.Append<?> append) {
      out.writeName(APPEND);
      channel.write(append.items(), out, context);
    } else if (effect instanceof Effect.Union<?> union) {
      out.writeName(UNION);
      channel.write(union.elements(), out, context);
    } else if (effect instanceof Effect.Merge<?, ?> merge) {
      out.writeName(merge.deep() ? MERGE_DEEP : MERGE);
      channel.write(merge.entries(), out, context);
    } else if (effect instanceof Effect.Edit<?> edit) {
      writeEdit(edit);
    } else if (effect instanceof Effect.Nothing<?>) {
      out.writeBooleanProperty(NOTHING, true);
    } else {
      throw new IllegalStateException("The format has no representation of " + effect.getClass());
    }
  }

  private void writeEdit(Effect.Edit<?> edit) {
    out.writeObjectPropertyStart(EDIT);
    out.writeArrayPropertyStart(REMOVED);
    edit.removed().forEach(out::writeNumber);
    out.writeEndArray();
    writePositions(REPLACED, edit.replaced());
    writePositions(INSERTED, edit.inserted());
    out.writeEndObject();
  }

  private void writePositions(String name, Map<Integer, ?> elements) {
    out.writeObjectPropertyStart(name);
    elements.forEach((position, element) -> {
      out.writeName(position.toString());
      channel.writeElement(element, out, context);
    });
    out.writeEndObject();
  }
}
