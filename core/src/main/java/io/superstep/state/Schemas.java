package io.superstep.state;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The schema of a graph and, by the names of its nodes, those of the graphs inside it: all that is
 * needed to read what its threads have written.
 *
 * <p>What no schema knows is kept as it stands, so that a thread outlives a change of its graph.
 * Immutable.
 */
public final class Schemas {

  /** Knows nothing: whoever reads with it sees where a thread stands, and none of its values. */
  public static final Schemas NONE = of(StateSchema.of());

  private final StateSchema schema;
  private final Map<String, Schemas> inside;

  private Schemas(StateSchema schema, Map<String, Schemas> inside) {
    this.schema = schema;
    this.inside = inside;
  }

  /** The schema of a graph that has no other inside. */
  public static Schemas of(StateSchema schema) {
    return new Schemas(schema, Map.of());
  }

  /** The schema of a graph, and those of the graphs that its nodes are. */
  public static Schemas of(StateSchema schema, Map<String, Schemas> inside) {
    return new Schemas(schema, Collections.unmodifiableMap(new LinkedHashMap<>(inside)));
  }

  /** That of the graph itself. */
  public StateSchema schema() {
    return schema;
  }

  /** Returns the schemas of the subgraphs, by the names of their nodes. Immutable. */
  public Map<String, Schemas> inside() {
    return inside;
  }

  /** Those of the graph that {@code node} is; {@link #NONE} if it is none. */
  public Schemas inside(String node) {
    return inside.getOrDefault(node, NONE);
  }
}
