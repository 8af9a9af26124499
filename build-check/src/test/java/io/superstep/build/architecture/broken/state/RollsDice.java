package io.superstep.build.architecture.broken.state;

import java.util.UUID;

final class RollsDice {
  UUID id() {
    return UUID.randomUUID();
  }
}
