package io.superstep.build.docs;

import static java.util.stream.Collectors.toCollection;

import io.superstep.build.docs.Page.Link;
import io.superstep.build.gradle.MavenBuild;
import io.superstep.build.sources.SourceTree;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The papers of the project below {@code root}, and what in them is not true; one method each. */
record Papers(Path root) {

  private static final Pattern MODULE = Pattern.compile("\\[`([\\w-]+)`]\\(\\1\\)");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");
  private static final Pattern TEST = Pattern.compile("(\\w+(?:Tests|Verification|Contract))\\..*");
  private static final Pattern CODE = Pattern.compile("\\b(SG-\\d{3})\\b");

  /** The links that lead to no file, or to no heading of it. */
  List<String> deadLinks() {
    return pages()
        .flatMap(page -> page.links().stream()
            .filter(link -> isDead(page, link))
            .map(link -> root.relativize(page.file()) + ": " + link))
        .toList();
  }

  /** The modules that only the build or only the map in the README knows. */
  List<String> modulesOffTheMap() {
    List<String> mapped = page("README.md").column("Module").stream()
        .flatMap(cell -> Page.found(MODULE, cell).stream())
        .toList();
    return difference(MavenBuild.modules(root), mapped);
  }

  /** The proofs of promises that are anything but tests. */
  List<String> emptyProofs() {
    Set<String> tests = Stream.of("src/main", "src/test")
        .flatMap(this::sources)
        .flatMap(file -> Page.found(TEST, file.getFileName().toString()).stream())
        .collect(toCollection(TreeSet::new));
    return page("docs/promises.md").column("Proof").stream()
        .filter(cell -> !NAME.matcher(cell).replaceAll("").matches("[\\s,]*")
            || !tests.containsAll(Page.found(NAME, cell)))
        .toList();
  }

  /** The error codes that only the code or only the page of errors knows. */
  List<String> codesOffTheBooks() {
    List<String> raised = sources("src/main")
        .flatMap(file -> Page.found(CODE, SourceTree.read(file)).stream())
        .toList();
    List<String> explained = page("docs/errors.md").headings().stream()
        .filter(heading -> CODE.matcher(heading).lookingAt())
        .flatMap(heading -> Page.found(CODE, heading).stream())
        .toList();
    return difference(raised, explained);
  }

  private Stream<Page> pages() {
    return Stream.of(new SourceTree(root, 1), new SourceTree(root.resolve("docs")))
        .flatMap(folder -> folder.files("md").stream())
        .map(Page::read);
  }

  private Page page(String file) {
    return Page.read(root.resolve(file));
  }

  private static boolean isDead(Page page, Link link) {
    Path target = link.path().isEmpty() ? page.file() : page.file().resolveSibling(link.path());
    return !Files.exists(target)
        || (!link.anchor().isEmpty() && !Page.read(target).anchors().contains(link.anchor()));
  }

  private Stream<Path> sources(String folder) {
    return MavenBuild.modules(root).stream()
        .flatMap(module -> new SourceTree(root.resolve(module).resolve(folder)).sources().stream());
  }

  private static List<String> difference(Collection<String> facts, Collection<String> paper) {
    return Stream.concat(
            facts.stream().filter(fact -> !paper.contains(fact)).map(fact -> "lacks " + fact),
            paper.stream().filter(word -> !facts.contains(word)).map(word -> "adds " + word))
        .distinct()
        .sorted()
        .toList();
  }
}
