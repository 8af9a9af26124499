package io.superstep.build.gradle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.tomlj.Toml;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlTable;

/**
 * Gradle's {@code libs.versions.toml}.
 *
 * @param versions a version by its key
 * @param modules a {@code group:artifact} by the accessor that stands for it in a script, such as
 *     {@code libs.junit.jupiter}
 * @param libraries a version by the {@code group:artifact} it is meant for
 */
record VersionCatalog(
    SortedMap<String, String> versions,
    SortedMap<String, String> modules,
    SortedMap<String, String> libraries) {

  static VersionCatalog read(Path file) {
    TomlParseResult toml = parse(file);
    SortedMap<String, String> versions = new TreeMap<>();
    TomlTable versionTable = toml.getTableOrEmpty("versions");
    versionTable.keySet().forEach(key -> versions.put(key, required(versionTable, file, key)));

    SortedMap<String, String> modules = new TreeMap<>();
    SortedMap<String, String> libraries = new TreeMap<>();
    TomlTable libraryTable = toml.getTableOrEmpty("libraries");
    for (String alias : libraryTable.keySet()) {
      TomlTable library = libraryTable.getTableOrEmpty(List.of(alias));
      String module = required(library, file, "module");
      String key = required(library, file, "version", "ref");
      modules.put("libs." + alias.replace('-', '.'), module);
      libraries.put(module, versions.getOrDefault(key, "the undefined version " + key));
    }
    return new VersionCatalog(versions, modules, libraries);
  }

  private static TomlParseResult parse(Path file) {
    try {
      TomlParseResult toml = Toml.parse(file);
      if (toml.hasErrors()) {
        throw new IllegalArgumentException(file + " is not TOML: " + toml.errors());
      }
      return toml;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String required(TomlTable table, Path file, String... path) {
    String value = table.getString(List.of(path));
    if (value == null) {
      throw new IllegalArgumentException(
          "%s: %s lacks %s; write { module = \"group:artifact\", version.ref = \"key\" }."
              .formatted(file, table.toJson(), String.join(".", path)));
    }
    return value;
  }
}
