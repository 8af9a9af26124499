package io.superstep.json;

import io.superstep.state.Schemas;
import io.superstep.state.StateSchema;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.json.JsonMapper;

/** Prepares schemas once. Safe for use by many threads. */
final class KnownSchemas {

  /** Who makes schemas as they go has them prepared again now and then, and fills no memory. */
  private static final int MOST = 256;

  private final JsonMapper mapper;
  private final AtomicReference<Map<StateSchema, SchemaTexts>> known =
      new AtomicReference<>(new HashMap<>());

  KnownSchemas(JsonMapper mapper) {
    this.mapper = mapper;
  }

  /** A graph with {@code schemas}, in JSON. */
  GraphTexts of(Schemas schemas) {
    return new GraphTexts(this, schemas, null);
  }

  SchemaTexts of(StateSchema schema) {
    SchemaTexts texts = known.get().get(schema);
    if (texts == null) {
      SchemaTexts prepared = SchemaTexts.of(schema, mapper);
      known.updateAndGet(before -> {
        Map<StateSchema, SchemaTexts> more =
            before.size() < MOST ? new HashMap<>(before) : new HashMap<>();
        more.put(schema, prepared);
        return more;
      });
      texts = prepared;
    }
    return texts;
  }
}
