package io.superstep.reactor;

import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Where timeouts and waits are counted, and followers woken, unless the user says otherwise.
 *
 * <p>Not where blocking nodes run: when all threads there are taken, an alarm would wait behind the
 * very node it is meant to end.
 */
final class Alarms {

  private Alarms() {}

  static Scheduler standard() {
    return Schedulers.parallel();
  }
}
