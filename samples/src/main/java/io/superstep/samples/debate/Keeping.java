package io.superstep.samples.debate;

import io.superstep.checkpoint.CheckpointStore;
import io.superstep.checkpoint.sqlite.SqliteCheckpointStore;
import io.superstep.reactor.InMemoryCheckpointStore;
import java.nio.file.Path;

/**
 * Where a debate is kept.
 *
 * @param words says so, and for how long
 */
record Keeping(CheckpointStore store, String words) {

  private static final String OPTION = "--store";

  /** As {@code --store file.db} says, also {@code --store=file.db}; in memory without a file. */
  static Keeping of(String... arguments) {
    String file = "";
    for (int at = 0; at < arguments.length; at++) {
      if (arguments[at].startsWith(OPTION + "=")) {
        file = arguments[at].substring(OPTION.length() + 1);
      } else if (arguments[at].equals(OPTION) && at + 1 < arguments.length) {
        file = arguments[++at];
      } else {
        throw new IllegalArgumentException(
            "The debate takes " + OPTION + " <file>, and not '" + arguments[at] + "'.");
      }
    }
    return file.isEmpty() ? inMemory() : in(Path.of(file));
  }

  static Keeping inMemory() {
    return new Keeping(
        new InMemoryCheckpointStore(), "it is kept in memory, so it ends with this process");
  }

  static Keeping in(Path file) {
    return in(SqliteCheckpointStore.open(file), file);
  }

  static Keeping in(CheckpointStore store, Path file) {
    return new Keeping(
        store, "it is kept in " + file.getFileName() + ", where another process finds it");
  }
}
