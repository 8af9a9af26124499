package io.superstep.build.architecture.broken.state;

import java.nio.file.Files;
import java.nio.file.Path;

final class ReadsFile {
  boolean exists(Path path) {
    return Files.exists(path);
  }
}
