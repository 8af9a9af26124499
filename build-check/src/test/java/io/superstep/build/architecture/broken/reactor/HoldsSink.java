package io.superstep.build.architecture.broken.reactor;

import reactor.core.publisher.Sinks;

final class HoldsSink {
  final Sinks.Many<String> sink = Sinks.many().unicast().onBackpressureBuffer();
}
