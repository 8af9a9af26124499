package io.superstep.build.docs;

import io.superstep.build.sources.SourceTree;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One page of Markdown, and what can be read off it.
 *
 * @param text without blocks of code, in which nothing is a link, a heading or a table
 */
record Page(Path file, String text) {

  private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]*)(?:#([^)\\s]*))?[^)]*\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.+?)\\s*$");

  Page {
    text = CODE.matcher(text).replaceAll("");
  }

  static Page read(Path file) {
    return new Page(file, SourceTree.read(file));
  }

  /**
   * A link to a file of the project.
   *
   * @param path relative to the folder of the page; empty for the page itself
   * @param anchor the heading it jumps to; empty for none
   */
  record Link(String path, String anchor) {}

  List<Link> links() {
    return LINK.matcher(text)
        .results()
        .filter(link -> !link.group(1).contains(":"))
        .map(link -> new Link(link.group(1), link.group(2) == null ? "" : link.group(2)))
        .toList();
  }

  List<String> headings() {
    return found(HEADING, text);
  }

  /** What a link can jump to, under the names that GitHub gives to headings. */
  Set<String> anchors() {
    Set<String> anchors = new LinkedHashSet<>();
    Map<String, Integer> repeated = new HashMap<>();
    for (String heading : headings()) {
      String anchor = heading
          .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
          .toLowerCase(Locale.ROOT)
          .replaceAll("[^\\p{L}\\p{N} _-]", "")
          .replace(' ', '-');
      int earlier = repeated.merge(anchor, 1, Integer::sum) - 1;
      anchors.add(earlier == 0 ? anchor : anchor + "-" + earlier);
    }
    return anchors;
  }

  /** The cells below {@code title}, in the one table that has a column of this name. */
  List<String> column(String title) {
    List<List<String>> table = text.lines()
        .dropWhile(line -> !cells(line).contains(title))
        .takeWhile(line -> line.startsWith("|"))
        .map(Page::cells)
        .toList();
    if (table.isEmpty()) {
      throw new IllegalArgumentException(file + " has no table with the column " + title + ".");
    }
    int column = table.get(0).indexOf(title);
    return table.stream().skip(2).map(row -> row.get(column)).toList();
  }

  private static List<String> cells(String line) {
    return Stream.of(line.split("(?<!\\\\)\\|", -1)).map(String::strip).toList();
  }

  /** The first group of each match of {@code pattern}, in order. */
  static List<String> found(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }
}
