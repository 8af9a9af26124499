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

  /** The folders of all modules, those of profiles too. */
  public static List<String> modules(Path root) {
    Model parent = pom(root);
    return Stream.concat(
            parent.getModules().stream(),
            parent.getProfiles().stream().flatMap(profile -> profile.getModules().stream()))
        .toList();
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
    for (Dependency library : managed(parent)) {
      if (library.getScope() != null || isSpecial(library)) {
        throw unreadable(
            parent, library.getManagementKey() + " is managed with more than a version");
      }
      if (!library.getGroupId().equals(parent.getGroupId())) {
        libraries.put(coordinates(library), versionOf(library));
      }
    }
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
    boolean published = !Boolean.parseBoolean(pom.getProperties().getProperty("maven.deploy.skip"));
    List<Dependency> declared = Stream.concat(
            parent.getDependencies().stream(), pom.getDependencies().stream())
        .toList();
    if (published) {
      declared.forEach(dependency -> mustBePlain(pom, dependency));
    }
    Map<Bucket, SortedSet<String>> dependencies = declared.stream()
        .collect(groupingBy(
            dependency -> bucket(pom, dependency),
            () -> new EnumMap<>(Bucket.class),
            mapping(this::coordinates, toCollection(TreeSet::new))));
    SortedSet<String> constraints =
        managed(pom).stream().map(this::constraint).collect(toCollection(TreeSet::new));
    dependencies.put(Bucket.CONSTRAINT, constraints);
    return new BuildModule(
        Objects.requireNonNullElse(pom.getGroupId(), pom.getParent().getGroupId()),
        pom.getArtifactId(),
        Objects.requireNonNullElse(pom.getVersion(), pom.getParent().getVersion()),
        published,
        dependencies);
  }

  /** The name and the scope are a module's own to say; the rest would escape the comparison. */
  private static void mustBePlain(Model pom, Dependency dependency) {
    if (dependency.getVersion() != null || isSpecial(dependency)) {
      throw unreadable(
          pom,
          dependency.getManagementKey()
              + " has a version, type, classifier or exclusion of its own");
    }
  }

  private static boolean isSpecial(Dependency dependency) {
    return dependency.getClassifier() != null
        || !dependency.getType().equals("jar")
        || !dependency.getExclusions().isEmpty();
  }

  private static Bucket bucket(Model pom, Dependency dependency) {
    return Bucket.of(dependency)
        .orElseThrow(() -> unreadable(
            pom,
            "scope %s of %s has no counterpart there"
                .formatted(dependency.getScope(), dependency.getManagementKey())));
  }

  /** A managed dependency; one of ours must have the version of the project. */
  private String constraint(Dependency managed) {
    String version = managed.getVersion();
    return version.equals("${project.version}")
        ? coordinates(managed)
        : coordinates(managed) + " with version " + version;
  }

  private String coordinates(Dependency dependency) {
    String group = dependency.getGroupId().replace("${project.groupId}", parent.getGroupId());
    return group + ":" + dependency.getArtifactId();
  }

  private static IllegalArgumentException unreadable(Model pom, String what) {
    return new IllegalArgumentException(
        "The pom of %s cannot be compared with the Gradle build: %s."
            .formatted(pom.getArtifactId(), what));
  }

  private static List<Dependency> managed(Model pom) {
    DependencyManagement management = pom.getDependencyManagement();
    return management == null ? List.of() : management.getDependencies();
  }
}
