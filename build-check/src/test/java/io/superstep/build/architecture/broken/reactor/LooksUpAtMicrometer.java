package io.superstep.build.architecture.broken.reactor;

import io.superstep.build.architecture.broken.reactor.micrometer.Sleeps;

final class LooksUpAtMicrometer {
  Sleeps up() {
    return new Sleeps();
  }
}
