package io.superstep.reactor;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Ticker;
import io.superstep.graph.CachePolicy;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.Node;
import io.superstep.graph.NodeBody;
import io.superstep.graph.NodeContext;
import io.superstep.state.State;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What nodes with a cache said before, in any run of one runner. */
final class KnownAnswers {

  private final Map<Node, Cache<Object, Command>> byNode = new HashMap<>();

  KnownAnswers(Graph graph, Ticker ticker) {
    for (Graph each : NestedGraphs.with(graph)) {
      for (Node node : each.nodes()) {
        CachePolicy policy = node.policy().cache();
        if (policy != null && !(node.body() instanceof NodeBody.Nested)) {
          byNode.put(node, BoundedCache.of(policy.maxEntries(), policy.ttl(), ticker));
        }
      }
    }
  }

  /** What is asked of {@code node}; null if it is to be run in any case. */
  @Nullable
  Question question(Node node, State state, NodeContext context) {
    CachePolicy policy = node.policy().cache();
    Cache<Object, Command> cache = policy == null ? null : byNode.get(node);
    if (policy == null || cache == null) {
      return null;
    }
    Object key = policy.key().apply(state, context);
    return key == null
        ? null
        : new Question(cache, key.getClass().isArray() ? new ByContents(key) : key);
  }

  /** What a node is asked, as far as its answer depends on it. */
  record Question(Cache<Object, Command> asked, Object key) {

    /** What was said to it before, if that is still known. */
    @Nullable
    Command known() {
      return asked.getIfPresent(key);
    }
  }

  /**
   * What a node said to a question.
   *
   * @param said without ids for its messages: these belong to the task that says it
   */
  record Answer(Question question, Command said) {

    void keep() {
      question.asked.put(question.key, said);
    }
  }

  /** An array as a key. */
  private record ByContents(Object array) {

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof ByContents key && Objects.deepEquals(array, key.array);
    }

    @Override
    public int hashCode() {
      return Arrays.deepHashCode(new Object[] {array});
    }
  }
}
