package io.superstep.build.gradle;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the Maven and the Gradle build must both say.
 *
 * @param release the Java release, or all of them, comma-separated, where modules disagree
 * @param versions a version by its key, such as {@code junit-platform}
 * @param libraries a version by the {@code group:artifact} it is meant for
 * @param modules a module by its folder
 */
public record Build(
    String group,
    String version,
    String release,
    SortedMap<String, String> versions,
    SortedMap<String, String> libraries,
    SortedMap<String, BuildModule> modules) {

  public Build {
    versions = copy(versions);
    libraries = copy(libraries);
    modules = copy(modules);
  }

  private static <V> SortedMap<String, V> copy(Map<String, V> map) {
    return Collections.unmodifiableSortedMap(new TreeMap<>(map));
  }
}
