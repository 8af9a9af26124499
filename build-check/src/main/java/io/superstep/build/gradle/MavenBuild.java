package io.superstep.build.gradle;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toCollection;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.maven.model.Dependency;
import org.apache.maven.model.DependencyManagement;
import org.apache.maven.model.Model;
import org.apache.maven.model.io.xpp3.MavenXpp3Reader;
import org.codehaus.plexus.util.xml.pull.XmlPullParserException;

/** Reads the Maven build from its poms. */
public final class MavenBuild {

  /**
   * The modules Gradle has no use for: {@code build-check} compares the two builds, and once is
   * enough. ({@code gradle-check} is a module of a profile and so is never among these.)
   */
  private static final Set<String> MAVEN_ONLY = Set.of("build-check");

  private final Path root;
  private final Model parent;

  private MavenBuild(Path root) {
    this.root = root;
    this.parent = pom(root);
  }

  /** Reads the build whose parent pom is in {@code root}. */
  public static Build read(Path root) {
    return new MavenBuild(root).read();
  }

  /** Reads the pom of one folder as it is written: nothing inherited, nothing interpolated. */
  public static Model pom(Path folder) {
    try (Reader pom = Files.newBufferedReader(folder.resolve("pom.xml"))) {
      return new MavenXpp3Reader().read(pom);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (XmlPullParserException e) {
      throw new IllegalArgumentException(folder.resolve("pom.xml") + " is not a pom.", e);
    }
  }

  private Build read() {
    SortedMap<String, Model> poms = new TreeMap<>();
    parent.getModules().stream()
        .filter(folder -> !MAVEN_ONLY.contains(folder))
        .forEach(folder -> poms.put(folder, pom(root.resolve(folder))));

    SortedMap<String, BuildModule> modules = new TreeMap<>();
    poms.forEach((folder, pom) -> modules.put(folder, module(pom)));
    return new Build(
        parent.getGroupId(),
        parent.getVersion(),
        releases(poms.values().stream()),
        LibraryVersions.in(root.resolve("pom.xml")),
        managedLibraries(),
        modules);
  }

  private String releases(Stream<Model> modules) {
    return Stream.concat(Stream.of(parent), modules)
        .map(pom -> pom.getProperties().getProperty("maven.compiler.release"))
        .filter(Objects::nonNull)
        .distinct()
        .collect(joining(", "));
  }

  private SortedMap<String, String> managedLibraries() {
    SortedMap<String, String> libraries = new TreeMap<>();
    managed(parent).stream()
        .filter(dependency -> !dependency.getGroupId().equals(parent.getGroupId()))
        .forEach(library -> libraries.put(coordinates(library), versionOf(library)));
    return libraries;
  }

  /** The version with its one property, if it has one, filled in. */
  private String versionOf(Dependency library) {
    String version = library.getVersion();
    return version.startsWith("${")
        ? parent.getProperties().getProperty(version.substring(2, version.length() - 1), version)
        : version;
  }

  private BuildModule module(Model pom) {
    Map<Bucket, SortedSet<String>> dependencies = pom.getDependencies().stream()
        .collect(groupingBy(
            dependency -> bucket(pom, dependency),
            () -> new EnumMap<>(Bucket.class),
            mapping(this::coordinates, toCollection(TreeSet::new))));
    SortedSet<String> constraints =
        managed(pom).stream().map(this::coordinates).collect(toCollection(TreeSet::new));
    dependencies.put(Bucket.CONSTRAINT, constraints);
    boolean published = !Boolean.parseBoolean(pom.getProperties().getProperty("maven.deploy.skip"));
    return new BuildModule(pom.getArtifactId(), published, dependencies);
  }

  private static Bucket bucket(Model pom, Dependency dependency) {
    return Bucket.of(dependency)
        .orElseThrow(() -> new IllegalArgumentException(
            "The pom of %s cannot be compared with the Gradle build: scope %s of %s has no counterpart there."
                .formatted(
                    pom.getArtifactId(), dependency.getScope(), dependency.getManagementKey())));
  }

  private String coordinates(Dependency dependency) {
    String group = dependency.getGroupId().replace("${project.groupId}", parent.getGroupId());
    return group + ":" + dependency.getArtifactId();
  }

  private static List<Dependency> managed(Model pom) {
    DependencyManagement management = pom.getDependencyManagement();
    return management == null ? List.of() : management.getDependencies();
  }
}
