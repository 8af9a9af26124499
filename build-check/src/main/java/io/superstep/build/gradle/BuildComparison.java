package io.superstep.build.gradle;

import static java.util.stream.Collectors.toCollection;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Every rule by which the Gradle build follows the Maven build, one method each. */
public final class BuildComparison {

  private static final String POM = "pom.xml";
  private static final String SETTINGS = "settings.gradle.kts";
  private static final String SCRIPT = "build.gradle.kts";
  private static final String CATALOG = "gradle/libs.versions.toml";
  private static final String BOM = "bom";

  private final Build maven;
  private final Build gradle;
  private final List<Drift> drifts = new ArrayList<>();

  private BuildComparison(Build maven, Build gradle) {
    this.maven = maven;
    this.gradle = gradle;
  }

  /** All drifts of {@code gradle} from {@code maven}; empty when both say the same. */
  public static List<Drift> compare(Build maven, Build gradle) {
    var comparison = new BuildComparison(maven, gradle);
    comparison.coordinates();
    comparison.release();
    comparison.modules();
    comparison.versions();
    comparison.libraries();
    comparison.eachModule();
    comparison.bomNamesEveryPublishedModule(maven, "bom/pom.xml", POM);
    comparison.bomNamesEveryPublishedModule(gradle, "bom/build.gradle.kts", SETTINGS);
    return List.copyOf(comparison.drifts);
  }

  private void coordinates() {
    expect(
        Set.of(maven.group() + ":" + maven.version()),
        Set.of(gradle.group() + ":" + gradle.version()),
        SCRIPT,
        POM,
        "group and version",
        "Set group and version in allprojects { } to those of pom.xml.");
  }

  private void release() {
    expect(
        Set.of(maven.release()),
        Set.of(gradle.release()),
        SCRIPT,
        POM,
        "Java release",
        "Set options.release to the maven.compiler.release of pom.xml.");
  }

  private void modules() {
    expect(
        maven.modules().keySet(),
        gradle.modules().keySet(),
        SETTINGS,
        POM,
        "modules",
        "include(...) the folders that <modules> names, and no others.");
  }

  private void versions() {
    expect(
        entries(maven.versions()),
        entries(gradle.versions()),
        CATALOG,
        POM,
        "[versions]",
        "Give it a line 'key = \"...\"' for every <version.key> below the comment 'Libraries', and no others.");
  }

  private void libraries() {
    expect(
        entries(maven.libraries()),
        entries(gradle.libraries()),
        CATALOG,
        POM,
        "[libraries]",
        "Give it an entry for every library in <dependencyManagement>, with the same version.");
  }

  private void eachModule() {
    maven.modules().forEach((folder, ours) -> {
      BuildModule theirs = gradle.modules().get(folder);
      if (theirs != null) {
        artifact(folder, ours, theirs);
        coordinates(folder, ours, theirs);
        publication(folder, ours, theirs);
        dependencies(folder, ours, theirs);
      }
    });
  }

  private void artifact(String folder, BuildModule ours, BuildModule theirs) {
    expect(
        Set.of(ours.artifact()),
        Set.of(theirs.artifact()),
        SETTINGS,
        folder + "/" + POM,
        "artifact",
        "Name the project as the <artifactId>.");
  }

  private void coordinates(String folder, BuildModule ours, BuildModule theirs) {
    expect(
        Set.of(ours.group() + ":" + ours.version()),
        Set.of(theirs.group() + ":" + theirs.version()),
        folder + "/" + SCRIPT,
        folder + "/" + POM,
        "group and version",
        "Leave both to allprojects { } in build.gradle.kts.");
  }

  private void publication(String folder, BuildModule ours, BuildModule theirs) {
    expect(
        Set.of(ours.published()),
        Set.of(theirs.published()),
        folder + "/" + SCRIPT,
        folder + "/" + POM,
        "published",
        "Apply java-library or java-platform to publish, another plugin not to;"
            + " set maven.deploy.skip in the pom not to.");
  }

  private void dependencies(String folder, BuildModule ours, BuildModule theirs) {
    for (Bucket bucket : Bucket.values()) {
      expect(
          ours.in(bucket),
          theirs.in(bucket),
          folder + "/" + SCRIPT,
          folder + "/" + POM,
          bucket.inMaven(),
          "Declare in %s exactly what the pom declares in %s, or change the pom."
              .formatted(bucket.inGradle(ours.published()), bucket.inMaven()));
    }
  }

  private void bomNamesEveryPublishedModule(Build build, String bomFile, String modulesFile) {
    BuildModule bom = build.modules().get(BOM);
    if (bom == null) {
      return;
    }
    Set<String> published = build.modules().values().stream()
        .filter(module -> module.published() && !module.artifact().equals(bom.artifact()))
        .map(module -> build.group() + ":" + module.artifact())
        .collect(toCollection(TreeSet::new));
    expect(
        published,
        bom.in(Bucket.CONSTRAINT),
        bomFile,
        modulesFile,
        "constraints",
        "Constrain every published module, and no others.");
  }

  private void expect(
      Set<?> expected, Set<?> actual, String file, String reference, String subject, String fix) {
    if (!expected.equals(actual)) {
      drifts.add(new Drift(
          file,
          reference,
          "%s: lacks %s, adds %s"
              .formatted(subject, without(expected, actual), without(actual, expected)),
          fix));
    }
  }

  private static List<?> without(Set<?> these, Set<?> those) {
    return these.stream().filter(element -> !those.contains(element)).toList();
  }

  private static SortedSet<String> entries(Map<String, String> map) {
    return map.entrySet().stream()
        .map(entry -> entry.getKey() + " = " + entry.getValue())
        .collect(toCollection(TreeSet::new));
  }
}
