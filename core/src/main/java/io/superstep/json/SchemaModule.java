package io.superstep.json;

import io.superstep.message.Message;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.module.SimpleModule;

/** What this package teaches Jackson. */
final class SchemaModule extends SimpleModule {

  private static final long serialVersionUID = 1L;

  SchemaModule() {
    super("superstep");
    addKeySerializer(String.class, new NameSerializer());
    // Jackson would take sets and maps that have an order of their own.
    addAbstractTypeMapping(Set.class, LinkedHashSet.class);
    addAbstractTypeMapping(Map.class, LinkedHashMap.class);
    setMixInAnnotation(Message.Human.class, MessageText.WithoutNothing.class);
    setMixInAnnotation(Message.Ai.class, MessageText.WithoutNothing.class);
    setMixInAnnotation(Message.SystemPrompt.class, MessageText.SystemPrompt.class);
    setMixInAnnotation(Message.ToolResult.class, MessageText.ToolResult.class);
  }

  @Override
  public void setupModule(SetupContext context) {
    super.setupModule(context);
    context.addSerializers(new DeclaredSerializers());
    context.addDeserializers(new DeclaredDeserializers());
    context.addSerializerModifier(new ExactTypes());
  }
}
