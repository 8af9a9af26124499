package io.superstep.build.surefire;

import io.superstep.build.gradle.MavenBuild;
import io.superstep.build.sources.SourceTree;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.maven.model.Plugin;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/** What Surefire runs of the tests below the folder of a build. */
final class Surefire {

  private final Path root;
  private final List<PathMatcher> includes;
  private final List<TestClass> classes;

  Surefire(Path root) {
    this.root = root;
    this.includes = includes(root);
    this.classes = MavenBuild.modules(root).stream().flatMap(this::classes).toList();
  }

  /** The classes that hold tests, and that neither Surefire nor another test would run. */
  List<TestClass> overlooked() {
    return classes.stream()
        .filter(TestClass::holdsTests)
        .filter(type -> !includes(type))
        .filter(type -> classes.stream()
            .noneMatch(other -> type.isContractOf(other) || type.isFixtureOf(other)))
        .toList();
  }

  /** Surefire goes by the name of the class file, which for a second class is not the source's. */
  private boolean includes(TestClass type) {
    Path named = type.file().resolveSibling(type.name() + ".java");
    return includes.stream().anyMatch(include -> include.matches(named));
  }

  private static List<PathMatcher> includes(Path root) {
    Plugin surefire = MavenBuild.pom(root)
        .getBuild()
        .getPluginManagement()
        .getPluginsAsMap()
        .get("org.apache.maven.plugins:maven-surefire-plugin");
    Xpp3Dom includes = ((Xpp3Dom) surefire.getConfiguration()).getChild("includes");
    return Arrays.stream(includes.getChildren())
        .map(include -> FileSystems.getDefault().getPathMatcher("glob:" + include.getValue()))
        .toList();
  }

  private Stream<TestClass> classes(String module) {
    return new SourceTree(root.resolve(module).resolve("src/test"))
        .sources().stream()
            .flatMap(file -> TestClass.in(root.relativize(file), SourceTree.read(file)));
  }
}
