package io.superstep.reactor;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.superstep.graph.CachePolicy;
import io.superstep.graph.Command;
import io.superstep.graph.Graph;
import io.superstep.graph.Node;
import io.superstep.graph.NodeBody;
import io.superstep.state.State;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What nodes with a cache said before, in any run of one runner.
 *
 * <p>An answer is kept without ids for its messages: these belong to the task that gives it.
 */
final class KnownAnswers {

  private final Map<Node, Cache<Object, Command>> byNode = new HashMap<>();

  KnownAnswers(Graph graph, Ticker ticker) {
    addAll(graph, ticker);
  }

  private void addAll(Graph graph, Ticker ticker) {
    for (Node node : graph.nodes()) {
      CachePolicy policy = node.policy().cache();
      if (policy != null) {
        byNode.put(node, cache(policy, ticker));
      }
      if (node.body() instanceof NodeBody.Nested nested) {
        addAll(nested.subgraph().graph(), ticker);
      }
    }
  }

  private static Cache<Object, Command> cache(CachePolicy policy, Ticker ticker) {
    Caffeine<Object, Object> builder = Caffeine.newBuilder()
        .ticker(ticker)
        .executor(Runnable::run)
        .maximumSize(policy.maxEntries());
    return (policy.ttl() == null ? builder : builder.expireAfterWrite(policy.ttl())).build();
  }

  /** What the answer of {@code node} depends on; null if it is to be asked in any case. */
  @Nullable
  Object key(Node node, State state) {
    CachePolicy policy = node.policy().cache();
    return policy == null ? null : policy.key().apply(state);
  }

  @Nullable
  Command find(Node node, Object key) {
    return cacheOf(node).getIfPresent(key);
  }

  void keep(Node node, Object key, Command said) {
    cacheOf(node).put(key, said);
  }

  @SuppressWarnings("NullAway") // a node that has a key has a cache
  private Cache<Object, Command> cacheOf(Node node) {
    return byNode.get(node);
  }
}
