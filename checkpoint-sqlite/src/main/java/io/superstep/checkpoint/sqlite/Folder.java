package io.superstep.checkpoint.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A folder, and whether something may have been added to it or removed from it since it was last
 * looked at. Used by one JVM thread at a time.
 */
final class Folder {

  /** By then another change has another time, if the file system counts more than seconds. */
  private static final Duration SETTLED = Duration.ofMillis(50);

  /** The same if it does not; there are some that count every other second. */
  private static final Duration SURELY_SETTLED = Duration.ofSeconds(3);

  private final Path path;

  /** When it was changed last, if that is long enough ago that nothing can hide behind it. */
  private @Nullable FileTime known;

  Folder(Path path) {
    this.path = path;
  }

  boolean hasChanged() throws IOException {
    FileTime changed = Files.getLastModifiedTime(path);
    boolean isSame = changed.equals(known);
    known = isSettled(changed.toInstant()) ? changed : null;
    return !isSame;
  }

  /** Says that what was to be done about a change was not. */
  void forget() {
    known = null;
  }

  private static boolean isSettled(Instant changed) {
    Duration enough =
        changed.equals(changed.truncatedTo(ChronoUnit.SECONDS)) ? SURELY_SETTLED : SETTLED;
    return changed.isBefore(Instant.now().minus(enough));
  }
}
