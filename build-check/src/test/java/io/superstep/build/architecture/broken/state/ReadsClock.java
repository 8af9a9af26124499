package io.superstep.build.architecture.broken.state;

import java.time.Instant;

final class ReadsClock {
  Instant now() {
    return Instant.now();
  }
}
