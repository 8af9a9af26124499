package io.superstep.build.gradle;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * One module: the artifact it makes, whether others can depend on it, and what it depends on.
 *
 * @param dependencies each bucket's {@code group:artifact}s, and where one is more than the plain
 *     library in the version of the build, what more; every bucket has an entry
 */
public record BuildModule(
    String group,
    String artifact,
    String version,
    boolean published,
    Map<Bucket, SortedSet<String>> dependencies) {

  public BuildModule {
    dependencies = everyBucketOf(dependencies);
  }

  SortedSet<String> in(Bucket bucket) {
    return dependencies.getOrDefault(bucket, Collections.emptySortedSet());
  }

  private static Map<Bucket, SortedSet<String>> everyBucketOf(
      Map<Bucket, ? extends Collection<String>> dependencies) {
    Map<Bucket, SortedSet<String>> copy = new EnumMap<>(Bucket.class);
    for (Bucket bucket : Bucket.values()) {
      copy.put(bucket, new TreeSet<>());
    }
    dependencies.forEach((bucket, names) -> copy.put(bucket, new TreeSet<>(names)));
    return Collections.unmodifiableMap(copy);
  }
}
