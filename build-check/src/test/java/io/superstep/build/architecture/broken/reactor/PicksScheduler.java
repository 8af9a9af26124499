package io.superstep.build.architecture.broken.reactor;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

final class PicksScheduler {
  Scheduler scheduler() {
    return Schedulers.parallel();
  }
}
