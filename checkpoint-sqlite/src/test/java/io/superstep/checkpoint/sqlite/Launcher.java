package io.superstep.checkpoint.sqlite;

import io.superstep.testkit.ChildJvm;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.sqlite.util.LibraryLoaderUtil;

/**
 * Starts workers in processes of their own. As hundreds are started, they share an archive of the
 * classes they need, for which all of these have to be in jars.
 */
final class Launcher {

  private static final Pattern NEEDED = Pattern.compile(
      ".*(superstep|classes|jackson|reactor-core|reactive-streams|jspecify|caffeine|sqlite).*");

  private final Path directory;
  private final String classPath;
  private final Path archive;

  private Launcher(Path directory, String classPath) {
    this.directory = directory;
    this.classPath = classPath;
    this.archive = directory.resolve("worker.jsa");
  }

  /** @param directory for what it needs */
  static Launcher in(Path directory) throws IOException {
    List<String> jars = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      if (Files.isDirectory(path)) {
        jars.add(jar(path, directory.resolve("classes-" + jars.size() + ".jar")).toString());
      } else if (NEEDED.matcher(path.getFileName().toString()).matches()
          || NEEDED.matcher(entry.replace(path.getFileName().toString(), "")).matches()) {
        jars.add(entry);
      }
    }
    extractLibrary(directory);
    Launcher launcher = new Launcher(directory, String.join(File.pathSeparator, jars));
    try (ChildJvm warm = ChildJvm.start(launcher.command(
        "-XX:ArchiveClassesAtExit=" + launcher.archive,
        directory.resolve("warm.db").toString(),
        "0",
        "once"))) {
      warm.ends();
    }
    return launcher;
  }

  /** Takes the library out of its jar, which otherwise every process does for itself. */
  private static void extractLibrary(Path directory) throws IOException {
    String name = LibraryLoaderUtil.getNativeLibName();
    try (InputStream library = Objects.requireNonNull(Launcher.class.getResourceAsStream(
        LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name))) {
      Files.copy(library, directory.resolve(name));
    }
  }

  private static Path jar(Path classes, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        entries.putNextEntry(
            new ZipEntry(classes.relativize(file).toString().replace(File.separatorChar, '/')));
        Files.copy(file, entries);
        entries.closeEntry();
      }
    }
    return jar;
  }

  private List<String> command(String option, String... arguments) {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Xshare:auto",
        "-Xlog:cds=off",
        "-Xlog:cds+dynamic=off",
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-XX:-UsePerfData",
        "-Dorg.sqlite.lib.path=" + directory,
        "-Dorg.sqlite.lib.name=" + LibraryLoaderUtil.getNativeLibName(),
        option,
        "-cp",
        classPath,
        Worker.class.getName()));
    command.addAll(Arrays.asList(arguments));
    return command;
  }

  /**
   * Starts a worker.
   *
   * @param hour its clock is ahead by so many: leases of those before have run out for it
   */
  ChildJvm start(Path file, int hour, String... what) {
    List<String> arguments = new ArrayList<>(List.of(file.toString(), Integer.toString(hour)));
    arguments.addAll(Arrays.asList(what));
    return ChildJvm.start(
        command("-XX:SharedArchiveFile=" + archive, arguments.toArray(String[]::new)));
  }
}
