package io.superstep.build.architecture.broken.state;

final class LiesInAnotherModule {}
