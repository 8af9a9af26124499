package io.superstep.build.gradle;

import io.superstep.build.gradle.GradleScript.Declaration;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the Gradle build from the text of its scripts and its version catalog. */
public final class GradleBuild {

  /** Renames every module, as in {@code module.name = "superstep-${module.name}"}. */
  private static final Pattern RENAMING =
      Pattern.compile("\\.name = \"([\\w-]+)\\$\\{\\w+\\.name}\"");

  private static final Pattern PROJECT = Pattern.compile("project\\(\":([\\w-]+)\"\\)");

  private final Path root;
  private final VersionCatalog catalog;
  private final String group;
  private final String version;

  private GradleBuild(Path root) {
    this.root = root;
    this.catalog = VersionCatalog.read(root.resolve("gradle/libs.versions.toml"));
    GradleScript convention = script("build.gradle.kts");
    this.group = convention.assigned("group");
    this.version = convention.assigned("version");
  }

  /** Reads the build whose settings are in {@code root}. */
  public static Build read(Path root) {
    return new GradleBuild(root).read();
  }

  private Build read() {
    GradleScript settings = script("settings.gradle.kts");
    String prefix = settings.find(RENAMING).orElse("");
    SortedMap<String, BuildModule> modules = new TreeMap<>();
    settings
        .arguments("include")
        .forEach(folder -> modules.put(folder, module(folder, prefix + folder)));

    return new Build(
        group,
        version,
        script("build.gradle.kts").assigned("options.release"),
        catalog.versions(),
        catalog.libraries(),
        modules);
  }

  private BuildModule module(String folder, String artifact) {
    GradleScript script = script(folder + "/build.gradle.kts");
    script.mustHoldOnly("plugins", "dependencies");
    boolean published = script.plugins().stream()
        .anyMatch(id -> id.equals("java-library") || id.equals("java-platform"));
    Map<Bucket, SortedSet<String>> dependencies = new EnumMap<>(Bucket.class);
    for (Declaration declaration : script.dependencies()) {
      dependencies
          .computeIfAbsent(bucket(script, declaration, published), bucket -> new TreeSet<>())
          .add(coordinates(script, declaration.notation()));
    }
    SortedSet<String> constraints = new TreeSet<>();
    script
        .constraints()
        .forEach(constraint -> constraints.add(coordinates(script, constraint.notation())));
    dependencies.put(Bucket.CONSTRAINT, constraints);
    return new BuildModule(group, artifact, version, published, dependencies);
  }

  private static Bucket bucket(GradleScript script, Declaration declaration, boolean published) {
    String configuration = declaration.configuration();
    return Bucket.of(configuration, published)
        .orElseThrow(
            () -> script.unreadable("'" + configuration + "' has no counterpart in Maven"));
  }

  private String coordinates(GradleScript script, String notation) {
    Matcher project = PROJECT.matcher(notation);
    if (project.matches()) {
      return group + ":" + project.group(1);
    }
    String module = catalog.modules().get(notation);
    if (module == null) {
      throw script.unreadable("'%s' is neither a project nor one of %s in gradle/libs.versions.toml"
          .formatted(notation, catalog.modules().keySet()));
    }
    return module;
  }

  private GradleScript script(String file) {
    return GradleScript.read(root, file);
  }
}
