package io.superstep.build.coverage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * How much of one module its tests have run, read from the table that JaCoCo leaves beside its
 * report.
 */
record Coverage(String module, int lines, int linesSeen, int branches, int branchesSeen) {

  private static final Path TABLE = Path.of("target", "site", "jacoco", "jacoco.csv");

  /** Prints a line for each module below the folder given as the only argument. */
  public static void main(String[] folder) {
    below(Path.of(folder[0])).forEach(System.out::println);
  }

  /**
   * The coverage of each folder right below {@code root} that holds a table, in alphabetical order.
   */
  static List<Coverage> below(Path root) {
    try (Stream<Path> folders = Files.list(root)) {
      return folders
          .filter(folder -> Files.exists(folder.resolve(TABLE)))
          .sorted()
          .map(folder -> read(folder.getFileName().toString(), folder.resolve(TABLE)))
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Coverage read(String module, Path table) {
    try {
      List<String> rows = Files.readAllLines(table);
      List<String> columns = List.of(rows.get(0).split(","));
      List<String[]> classes = rows.stream().skip(1).map(row -> row.split(",")).toList();
      int linesSeen = sum(classes, columns.indexOf("LINE_COVERED"));
      int branchesSeen = sum(classes, columns.indexOf("BRANCH_COVERED"));
      return new Coverage(
          module,
          linesSeen + sum(classes, columns.indexOf("LINE_MISSED")),
          linesSeen,
          branchesSeen + sum(classes, columns.indexOf("BRANCH_MISSED")),
          branchesSeen);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static int sum(List<String[]> classes, int column) {
    return classes.stream().mapToInt(row -> Integer.parseInt(row[column])).sum();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "coverage  %-18s %5.1f %% of %d lines, %5.1f %% of %d branches",
        module,
        percent(linesSeen, lines),
        lines,
        percent(branchesSeen, branches),
        branches);
  }

  private static double percent(int part, int whole) {
    return whole == 0 ? 100 : 100.0 * part / whole;
  }
}
