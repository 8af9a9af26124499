package io.superstep.graph;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A node that is due once each of several others has completed since it was last due this way.
 *
 * @param key what tells this join from all others of its graph, also in storage
 */
public record Join(String key, Set<String> sources, Node target) {

  public Join {
    sources = Collections.unmodifiableSet(new LinkedHashSet<>(sources));
  }

  static Join of(Collection<String> sources, Node target) {
    return new Join(key(sources, target.name()), new LinkedHashSet<>(sources), target);
  }

  static String key(Collection<String> sources, String target) {
    return sources.stream().distinct().sorted().toList() + " -> " + target;
  }
}
